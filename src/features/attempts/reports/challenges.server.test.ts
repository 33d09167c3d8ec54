import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess } from '../../../../tests/support/users.ts'
import { errataFor } from './errata.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { courseErrata } from './errata-queries.server.ts'
import { listReports } from './question-reports-queries.server.ts'
import { listEvidence } from './report-evidence-queries.server.ts'
import { MAX_OPEN_REPORTS, MAX_SOURCE_LENGTH } from './report-reasons.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const today = () => app.clock.now().toISOString().slice(0, 10)
const source = 'https://docs.example.com/limits.html#quota'

async function aTakerOf(questionCount = 4, domain = 'Odd') {
  const course = await aCourse(db)
  const exam = await anExam(db, course.id, {
    questions: Array.from({ length: questionCount }, (_, index) => aQuestion(index + 1, { domain })),
  })
  return { course, exam, ...(await anotherTakerOf(course, exam)) }
}

async function anotherTakerOf(course: { id: string }, exam: { slug: string }) {
  const learner = await aStudent(app)
  await giveAccess(app, learner, course.id)
  const started = await learner.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice' })
  return { learner, attemptId: (started.body as { id: string }).id }
}
type Taker = Awaited<ReturnType<typeof aTakerOf>>

/** The first option is right; a learner claims another one. */
const claimOf = ({ exam }: Taker, place: number, option = 1) => ({
  type: 'choice',
  optionIds: [exam.questions[place]!.options[option]!.id],
})
const challenge = (taker: Taker, place: number, more: object = {}) =>
  taker.learner.browser.put(`/api/attempts/${taker.attemptId}/reports/${taker.exam.questions[place]!.id}`, {
    reason: 'wrong-key',
    source,
    claim: claimOf(taker, place),
    ...more,
  })
const reportsOf = async (taker: Taker) =>
  (await listReports(db, { state: 'open', after: null }, 1000)).reports.filter(
    ({ familyId }) => familyId === taker.exam.id,
  )
const settle = (id: string, body: object) => admin.browser.post(`/api/reports/${id}/settle`, body)
const errataOf = (taker: Taker, mayRead: boolean) =>
  courseErrata.read(db, taker.course.id).then((records) => errataFor(records, mayRead))
const correctKey = ({ exam }: Taker, place: number) =>
  admin.browser.post(`/api/exams/${exam.id}/questions/${exam.questions[place]!.id}/key`, {
    id: randomUUID(),
    answerKey: { type: 'choice', optionIds: [exam.questions[place]!.options[1]!.id] },
    wasAnswerKey: { type: 'choice', optionIds: [exam.questions[place]!.options[0]!.id] },
    explanation: null,
    reason: 'SECRET-REASON',
  })

test('a claim without a source is refused at its field, and so is a source that is no address of a page', async () => {
  const taker = await aTakerOf()
  const bad = [
    '',
    '   ',
    'the guide',
    'ftp://docs.example.com',
    'https://localhost',
    'javascript:alert(1)',
    undefined,
    null,
  ]
  for (const one of [
    ...bad,
    'https://docs.example.com@evil.example',
    `https://docs.example.com/${'x'.repeat(MAX_SOURCE_LENGTH)}`,
  ])
    expect(await challenge(taker, 0, { source: one })).toMatchObject({
      status: 400,
      body: { error: { fields: [{ field: 'source' }] } },
    })
  expect(await reportsOf(taker)).toEqual([])
  // A report that claims nothing needs no source.
  expect((await challenge(taker, 0, { source: '', claim: null })).status).toBe(200)
  expect(await reportsOf(taker)).toMatchObject([{ source: null, claim: null }])
})

test('a claim names parts of the question, for a reason that an answer can settle', async () => {
  const taker = await aTakerOf()
  const strange = { type: 'choice', optionIds: ['no-such-option'] }
  expect(await challenge(taker, 0, { claim: strange })).toMatchObject({
    body: { error: { fields: [{ field: 'claim' }] } },
  })
  expect(await challenge(taker, 0, { reason: 'link' })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'claim' }] } },
  })
  expect(await reportsOf(taker)).toEqual([])
})

test('the reply to a claim says nothing about the answer key', async () => {
  const taker = await aTakerOf()
  const replies = [await challenge(taker, 0, { claim: claimOf(taker, 0, 0) }), await challenge(taker, 1)]
  expect(replies.map(({ status, body }) => [status, body])).toEqual([
    [200, replies[0]!.body],
    [200, replies[0]!.body],
  ])
})

test('a person who reports a thousand questions has ten open reports, and is told why', async () => {
  const taker = await aTakerOf(MAX_OPEN_REPORTS + 5)
  const places = taker.exam.questions.map((_, place) => place)
  const replies = await Promise.all(places.map((place) => challenge(taker, place)))
  const refused = replies.filter(({ status }) => status !== 200)
  expect(await reportsOf(taker)).toHaveLength(MAX_OPEN_REPORTS)
  expect(refused).toHaveLength(5)
  expect(refused[0]).toMatchObject({ status: 409, body: { error: { code: 'report.too-many' } } })
  expect((refused[0]!.body as { error: { message: string } }).error.message).toContain('You have 10 open reports')
  // One of the ten can still be changed, and a settled one makes room.
  const [first] = await reportsOf(taker)
  const place = taker.exam.questions.findIndex(({ id }) => id === first!.questionId)
  expect((await challenge(taker, place, { words: 'Look again.' })).status).toBe(200)
  await settle(first!.id, { outcome: 'unchanged', note: 'It is right.' })
  const missing = replies.findIndex(({ status }) => status !== 200)
  expect((await challenge(taker, missing)).status).toBe(200)
})

test('a version of a question is challenged once by a person; something else can still be reported', async () => {
  const taker = await aTakerOf()
  await challenge(taker, 0)
  await challenge(taker, 0, { words: 'Better words.' })
  const [open, ...more] = await reportsOf(taker)
  expect(more).toEqual([])
  await settle(open!.id, { outcome: 'unchanged', note: 'It is right.' })
  expect(await challenge(taker, 0)).toMatchObject({ status: 409, body: { error: { code: 'report.challenged' } } })
  expect((await challenge(taker, 0, { reason: 'link', claim: null })).status).toBe(200)
})

test('an admin sees a challenge beside the answers of learners and the other reports of the question', async () => {
  const taker = await aTakerOf()
  const other = { ...taker, ...(await anotherTakerOf(taker.course, taker.exam)) }
  await challenge(taker, 0, { words: 'B since June.' })
  await challenge(other, 0, { reason: 'unclear', claim: null, words: 'Which region?' })
  for (const { learner, attemptId } of [taker, other])
    await learner.browser.post(`/api/attempts/${attemptId}/finish`, {
      answers: Object.fromEntries(
        taker.exam.questions.map(({ id, options }) => [
          id,
          { answer: { type: 'choice', optionIds: [options[1]!.id] }, seq: 1, writer: 'w' },
        ]),
      ),
    })
  const reports = await reportsOf(taker)
  const mine = reports.find(({ words }) => words === 'B since June.')!
  const evidence = (await listEvidence(db, reports)).get(mine.id)!
  expect(evidence.takerCount).toBe(2)
  expect(evidence.parts.map(({ isRight, isClaimed, count }) => [isRight, isClaimed, count])).toEqual([
    [true, false, 0],
    [false, true, 2],
    [false, false, 0],
    [false, false, 0],
  ])
  expect(evidence.others).toMatchObject([{ words: 'Which region?', reason: 'unclear', outcome: null }])
  expect(evidence.keyCorrectedAt).toBeNull()
  await correctKey(taker, 0)
  expect((await listEvidence(db, reports)).get(mine.id)!.keyCorrectedAt).toMatch(today())
})

test('a report of a question of a case study shows its scenario to the admin who decides', async () => {
  const course = await aCourse(db)
  const caseStudy = {
    id: 'insurer',
    title: 'An insurer',
    tabs: [{ id: 't1', title: 'Situation', body: '40,000 letters' }],
  }
  const questions = [1, 2, 3].map((n) => ({ ...aQuestion(n), ...(n < 3 && { caseStudy: 'insurer' }) }))
  const exam = await anExam(db, course.id, { questions, caseStudies: [caseStudy] })
  const taker = { course, exam, ...(await anotherTakerOf(course, exam)) }
  await challenge(taker, 1)
  await challenge(taker, 2)
  const evidence = await listEvidence(db, await reportsOf(taker))
  const shown = (await reportsOf(taker)).map(({ id, questionId }) => [questionId, evidence.get(id)?.caseStudy])
  expect(Object.fromEntries(shown)).toEqual({ [questions[1]!.id]: caseStudy, [questions[2]!.id]: null })
})

test('who challenged a question is told how it ended, with what they claimed, and thanked', async () => {
  const taker = await aTakerOf()
  await challenge(taker, 0)
  const [open] = await reportsOf(taker)
  await settle(open!.id, { outcome: 'corrected', note: 'You are right.' })
  const { text } = await app.mailTo(taker.learner.email)
  expect(text).toContain(`You thought right: Answer 1 of 1. Your source: ${source}`)
  expect(text).toContain('Thank you')
  expect(text).toContain('listed on the page of the course')
})

test('a course lists its corrections with their dates, the newest first, and a corrected key once', async () => {
  const taker = await aTakerOf(4, 'Storage')
  const [first, second] = taker.exam.questions
  await challenge(taker, 0)
  await challenge(taker, 1, { reason: 'explanation', claim: null })
  const reports = await reportsOf(taker)
  const idOf = (questionId: string) => reports.find((one) => one.questionId === questionId)!.id
  await correctKey(taker, 0)
  const keyDay = today()
  app.clock.forward(DAY_MS)
  await settle(idOf(first!.id), { outcome: 'corrected', note: 'SECRET-NOTE' })
  await settle(idOf(second!.id), { outcome: 'corrected', note: 'SECRET-NOTE' })
  await settle(idOf(second!.id), { outcome: 'corrected', note: 'SECRET-NOTE' })
  const listed = (await errataOf(taker, true)).map((one) => ({ ...one, at: one.at.slice(0, 10) }))
  expect(listed).toMatchObject([
    { what: 'explanation', at: today(), domain: 'Storage', stem: 'Question number 2?' },
    { what: 'key', at: keyDay, domain: 'Storage', stem: 'Question number 1?' },
  ])
  expect(JSON.stringify(listed)).not.toMatch(/Answer \d|SECRET|optionIds|isRight/)
  expect((await errataOf(taker, false)).map(({ stem }) => stem)).toEqual([null, null])
})

test('a correction after a challenge of the key is not called one of the key where the key is as before', async () => {
  const taker = await aTakerOf()
  await challenge(taker, 0)
  const [open] = await reportsOf(taker)
  await settle(open!.id, { outcome: 'corrected', note: 'The wording misled.' })
  expect(await errataOf(taker, true)).toMatchObject([{ what: 'other' }])
})

test('guests read the question of a correction only where it is in a free trial, and never a key, a note or a reason', async () => {
  const taker = await aTakerOf()
  await db.updateTable('courses').set({ status: 'published' }).where('id', '=', taker.course.id).execute()
  await challenge(taker, 0)
  await correctKey(taker, 0)
  expect(await errataOf(taker, false)).toMatchObject([{ what: 'key', stem: null }])
  await db.updateTable('test_questions').set({ is_free_trial: true }).where('id', '=', taker.exam.id).execute()
  expect(await errataOf(taker, false)).toMatchObject([{ what: 'key', stem: 'Question number 1?' }])
  expect(JSON.stringify(await errataOf(taker, true))).not.toMatch(/Answer \d|SECRET/)
})

test('a correction after a report is seen by every process, because it is a change of the catalogue', async () => {
  const taker = await aTakerOf()
  await challenge(taker, 0, { reason: 'link', claim: null })
  const countChanges = async () =>
    (
      await db
        .selectFrom('catalogue_changes')
        .where('course_id', '=', taker.course.id)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count
  const before = await countChanges()
  await settle((await reportsOf(taker))[0]!.id, { outcome: 'corrected', note: 'The link opens now.' })
  expect(await countChanges()).toBe(before + 1)
})
