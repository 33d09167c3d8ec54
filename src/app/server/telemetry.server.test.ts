import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer as createHttpServer, type ClientRequest } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { selecting } from '../../../tests/support/answers.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { realPages } from '../../../tests/support/real-pages.ts'
import { startApp } from '../../../tests/support/start-app.ts'
import { aStudent, giveAccess, PASSWORD } from '../../../tests/support/users.ts'
import { startOtlpReceiver, type ReceivedSpan } from '../../emulators/otlp-receiver.server.ts'
import { AttemptView } from '../../features/attempts/attempts.schema.ts'
import { readEnv } from '../../platform/env.server.ts'
import { trustedProxies } from '../../platform/http/network-address.server.ts'
import { startTelemetry } from '../../platform/telemetry/open-telemetry.server.ts'

const receiver = await startOtlpReceiver()
afterAll(() => receiver.close())
const SOON = { OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_METRIC_EXPORT_INTERVAL: '200', LIMITS: '' }
const app = await startApp(
  { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', ...SOON },
  await realPages(),
)
const { db } = app.services.database
const course = await aCourse(db)
const exam = await anExam(db, course.id)

const SERVER = 2
const CLIENT = 3
const CONSUMER = 5

const spanOf = (name: string, traceId?: string) =>
  receiver.until(() => receiver.spans.find((span) => span.name === name && (traceId ?? span.traceId) === span.traceId))
const traceparent = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`

/** The spans below a request that continues a trace of ours, once the request has ended. */
async function traceOf(digit: string, work: (headers: Record<string, string>) => Promise<unknown>) {
  await work({ traceparent: traceparent(digit) })
  const root = await receiver.until(() =>
    receiver.spans.find(({ traceId, kind }) => traceId === digit.repeat(32) && kind === SERVER),
  )
  const below = (parent: ReceivedSpan): ReceivedSpan[] =>
    receiver.spans
      .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
      .flatMap((span) => [span, ...below(span)])
  return { root, below: below(root) }
}

test('a request is a span with the pattern of its address, and continues the trace of a trusted caller', async () => {
  const { root } = await traceOf('a', (headers) => app.visitor().get(`/course/${course.slug}?q=secret-search`, headers))
  expect(root).toMatchObject({ name: 'GET /course/:courseSlug', kind: SERVER, parentSpanId: 'a'.repeat(16) })
  expect(root.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/course/:courseSlug',
    'http.response.status_code': 200,
  })
  // From the cache now, and by the address of the page's data.
  const cached = await traceOf('b', (headers) => app.visitor().get(`/course/${course.slug}`, headers))
  expect(cached.root.name).toBe('GET /course/:courseSlug')
  const missing = await traceOf('c', (headers) => app.visitor().get('/api/orders/none', headers))
  expect(missing.root.name).toBe('GET /api/orders/:orderId')
  expect(missing.root.attributes).toMatchObject({ 'altocert.failure': 'session.required' })
  expect(missing.root.attributes['altocert.request_id']).toMatch(/^[0-9a-f-]{36}$/)
})

test('queries, a save and the statement that it shares are spans below their request', async () => {
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  const started = await traceOf('d', async (headers) => {
    const reply = await student.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'timed' }, headers)
    expect(reply.status).toBe(200)
    return reply
  })
  expect(started.root.name).toBe('POST /api/attempts')
  const queries = started.below.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql')
  expect(queries.map(({ name }) => name)).toEqual(expect.arrayContaining(['select sessions', 'insert attempts']))
  for (const { kind } of queries) expect(kind).toBe(CLIENT)

  const again = await student.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'timed' })
  const attempt = AttemptView.parse(again.body)
  const question = exam.questions[0]!
  const saved = await traceOf('e', (headers) =>
    student.browser.call(
      'PUT',
      `/api/attempts/${attempt.id}/answers/${question.id}`,
      { answer: selecting(question.options[0]!.id), isFlagged: false, struck: [], seq: 1, writer: 'tab' },
      headers,
    ),
  )
  expect(saved.root.name).toBe('PUT /api/attempts/:attemptId/answers/:questionId')
  expect(saved.root.attributes['http.response.status_code']).toBe(200)
  expect(saved.below.map(({ name }) => name)).toContain('save-answers')
})

test('a payment is traced from the request to the provider, whose call continues the trace', async () => {
  const student = await aStudent(app)
  const sent: (string | undefined)[] = []
  const hear = (message: unknown) => {
    const { request } = message as { request: ClientRequest }
    if (request.path === '/v1/checkout/sessions') sent.push(request.getHeader('traceparent') as string | undefined)
  }
  subscribe('http.client.request.start', hear)
  const { root, below } = await traceOf('f', async (headers) => {
    const cart = { cartItems: [{ id: course.id, quantity: 1 }] }
    const reply = await student.browser.post('/api/functions/create-cart-payment', cart, headers)
    expect(reply.status).toBe(200)
  })
  unsubscribe('http.client.request.start', hear)
  expect(root.name).toBe('POST /api/functions/create-cart-payment')
  const call = below.find(({ name }) => name === 'payment openSession')
  expect(call).toMatchObject({ kind: CLIENT, attributes: { 'peer.service': 'stripe' } })
  expect(sent).toEqual([`00-${'f'.repeat(32)}-${call?.spanId}-01`])
})

test('an email is a span of its job, and nothing that is sent holds an address, a token or a value of a query', async () => {
  const student = await aStudent(app)
  expect((await student.browser.post('/api/auth/forgot-password', { email: student.email })).status).toBe(200)
  const mail = await app.mailTo(student.email)
  const token = /token=([\w-]+)/.exec(mail.text)?.[1]
  expect(token).toBeDefined()
  const send = await spanOf('mail send')
  const job = await spanOf('job mail', send.traceId)
  expect(send.parentSpanId).toBe(job.spanId)
  expect(job).toMatchObject({ kind: CONSUMER })
  await student.browser.get(`/reset-password?token=${token}`)
  const bodies = receiver.received.map(({ body }) => body.toString()).join()
  expect(bodies).toContain('save-answers')
  const cookie = /session_token=([^;]+)/.exec(student.browser.cookies)?.[1] ?? 'none'
  for (const secret of [student.email, student.id, token!, cookie, PASSWORD, 'secret-search', course.slug, course.id])
    expect({ secret, isSent: bodies.includes(secret) }).toEqual({ secret, isSent: false })
})

test('the figures of /metrics are sent under their names', async () => {
  await receiver.until(() => receiver.metrics.some(({ name }) => name === 'altocert_jobs_total'))
  const shown = await (await fetch(`${app.url}/metrics`)).text()
  const names = [...shown.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name, kind]) => `${name} ${kind}`)
  const sent = new Set(receiver.metrics.map(({ name, sum }) => `${name} ${sum === undefined ? 'gauge' : 'counter'}`))
  expect([...sent].toSorted()).toEqual(names.toSorted())
  const requests = receiver.metrics.findLast(({ name }) => name === 'altocert_requests_total')
  expect(requests?.sum).toMatchObject({ isMonotonic: true, aggregationTemporality: 2 })
  expect(requests?.sum?.dataPoints.find(({ attributes }) => attributes['status'] === '2xx')?.asDouble).toBeGreaterThan(
    0,
  )
  expect(requests?.resource).toMatchObject({ 'service.name': 'altocert' })
})

test('without a protocol it is protobuf, with the headers and the attributes that are set', async () => {
  const other = await startApp({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
    OTEL_SERVICE_NAME: 'shop-of-this-test',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
    ...SOON,
  })
  await other.visitor().get('/api/courses')
  for (const path of ['/v1/traces', '/v1/metrics']) {
    const one = await receiver.until(() =>
      receiver.received.find(
        ({ path: asked, headers }) => asked === path && headers['content-type'] === 'application/x-protobuf',
      ),
    )
    expect(one.headers.authorization).toBe('Bearer abc')
    for (const text of ['shop-of-this-test', 'staging']) expect(one.body.toString('latin1')).toContain(text)
  }
})

test('a receiver that is away or silent delays no request, and the end by no more than some seconds', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  for (const endpoint of [`http://127.0.0.1:${port}`, 'http://127.0.0.1:9']) {
    // An hour to send: without the limit of the end, this test would take as long.
    const hour = { OTEL_EXPORTER_OTLP_TIMEOUT: '3600000', OTEL_METRIC_EXPORT_INTERVAL: '3600000' }
    const alone = await startApp({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...SOON, ...hour })
    const replies = await Promise.all(Array.from({ length: 50 }, () => alone.visitor().get('/api/courses')))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await alone.services.telemetry!.close()
    expect((await alone.visitor().get('/api/courses')).status).toBe(200)
  }
  silent.close()
})

const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

test.skipIf(ownAddress === undefined)(
  'a trace is not continued for callers from elsewhere, unless they are a trusted proxy (skipped without a network)',
  async () => {
    const { telemetry: settings } = readEnv({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
    })
    for (const [digit, proxies] of [
      ['1', []],
      ['2', [ownAddress!]],
    ] as const) {
      const trusted = trustedProxies(proxies)
      const telemetry = await startTelemetry(settings!, { log: app.services.log, version: '', trusted })
      const server = createHttpServer((request, response) =>
        telemetry.tracing!.serve(request, response, { routeOf: () => `/${digit}`, work: () => void response.end() }),
      )
      await new Promise<void>((resolve) => server.listen(0, ownAddress, resolve))
      const { port } = server.address() as AddressInfo
      await fetch(`http://${ownAddress}:${port}/`, { headers: { traceparent: traceparent(digit) } })
      await new Promise((resolve) => server.close(resolve))
      await telemetry.close()
      const span = await spanOf(`GET /${digit}`)
      expect(span.traceId === digit.repeat(32)).toBe(proxies.length > 0)
    }
  },
)

test('without an endpoint nothing of it is there', async () => {
  const off = await startApp()
  expect(off.services.telemetry).toBeNull()
})
