import { selecting } from '../../../tests/support/answers.ts'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { aStudent, giveAccess } from '../../../tests/support/users.ts'
import { hashOfToken, sessionCookieValue } from '../../features/accounts/sessions/session-cookie-queries.server.ts'
import { openSession } from '../../features/accounts/sessions/sessions-commands.server.ts'
import { AttemptView } from '../../features/attempts/attempts.schema.ts'
import { closeOverdueAttempts } from '../../features/attempts/close-attempts-commands.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db } = app.services.database
const course = await aCourse(db)
const exam = await anExam(db, course.id)
const [first, second] = [exam.questions[0]!, exam.questions[1]!]

async function aLearner(mode: 'timed' | 'practice' = 'timed') {
  const { id, browser } = await aStudent(app)
  await giveAccess(app, { id }, course.id)
  const attempt = AttemptView.parse((await browser.post('/api/attempts', { examSlug: exam.slug, mode })).body)
  const token = await openSession(db, { userId: id, now: app.clock.now(), networkAddress: '', userAgent: null })
  return { id, browser, attemptId: attempt.id, token, cookie: cookieOf(token) }
}

const cookieOf = (token: string) =>
  `altocert.session_token=${encodeURIComponent(sessionCookieValue(token, app.services.secret))}`
let seq = 0
/** A valid answer, newer than all before it; a case changes only its own fault. */
const answerOf = (put: object = {}) =>
  JSON.stringify({
    answer: selecting(first.options[0]!.id),
    isFlagged: false,
    struck: [],
    seq: ++seq,
    writer: 'tab',
    ...put,
  })

type Sent = {
  path?: string
  body?: () => string
  headers?: Record<string, string | undefined>
  isChunked?: boolean
}

/** The raw reply without the parts that always differ: date, request id, clock and sequence number. */
function send(path: string, { body: bodyOf = answerOf, headers = {}, isChunked = false }: Sent) {
  const body = bodyOf()
  return new Promise<{ status: number; headers: string[]; body: string }>((resolve, reject) => {
    const all = {
      origin: app.url,
      'content-type': 'application/json',
      ...(isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    }
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    const sent = request(
      `${app.url}${path}`,
      { method: 'PUT', headers: given as Record<string, string> },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => {
          const { rawHeaders } = response
          const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1] ?? ''}`] : []))
          const id = response.headers['x-request-id']
          expect(id).toMatch(/^[0-9a-f-]{36}$/)
          resolve({
            status: response.statusCode ?? 0,
            headers: lines.filter((line) => !/^(date|x-request-id):/i.test(line)).toSorted(),
            body: text
              .replaceAll(String(id), 'ID')
              .replace(/"now":"[^"]*"/, '"now":"NOW"')
              .replace(/"remainingSeconds":\d+/, '"remainingSeconds":N')
              .replace(/"seq":\d+/, '"seq":N'),
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

test('the fast path and the slow path reply to every faulty save with the same bytes', async () => {
  const [own, other, ended, finished, overdue, practice] = [
    await aLearner(),
    await aLearner(),
    await aLearner(),
    await aLearner(),
    await aLearner(),
    await aLearner('practice'),
  ]
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date(0) })
    .where('token_hash', '=', hashOfToken(ended.token))
    .execute()
  await finished.browser.post(`/api/attempts/${finished.attemptId}/finish`, { writer: 'tab' })
  await db
    .updateTable('attempts')
    .set({ deadline_at: new Date(0) })
    .where('id', '=', overdue.attemptId)
    .execute()
  await closeOverdueAttempts(db, app.clock.now())
  await practice.browser.post(`/api/attempts/${practice.attemptId}/answers/${first.id}/check`, {
    answer: JSON.parse(answerOf()) as unknown,
  })
  const path = (of = own, questionId = first.id) => `/api/attempts/${of.attemptId}/answers/${questionId}`
  expect((await send(path(), { headers: { cookie: own.cookie } })).status).toBe(200)

  const cases: Record<string, Sent & { expected: number }> = {
    'no session': { expected: 401 },
    'a session that has ended': { expected: 401, path: path(ended), headers: { cookie: ended.cookie } },
    'a session nobody opened': { expected: 401, headers: { cookie: cookieOf(randomUUID()) } },
    'a cookie that was tampered with': { expected: 401, headers: { cookie: `${own.cookie}x` } },
    'a guest cookie that was tampered with': { expected: 401, headers: { cookie: 'altocert_guest=a.b' } },
    'an attempt of somebody else': { expected: 404, headers: { cookie: other.cookie } },
    'an attempt that is not there': { expected: 404, path: path({ ...own, attemptId: randomUUID() }) },
    'an attempt with a malformed id': { expected: 404, path: path({ ...own, attemptId: 'abc' }) },
    'a question that is not there': { expected: 400, path: path(own, 'nothing') },
    'a question that needs decoding': { expected: 400, path: path(own, '%20') },
    'an empty question': { expected: 404, path: path(own, '') },
    'an answer of another question': {
      expected: 400,
      body: () => answerOf({ answer: selecting(second.options[0]!.id) }),
    },
    'two answers of a single choice': {
      expected: 400,
      body: () => answerOf({ answer: selecting(...first.options.slice(0, 2).map(({ id }) => id)) }),
    },
    'no number': { expected: 400, body: () => answerOf({ seq: undefined }) },
    'a number that is none': { expected: 400, body: () => answerOf({ seq: 0.5 }) },
    'a writer without a name': { expected: 400, body: () => answerOf({ writer: '' }) },
    'a list': { expected: 400, body: () => '[]' },
    null: { expected: 400, body: () => 'null' },
    nothing: { expected: 400, body: () => '' },
    'no JSON': { expected: 400, body: () => '{"answer":' },
    'the character NUL': { expected: 400, body: () => answerOf({ note: '\u0000' }) },
    'a byte that is no text': { expected: 200, body: () => answerOf({ note: '\ud800' }) },
    'a mark of byte order': { expected: 200, body: () => `\ufeff${answerOf()}` },
    'too much': { expected: 413, body: () => answerOf({ note: 'x'.repeat(300_000) }) },
    'much, but not too much': { expected: 200, body: () => answerOf({ padding: 'x'.repeat(30_000) }) },
    'a length that is not said': { expected: 200, isChunked: true },
    'another site': { expected: 403, headers: { origin: 'https://evil.example' } },
    'no origin': { expected: 403, headers: { origin: undefined } },
    'a foreign host': { expected: 421, headers: { host: 'shop.example.com' } },
    'a forwarded request': { expected: 421, headers: { 'x-forwarded-for': '203.0.113.9' } },
    'a browser that takes compressed replies': { expected: 200, headers: { 'accept-encoding': 'gzip, deflate, br' } },
    'an exam that has been submitted': { expected: 409, path: path(finished), headers: { cookie: finished.cookie } },
    'an exam whose time is over': { expected: 409, path: path(overdue), headers: { cookie: overdue.cookie } },
    'an answer that was checked': {
      expected: 409,
      path: path(practice),
      headers: { cookie: practice.cookie },
      body: () => answerOf({ answer: selecting(first.options[1]!.id) }),
    },
    'an older save': { expected: 200, body: () => answerOf({ seq: 1 }) },
    'a number from the future': { expected: 400, body: () => answerOf({ seq: Number.MAX_SAFE_INTEGER }) },
    'a great number': { expected: 200, body: () => answerOf({ seq: 1_000_000 }) },
    'the same save again': { expected: 200, body: () => answerOf({ seq: 1_000_000 }) },
  }
  const asOwner = ['no session', 'a session nobody opened']
  for (const [name, { expected, path: to = path(), ...sent }] of Object.entries(cases)) {
    const headers = { ...(asOwner.includes(name) ? {} : { cookie: own.cookie }), ...sent.headers }
    // The query is ignored, and the fast path leaves such requests to the slow path.
    const [short, long] = [await send(to, { ...sent, headers }), await send(`${to}?way=long`, { ...sent, headers })]
    expect([name, short.status]).toEqual([name, expected])
    expect([name, short]).toEqual([name, long])
  }
})

test('both paths reply to a successful save with the same bytes and store it', async () => {
  const [one, two] = [await aLearner(), await aLearner()]
  const save = ({ attemptId, cookie }: typeof one, end: string) =>
    send(`/api/attempts/${attemptId}/answers/${first.id}${end}`, { headers: { cookie } })
  const [short, long] = [await save(one, ''), await save(two, '?way=long')]
  expect(short.status).toBe(200)
  expect(short).toEqual(long)
  for (const { browser, attemptId } of [one, two])
    expect(AttemptView.parse((await browser.get(`/api/attempts/${attemptId}`)).body).answers).toEqual({
      [first.id]: {
        answer: selecting(first.options[0]!.id),
        isFlagged: false,
        struck: [],
        note: '',
        confidence: null,
        activeMs: 0,
        seq: expect.any(Number) as number,
        isChecked: false,
      },
    })
})

test('a session that ended in any way is refused at the next save', async () => {
  const [here, elsewhere] = [await aLearner(), await aLearner()]
  const save = (of: typeof here) =>
    send(`/api/attempts/${of.attemptId}/answers/${first.id}`, { headers: { cookie: of.cookie } })
  expect([(await save(here)).status, (await save(elsewhere)).status]).toEqual([200, 200])
  const out = await fetch(`${app.url}/api/auth/sign-out`, {
    method: 'POST',
    headers: { origin: app.url, cookie: here.cookie },
  })
  expect(out.status).toBe(200)
  await db.deleteFrom('sessions').where('token_hash', '=', hashOfToken(elsewhere.token)).execute()
  expect([(await save(here)).status, (await save(elsewhere)).status]).toEqual([401, 401])
})

test('a save that the database refuses does not affect the others of its batch', async () => {
  const learners = await Promise.all(Array.from({ length: 6 }, () => aLearner()))
  const bad = learners[3]!
  await app.services.database.pool.query(`
    create function refuse_poison() returns trigger language plpgsql as
      $$ begin raise exception 'poison'; end $$;
    create trigger refuse_poison before insert on attempt_answers for each row
      when (new.writer = 'poison') execute function refuse_poison()`)
  const replies = await Promise.all(
    learners.map((learner) =>
      send(`/api/attempts/${learner.attemptId}/answers/${first.id}`, {
        headers: { cookie: learner.cookie },
        body: () => answerOf({ writer: learner === bad ? 'poison' : 'tab' }),
      }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(learners.map((learner) => (learner === bad ? 500 : 200)))
})
