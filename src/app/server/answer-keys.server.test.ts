import { randomUUID } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { selecting } from '../../../tests/support/answers.ts'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../../../tests/support/build-course.ts'
import { listPages, realPages } from '../../../tests/support/real-pages.ts'
import { startApp, type Visitor } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess, type SignedIn } from '../../../tests/support/users.ts'
import { PAGE_END_HEADER } from '../../lib/page-end.ts'
import { after, DAY_MS } from '../../lib/time.ts'

/*
 * Every call and page that learners and guests can reach, asked by learners whose access never ran, runs, has ended or was
 * refunded: which of them shows an answer key or an explanation? New calls and pages are asked without a change here.
 */

const app = await startApp({ LOG_LEVEL: 'fatal' }, await realPages())
const { db } = app.services.database
const course = await aCourse(db)

/** Explanations and links that are in no other text. */
const hidden = (mark: string) =>
  [1, 2, 3].map((number) => ({
    ...aQuestion(number),
    explanation: `SECRET-${mark}-EXPLANATION`,
    url: `https://secret-${mark}.example.com/`,
  }))
const paid = await anExam(db, course.id, { isFreeTrial: false, questions: hidden('PAID') })
const trial = await anExam(db, course.id, { isFreeTrial: true, questions: hidden('TRIAL') })
/** A free trial when it was taken, and none any more. */
const former = await anExam(db, course.id, { isFreeTrial: true, questions: hidden('FORMER') })
const KEYS = /SECRET-(PAID|FORMER)|secret-(paid|former)/i
const PUBLIC_KEYS = /SECRET-TRIAL/

const admin = await anAdmin(app)
const guest = app.visitor()
type Person = {
  readonly name: string
  readonly browser: Visitor
  readonly ids: Readonly<Record<string, readonly string[]>>
}

async function call(browser: Visitor, path: string, body: unknown, method = 'POST'): Promise<Record<string, unknown>> {
  const reply = await browser.call(method, path, body)
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body as Record<string, unknown>
}

/** Takes an exam: one question is checked, so that its key has been shown. */
async function take(browser: Visitor, exam: BuiltExam, mode: string, isFinished = true): Promise<string> {
  const id = String((await call(browser, '/api/attempts', { examSlug: exam.slug, mode }))['id'])
  const [question] = exam.questions
  const answer = { answer: selecting(question!.options[0]!.id), isFlagged: true, seq: 1, writer: 'w' }
  await call(browser, `/api/attempts/${id}/answers/${question!.id}`, answer, 'PUT')
  if (mode !== 'timed') await call(browser, `/api/attempts/${id}/answers/${question!.id}/check`, {})
  if (isFinished) await call(browser, `/api/attempts/${id}/finish`, {})
  return id
}

async function offlineAttempt(browser: Visitor): Promise<string> {
  const issued = (await browser.get(`/api/offline-exams/${paid.slug}`)).body as { seed: number; signature: string }
  const at = app.clock.now().toISOString()
  const times = { startedAt: at, finishedAt: at }
  const { seed, signature } = issued
  const attempt = { id: randomUUID(), examId: paid.id, seed, signature, ...times, answers: {} }
  return String((await call(browser, '/api/offline-attempts', attempt))['attemptId'])
}

/** A drill whose keys were shown but for the last question, whose check would finish it. One of them is of the course: the order is random. */
async function aDrill(browser: Visitor, isFinished: boolean): Promise<string> {
  const drill = await call(browser, '/api/drills', { courseSlug: course.slug, filters: {} })
  const id = String(drill['id'])
  const questions = drill['questions'] as { place: number; question: { options: { id: string }[] } }[]
  for (const { place, question } of questions.slice(0, -1))
    await call(browser, `/api/drills/${id}/questions/${place}/check`, { answer: selecting(question.options[0]!.id) })
  if (isFinished) await call(browser, `/api/drills/${id}/finish`, {})
  return id
}

/** A finished diagnostic of all questions that are new to the learner. */
async function aDiagnostic(browser: Visitor): Promise<string> {
  let view = await call(browser, '/api/diagnostics', { courseSlug: course.slug })
  for (let place = 0; view['question'] !== null; place++)
    view = await call(browser, `/api/diagnostics/${String(view['id'])}/questions/${place}/answer`, { answer: null })
  return String(view['id'])
}

const previews = async (browser: Visitor) => [
  await take(browser, trial, 'preview'),
  await take(browser, former, 'preview'),
]

/** Somebody who studied everything there is, finished and unfinished, while their access ran. */
async function anOwner(name: string): Promise<Person & SignedIn> {
  const user = await aStudent(app)
  const { browser } = user
  await giveAccess(app, user, course.id)
  const diagnosticId = [await aDiagnostic(browser)]
  const attemptId = [
    await take(browser, paid, 'practice'),
    await take(browser, paid, 'timed'),
    await take(browser, paid, 'practice', false),
    await offlineAttempt(browser),
    ...(await previews(browser)),
  ]
  const drillId = [await aDrill(browser, true), await aDrill(browser, false)]
  await call(browser, `/api/attempts/${attemptId[0]}/reports/${paid.questions[0]!.id}`, { reason: 'unclear' }, 'PUT')
  return { ...user, name, ids: { attemptId, drillId, diagnosticId } }
}

const buyer = await aStudent(app)
const never: Person = {
  name: 'never bought',
  browser: buyer.browser,
  ids: { attemptId: await previews(buyer.browser) },
}
const visitor: Person = { name: 'guest', browser: guest, ids: { attemptId: await previews(guest) } }
const [running, ended, refunded] = [
  await anOwner('access running'),
  await anOwner('access ended'),
  await anOwner('refunded'),
]
const yesterday = after(app.clock.now(), -DAY_MS)
await db
  .updateTable('access_periods')
  .set({ starts_at: after(yesterday, -30 * DAY_MS), ends_at: yesterday })
  .where('user_id', '=', ended.id)
  .execute()
await db.updateTable('access_periods').set({ revoked_at: yesterday }).where('user_id', '=', refunded.id).execute()
await call(admin.browser, `/api/test_questions/${former.id}`, { is_free_trial: false }, 'PATCH')

/** What each parameter of a path can be: the caller's own, and those of the one whose access runs. */
function valuesOf({ ids }: Person): Readonly<Record<string, readonly string[]>> {
  const both = (name: string) => [...new Set([...(ids[name] ?? []), ...(running.ids[name] ?? [])])]
  return {
    attemptId: both('attemptId'),
    drillId: both('drillId'),
    questionId: [paid.questions[0]!.id, paid.questions[1]!.id, former.questions[0]!.id],
    place: ['0', '1'],
    courseId: [course.id, course.slug],
    courseSlug: [course.slug],
    examId: [paid.id],
    examSlug: [paid.slug, former.slug, trial.slug],
    mode: ['practice', 'timed', 'preview'],
  }
}

/** Every path that a pattern and these values make. A parameter that nothing is known of gets an id of nothing. */
function pathsOf(pattern: string, values: Readonly<Record<string, readonly string[]>>): string[] {
  const param = /:(\w+)|\*/.exec(pattern)
  if (param === null) return [pattern]
  return (values[param[1] ?? ''] ?? [randomUUID()]).flatMap((value) =>
    pathsOf(pattern.replace(param[0], value), values),
  )
}

/** Bodies that calls need to get as far as a key. Calls without one here are asked with an empty body. */
const bodies: Record<string, unknown> = {
  'POST /api/attempts': { examSlug: paid.slug, mode: 'practice' },
  'POST /api/attempts/:attemptId/writer': { writer: 'w' },
  'POST /api/attempts/:attemptId/answers/:questionId/check': { writer: 'w' },
  'POST /api/drills': { courseSlug: course.slug, filters: {} },
  'POST /api/diagnostics': { courseSlug: course.slug, isAnew: true },
  'POST /api/diagnostics/:diagnosticId/questions/:place/answer': { answer: null },
  'POST /api/mock-exams': { courseSlug: course.slug, kind: 'mock' },
  'POST /api/drills/:drillId/questions/:place/check': { answer: selecting(paid.questions[0]!.options[0]!.id) },
  'PUT /api/drills/:drillId/questions/:place/flag': { isFlagged: true },
}
const queries: Record<string, string> = {
  'GET /api/test_questions': `?course_id=${course.id}`,
}

function textOf({ body }: { body: unknown }): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

const calls = app.application.endpoints
  .filter(({ path }) => !/sign-out|deletion/.test(path))
  .map(({ method, path }) => `${method} ${path}`)

/** The calls that showed this person a key of a course. */
async function showingCalls(person: Person): Promise<string[]> {
  const shown = new Set<string>()
  for (const name of calls) {
    const [method = '', pattern = ''] = name.split(' ')
    for (const path of pathsOf(pattern, valuesOf(person))) {
      const body = method === 'GET' ? undefined : (bodies[name] ?? {})
      const reply = await person.browser.call(method, `${path}${queries[name] ?? ''}`, body)
      if (reply.status >= 500) throw new Error(`${method} ${path}: ${textOf(reply)}`)
      if (KEYS.test(textOf(reply))) shown.add(name)
    }
  }
  return [...shown].sort()
}

/** The pages that showed this person a key of a course, as a document, as data, or as the data of one of their parts. */
async function showingPages(person: Person): Promise<string[]> {
  const shown = new Set<string>()
  for (const { pattern, chain } of listPages())
    for (const path of pathsOf(pattern, valuesOf(person))) {
      const data = path === '/' ? '/_root.data' : `${path}.data`
      const parts = chain.map((id) => `${data}?_routes=${encodeURIComponent(id)}`)
      const guestResults = person.ids['attemptId']?.map((id) => `${path}?attempt=${id}`) ?? []
      const isExam = pattern.endsWith('/:mode')
      for (const address of [path, data, ...parts, ...(isExam ? guestResults : [])]) {
        const reply = await person.browser.get(address)
        if (reply.status >= 500) throw new Error(`${address}: ${textOf(reply).slice(0, 500)}`)
        if (KEYS.test(textOf(reply))) shown.add(pattern)
      }
    }
  return [...shown].sort()
}

test('while access runs, keys are shown by the calls and pages that are made for it, and by no others', async () => {
  // An open practice holds the keys of the questions that were checked, as the call that starts it does.
  expect(await showingPages(running)).toEqual([
    '/course/:courseSlug/diagnostic',
    '/course/:courseSlug/drill/:drillId',
    '/course/:courseSlug/exam/:examSlug/:mode',
    '/exam-review/:attemptId',
    '/exam/:examSlug/:mode',
  ])
  expect(await showingCalls(running)).toEqual([
    'GET /api/attempts/:attemptId',
    'GET /api/attempts/:attemptId/review',
    'GET /api/drills/:drillId',
    'GET /api/offline-exams/:examSlug',
    'POST /api/attempts',
    'POST /api/attempts/:attemptId/answers/:questionId/check',
    'POST /api/attempts/:attemptId/writer',
    'POST /api/drills',
    'POST /api/drills/:drillId/finish',
    'POST /api/drills/:drillId/questions/:place/check',
  ])
})

test.each([visitor, never, ended, refunded])(
  'no call and no page shows an answer key: $name',
  async (person) => {
    expect({ pages: await showingPages(person), calls: await showingCalls(person) }).toEqual({ pages: [], calls: [] })
  },
  120_000,
)

test('the keys of a free trial are public, and those of an exam that was one are not any more', async () => {
  for (const { browser, ids } of [visitor, never, ended, refunded]) {
    const [ofTrial, ofFormer] = (ids['attemptId'] ?? []).slice(-2)
    expect(textOf(await browser.get(`/api/attempts/${ofTrial}/review`))).toMatch(PUBLIC_KEYS)
    const review = await browser.get(`/api/attempts/${ofFormer}/review`)
    expect(review.status).toBe(200)
    expect((review.body as { withheld: string }).withheld).toMatch(/none|ended/)
  }
  expect(textOf(await running.browser.get(`/api/attempts/${running.ids['attemptId']!.at(-1)}/review`))).toMatch(KEYS)
})

test('the export of one’s own data holds no answer key', async () => {
  for (const { browser } of [never, running, ended, refunded]) {
    expect(textOf(await browser.get('/api/profiles/me/data'))).not.toMatch(KEYS)
    const reply = await fetch(`${app.url}/api/profiles/me/data?format=csv`, { headers: { cookie: browser.cookies } })
    const files = Object.values(unzipSync(new Uint8Array(await reply.arrayBuffer()))).map((file) => strFromU8(file))
    expect(files.length).toBeGreaterThan(3)
    expect(files.join('\n')).not.toMatch(KEYS)
  }
})

test('a stored review with answer keys says when access ends; one without needs no end', async () => {
  const endOf = async ({ browser, ids }: Person, index = 0) =>
    (await browser.get(`/exam-review/${ids['attemptId']?.at(index)}`)).headers.get(PAGE_END_HEADER)
  const { ends_at } = await db
    .selectFrom('access_periods')
    .where('user_id', '=', running.id)
    .select('ends_at')
    .executeTakeFirstOrThrow()
  expect(await endOf(running)).toBe(ends_at.toISOString())
  const data = await running.browser.get(`/exam-review/${running.ids['attemptId']![0]}.data`)
  expect(data.headers.get(PAGE_END_HEADER)).toBe(ends_at.toISOString())
  expect(await endOf(ended)).toBeNull()
  expect(await endOf(running, -2)).toBeNull()
})
