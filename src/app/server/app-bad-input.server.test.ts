import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startApp, type Reply } from '../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { beginDraft } from '../../features/authoring/drafts/drafts-commands.server.ts'
import { anAdmin, aStudent, giveAccess } from '../../../tests/support/users.ts'
import type { Endpoint } from '../../platform/http/endpoint.server.ts'
import { Failed, type describeApi } from './api-description.server.ts'

const app = await startApp()
const { db } = app.services.database
const course = await aCourse(db)
const exam = await anExam(db, course.id, { isFreeTrial: true })
const student = await aStudent(app)
await giveAccess(app, student, course.id)
const admin = await anAdmin(app)
await beginDraft(db, { examId: exam.id, actorId: admin.id, now: app.clock.now() })
const attempt = (
  (await student.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'timed' })).body as { id: string }
).id

/** Almost valid values find more than random ones. */
const nearly = fc.oneof(
  fc.constantFrom<unknown>(
    course.id,
    exam.id,
    exam.slug,
    attempt,
    exam.questions[0]!.id,
    'timed',
    'x@y.z',
    'a\u0000b@c.d',
    'Correct-Horse-7!',
    '',
    '\u0000',
    '19.99',
    -1,
    1.5,
    1e300,
    null,
    true,
    [],
    {},
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  // Includes unpaired surrogates.
  fc.array(fc.integer({ min: 0xd700, max: 0xe100 }), { maxLength: 3 }).map((codes) => String.fromCharCode(...codes)),
  fc.jsonValue({ maxDepth: 2 }),
)
const names = [
  'examSlug',
  'mode',
  'answer',
  'selection',
  'isFlagged',
  'struck',
  'seq',
  'writer',
  'answers',
  'cartItems',
  'id',
  'quantity',
  'price',
  'total',
  'email',
  'password',
  'name',
  'token',
  'code',
  'sessionId',
  'is_free_trial',
  'question',
  'settings',
  'version',
  'rightOptionIds',
  'reason',
  'key',
  '__proto__',
  'constructor',
]
const body = fc.oneof(fc.dictionary(fc.constantFrom(...names), nearly, { maxKeys: 6 }), nearly)
const segment = fc.oneof(
  fc.constantFrom(course.id, exam.id, attempt, exam.questions[0]!.id, 'x', '..', '%00', "'; drop table users; --"),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
)

const asked = fc.dictionary(
  fc.constantFrom('cursor', 'limit', 'scope', 'course_id', 'is_free_trial', 'single', 'row_version', 'search', 'after'),
  fc.oneof(
    fc.constantFrom(
      course.id,
      '2026-01-01T00:00:00Z~x',
      `2026-01-01~${exam.id}`,
      `x~${exam.id}`,
      '0',
      '-1',
      '1e9',
      'true',
      'all',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  ),
  { maxKeys: 3 },
)

// A sign-out would end the session that later runs need. Files are left out because `..` in their path asks for a page, and this test has none.
const calls = app.application.endpoints.filter(({ path }) => path !== '/api/auth/sign-out' && path.startsWith('/api/'))

test('the API description is complete: every call with its role, input and replies', async () => {
  const reply = await app.visitor().get('/api/openapi.json')
  expect(reply.status).toBe(200)
  const { openapi, paths } = reply.body as ReturnType<typeof describeApi> & { paths: Record<string, object> }
  expect(openapi).toBe('3.1.0')
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.filter((call) => call !== 'GET /api/realtime').sort()).toEqual(
    app.application.endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`).sort(),
  )
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((call) => (call as { operationId: string }).operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('text that the database cannot hold is refused, in a body and in a path', async () => {
  const signUp = await app
    .visitor()
    .post('/api/auth/sign-up', { name: 'N', email: 'a\u0000b@c.d', password: 'Correct-Horse-7!' })
  expect(signUp.status).toBe(400)
  expect(signUp.body).toMatchObject({
    error: { fields: [{ field: 'body', message: 'must not hold the character NUL' }] },
  })
  expect((await app.visitor().get('/api/attempts/%00')).status).toBe(404)
})

test('an unpaired surrogate is stored as a replacement character, and an escaped spelling of NUL is plain text', async () => {
  const { id } = await aStudent(app)
  const path = `/api/profiles/${id}/lock`
  const half = String.raw`{"reason":"cut \ud83d and \udc00, \ud83d\ude80 and \\u0000 and \\ud83d"}`
  expect((await admin.browser.call('PUT', path, half)).status).toBe(200)
  const { locked_reason: reason } = await db
    .selectFrom('users')
    .where('id', '=', id)
    .select('locked_reason')
    .executeTakeFirstOrThrow()
  expect(reason).toBe(String.raw`cut � and �, 🚀 and \u0000 and \ud83d`)
  const verify = await student.browser.call('POST', '/api/functions/verify-payment', String.raw`{"sessionId":"\ud800"}`)
  expect(verify.status).toBeLessThan(500)
  const nul = await admin.browser.call('PUT', path, String.raw`{"reason":"\\\u0000"}`)
  expect(nul.status).toBe(400)
})

/** Every reply matches its schema exactly or is a described failure. */
function expectDescribed(call: Endpoint, { status, body, headers }: Reply) {
  if (headers.get('content-type')?.startsWith('application/json') !== true) return
  const parsed = (status < 400 ? call.reply : Failed).safeParse(body)
  expect({ call: `${call.method} ${call.path}`, status, problems: parsed.error?.issues ?? [] }).toMatchObject({
    problems: [],
  })
}

test.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s answers anything with its form, never with a 500',
  async (_name, call) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { minLength: 4, maxLength: 4 }),
        body,
        asked,
        fc.constantFrom('guest', 'student', 'admin'),
        async (segments, sent, query, who) => {
          let used = 0
          const path = call.path.replaceAll(/:\w+/g, () =>
            encodeURIComponent(segments[used++]!.replaceAll(/[\uD800-\uDFFF]/g, 'x')),
          )
          // A client resolves '..' before it asks; what is above our calls is a page.
          if (!new URL(path, app.url).pathname.startsWith('/api/')) return
          const visitor = who === 'guest' ? app.visitor() : who === 'student' ? student.browser : admin.browser
          const search = new URLSearchParams(query).toString()
          const reply = await visitor.call(
            call.method,
            search === '' ? path : `${path}?${search}`,
            call.method === 'GET' ? undefined : (JSON.stringify(sent) ?? 'null'),
          )
          expectDescribed(call, reply)
          const { error } = reply.body as { error?: { code: string; fields?: unknown[] } }
          const namesNoField = error?.code === 'request.invalid' && (error.fields ?? []).length === 0
          // CSV is the only reply that is not JSON.
          const isTable = reply.status === 200 && reply.headers.get('content-type')?.startsWith('text/csv') === true
          const form = isTable ? 'table' : typeof reply.body
          expect({ status: reply.status < 500, form, namesNoField, reply }).toMatchObject({
            status: true,
            form: isTable ? 'table' : 'object',
            namesNoField: false,
          })
        },
      ),
      { numRuns: 40 },
    )
  },
)
