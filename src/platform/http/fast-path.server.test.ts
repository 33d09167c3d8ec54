import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import type { UserId } from '../../lib/ids.ts'
import { fastPath, type FastPathCall } from './fast-path.server.ts'

const lines: Record<string, unknown>[] = []
const log = pino(
  { level: 'info', base: null },
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>)
      done()
    },
  }),
)

const call: FastPathCall = {
  method: 'PUT',
  route: '/things/:name',
  path: /^\/things\/(?<name>\w+)$/,
  async answer({ params, body, cookies }) {
    if (params['name'] === 'refused') return null
    if (params['name'] === 'broken') throw new Error('out of order')
    return { reply: { params, body, cookies }, userId: 'p' as UserId }
  },
}

/** Replies with its name and the body that it was given. */
const slowPath: RequestListener = (request, response) => {
  const { rawBody } = request as { rawBody?: Buffer }
  response.end(`slow ${rawBody?.toString() ?? 'unread'}`)
}

async function aServer(options: { isDemo: boolean }): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const tryFastPath = fastPath(
    call,
    { appUrl: url, headers: { 'x-content-type-options': 'nosniff' }, log, tracing: null, ...options },
    slowPath,
  )
  server.on('request', (request, response) => {
    if (!tryFastPath(request, response)) slowPath(request, response)
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return url
}

const demo = await aServer({ isDemo: true })
const real = await aServer({ isDemo: false })

async function put(url: string, path: string, more: { headers?: Record<string, string>; body?: string } = {}) {
  const reply = await fetch(`${url}${path}`, {
    method: 'PUT',
    headers: { origin: url, ...more.headers },
    body: more.body ?? '{"a":1}',
  })
  return reply.text()
}

test('the fast path answers a call that succeeds, with its headers and its log line', async () => {
  lines.length = 0
  const reply = await fetch(`${demo}/things/one`, {
    method: 'PUT',
    headers: { origin: demo, cookie: 'a=b' },
    body: '{"a":1}',
  })
  expect([reply.status, await reply.json()]).toEqual([200, { params: { name: 'one' }, body: { a: 1 }, cookies: 'a=b' }])
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
  })
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'request',
      requestId: reply.headers.get('x-request-id'),
      method: 'PUT',
      path: '/things/one',
      status: 200,
      ms: expect.any(Number),
      user: 'p',
    }),
  ])
})

test('a refused call reaches the slow path with the body that was read', async () => {
  expect(await put(demo, '/things/refused')).toBe('slow {"a":1}')
  expect(await put(demo, '/things/one', { body: '{"a":' })).toBe('slow {"a":')
  expect(await put(demo, '/things/one', { body: '{"a":"\\u0000"}' })).toBe('slow {"a":"\\u0000"}')
})

test('an error in the fast path is logged, and the slow path answers', async () => {
  lines.length = 0
  expect(await put(demo, '/things/broken')).toBe('slow {"a":1}')
  expect(lines).toEqual([
    expect.objectContaining({ level: 40, err: expect.objectContaining({ message: 'out of order' }) }),
  ])
})

test('the fast path does not read requests of another path or origin, forwarded ones in the demo, or large bodies', async () => {
  expect(await put(demo, '/things/one/two')).toBe('slow unread')
  expect(await put(demo, '/things/one?way=long')).toBe('slow unread')
  expect(await put(demo, '/things/%6Fne')).toBe('slow unread')
  expect(await put(demo, '/things/one', { headers: { origin: 'https://evil.example' } })).toBe('slow unread')
  for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'])
    expect(await put(demo, '/things/one', { headers: { [name]: '203.0.113.9' } })).toBe('slow unread')
  expect(await put(demo, '/things/one', { body: JSON.stringify('x'.repeat(20_000)) })).toBe('slow unread')
})

test('the fast path answers forwarded requests outside the demo', async () => {
  expect(await put(real, '/things/one', { headers: { 'x-forwarded-for': '203.0.113.9' } })).toContain('"name":"one"')
})
