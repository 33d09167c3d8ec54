import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp, type Visitor } from '../../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../../tests/support/build-course.ts'
import { anAdmin, aStudent, giveAccess } from '../../../../tests/support/users.ts'
import type { UserId } from '../../../lib/ids.ts'
import { findReported, listReports } from './question-reports-queries.server.ts'
import { MAX_SETTLE_NOTE_LENGTH, ReportFilter } from './question-reports.schema.ts'
import { MAX_WORDS_LENGTH, REPORT_REASONS } from './report-reasons.ts'

const app = await startApp()
const { db } = app.services.database
const course = await aCourse(db)
const exam = await anExam(db, course.id)
const admin = await anAdmin(app)
const questionId = exam.questions[2]!.id

const startExam = async (browser: Visitor, mode: string) =>
  ((await browser.post('/api/attempts', { examSlug: exam.slug, mode })).body as { id: string }).id

async function aTaker() {
  const learner = await aStudent(app)
  await giveAccess(app, learner, course.id)
  const attemptId = await startExam(learner.browser, 'practice')
  await learner.browser.post(`/api/attempts/${attemptId}/finish`)
  return { ...learner, attemptId }
}
type Taker = Awaited<ReturnType<typeof aTaker>>

const report = (taker: Taker, body: unknown, question = questionId) =>
  taker.browser.put(`/api/attempts/${taker.attemptId}/reports/${question}`, body)
const settle = (reportId: string, body: unknown, by = admin) => by.browser.post(`/api/reports/${reportId}/settle`, body)
const rowsOf = (user: { id: UserId }) =>
  db
    .selectFrom('question_reports')
    .where('user_id', '=', user.id)
    .orderBy('reported_at')
    .select(['id', 'reason', 'words', 'outcome'])
    .execute()
const all = async (state: 'open' | 'settled') => (await listReports(db, { state, after: null }, 1000)).reports
const mailsTo = async (address: string) => {
  const reply = await app.visitor().get('/demo/outbox', { accept: 'application/json' })
  return (reply.body as { to: string }[]).filter(({ to }) => to.includes(address)).length
}

test('the list shows a report with its question, its reason and its number in the order that the reporter saw', async () => {
  const taker = await aTaker()
  expect(await report(taker, { reason: 'wrong-key', words: '  B is right.  ' })).toMatchObject({ status: 200 })
  const [row] = await rowsOf(taker)
  expect((await all('open')).find(({ id }) => id === row?.id)).toMatchObject({
    reason: 'wrong-key',
    words: 'B is right.',
    reporter: { name: 'Test Person', email: taker.email },
    examId: exam.id,
    attemptId: taker.attemptId,
    hasReview: true,
    questionNumber: 3,
    stem: 'Question number 3?',
    settled: null,
  })
  expect(await findReported(db, { attemptId: taker.attemptId, userId: taker.id })).toEqual([questionId])
})

test('reporting again, many times at once or from another attempt, changes the one open report', async () => {
  const taker = await aTaker()
  const replies = await Promise.all(REPORT_REASONS.map((reason) => report(taker, { reason, words: 'Look.' })))
  expect(replies.map(({ status }) => status)).toEqual(REPORT_REASONS.map(() => 200))
  expect(await rowsOf(taker)).toHaveLength(1)
  const later = { ...taker, attemptId: await startExam(taker.browser, 'practice') }
  expect((await report(later, { reason: 'link' })).status).toBe(200)
  expect(await rowsOf(taker)).toMatchObject([{ reason: 'link', words: '' }])
  expect(await findReported(db, { attemptId: taker.attemptId, userId: taker.id })).toEqual([questionId])
})

test('the reason is one of the list, and the length of the words is limited', async () => {
  const taker = await aTaker()
  const problemOf = async (body: unknown) => {
    const reply = await report(taker, body)
    return [reply.status, (reply.body as { error?: { fields?: { field: string }[] } }).error?.fields?.[0]?.field]
  }
  for (const reason of ['', 'boring', null, ['link']]) expect(await problemOf({ reason })).toEqual([400, 'reason'])
  expect(await problemOf({ reason: 'other' })).toEqual([400, 'words'])
  expect(await problemOf({ reason: 'other', words: ' \n\t ' })).toEqual([400, 'words'])
  expect(await problemOf({ reason: 'link', words: 'x'.repeat(MAX_WORDS_LENGTH + 1) })).toEqual([400, 'words'])
  expect(await rowsOf(taker)).toEqual([])
  expect(await problemOf({ reason: 'other', words: 'x' })).toEqual([200, undefined])
  expect(await problemOf({ reason: 'link', words: `  ${'x'.repeat(MAX_WORDS_LENGTH)}  ` })).toEqual([200, undefined])
  const markup = '<script>alert(1)</script> & "quotes"'
  expect(await problemOf({ reason: 'unclear', words: markup })).toEqual([200, undefined])
  expect(await rowsOf(taker)).toMatchObject([{ words: markup }])
})

test('a user can report only questions of their own attempts, and a guest is asked to sign in', async () => {
  const [taker, other] = [await aTaker(), await aTaker()]
  const unknown = await report(taker, { reason: 'link' }, 'no-such-question')
  expect(unknown).toMatchObject({ status: 400, body: { error: { code: 'attempt.unknown-question' } } })
  expect((await report({ ...other, attemptId: taker.attemptId }, { reason: 'link' })).status).toBe(404)
  expect((await report({ ...taker, browser: app.visitor() }, { reason: 'link' })).status).toBe(401)
  expect(await findReported(db, { attemptId: taker.attemptId, userId: other.id })).toBeNull()
})

test('settling a report emails its reporter once, names the admin, and is in the audit log', async () => {
  const taker = await aTaker()
  await report(taker, { reason: 'outdated' })
  const [row] = await rowsOf(taker)
  const id = row!.id
  const ending = { outcome: 'corrected', note: 'The limit is 15 minutes now <see the guide>.' }
  // Earlier builds send 'mended' for 'corrected'.
  const former = { ...ending, outcome: 'mended' }
  const replies = await Promise.all([settle(id, ending), settle(id, former), settle(id, ending)])
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  const mail = await app.mailTo(taker.email)
  expect(mail.subject).toBe('Your report of a question: corrected')
  expect(mail.text).toContain(ending.note)
  expect(mail.text).toContain(`${app.url}/exam-review/${taker.attemptId}#question-3`)
  expect(mail.html).toContain('&lt;see the guide&gt;')
  expect(await mailsTo(taker.email)).toBe(1)
  expect((await all('settled')).find((one) => one.id === id)?.settled).toMatchObject({
    by: admin.email,
    outcome: 'corrected',
    note: ending.note,
  })
  const lines = await db.selectFrom('audit_log').where('subject_id', '=', id).select(['actor_id', 'action']).execute()
  expect(lines).toEqual([{ actor_id: admin.id, action: 'report.settle' }])

  const differently = await settle(id, { outcome: 'unchanged', note: 'No.' })
  expect(differently).toMatchObject({ status: 409, body: { error: { code: 'report.settled' } } })
})

test('a question whose report was settled can be reported again', async () => {
  const taker = await aTaker()
  await report(taker, { reason: 'outdated' })
  await settle((await rowsOf(taker))[0]!.id, { outcome: 'unchanged', note: 'It is current.' })
  expect(await findReported(db, { attemptId: taker.attemptId, userId: taker.id })).toEqual([])
  await report(taker, { reason: 'wrong-key' })
  expect((await rowsOf(taker)).map(({ outcome }) => outcome)).toEqual(['unchanged', null])
})

test('settling asks for an outcome of the list and a note within its bounds, and an unknown report is not found', async () => {
  const taker = await aTaker()
  await report(taker, { reason: 'link' })
  const id = (await rowsOf(taker))[0]!.id
  const bad = [
    [{ outcome: 'unchanged' }, 'note'],
    [{ outcome: 'unchanged', note: '   ' }, 'note'],
    [{ outcome: 'unchanged', note: 'x'.repeat(MAX_SETTLE_NOTE_LENGTH + 1) }, 'note'],
    [{ outcome: 'lost', note: 'x' }, 'outcome'],
  ] as const
  for (const [body, field] of bad)
    expect(await settle(id, body)).toMatchObject({ status: 400, body: { error: { fields: [{ field }] } } })
  for (const nothing of ['00000000-0000-4000-8000-000000000000', 'x'])
    expect((await settle(nothing, { outcome: 'unchanged', note: 'x' })).status).toBe(404)
  expect((await settle(id, { outcome: 'unchanged', note: 'x' }, taker)).status).toBe(403)
  expect((await settle(id, { outcome: 'unchanged', note: 'x'.repeat(MAX_SETTLE_NOTE_LENGTH) })).status).toBe(200)
})

test('open reports come oldest first, settled ones newest first, and each page continues after the previous one', async () => {
  for (let count = 0; count < 3; count++) await report(await aTaker(), { reason: 'link' })
  for (const state of ['open', 'settled'] as const) {
    const whole = await all(state)
    const seen: string[] = []
    let after: string | null = null
    do {
      const page = await listReports(db, ReportFilter.parse({ state, after }), 2)
      seen.push(...page.reports.map(({ id }) => id))
      after = page.next
    } while (after !== null)
    expect(seen).toEqual(whole.map(({ id }) => id))
    const times = whole.map(({ reportedAt, settled }) => settled?.at ?? reportedAt)
    expect(times).toEqual(state === 'open' ? times.toSorted() : times.toSorted().toReversed())
  }
  for (const after of ['x~y', `-200000-01-01T00:00:00.000Z~${randomUUID()}`])
    expect(ReportFilter.parse({ state: 'lost', after })).toEqual({ state: 'open', after: null })
})
