import { asChoice } from '../../../tests/support/choices.ts'
import { selecting } from '../../../tests/support/answers.ts'
import { expect, test } from 'vitest'
import { startApp, type Visitor } from '../../../tests/support/start-app.ts'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../../../tests/support/build-course.ts'
import { anAdmin, aStudent, giveAccess } from '../../../tests/support/users.ts'
import { after, DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { estimateReadiness, getStudy, summaryOf } from './study-queries.server.ts'
import {
  DrillLayout,
  type CheckedDrillAnswer,
  type DrillFilters,
  type DrillQuestion,
  type DrillView,
} from './study.schema.ts'

const app = await startApp()
const { db } = app.services.database

async function aLearner(options: { questions?: number } = {}) {
  const course = await aCourse(db)
  const questions = Array.from({ length: options.questions ?? 6 }, (_, place) => aQuestion(place + 1))
  const exam = await anExam(db, course.id, { questions })
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  return { course, exam, student, browser: student.browser }
}

/** Takes the exam in practice; the questions at these places are answered wrong, flagged, or not at all. */
async function take(
  browser: Visitor,
  exam: BuiltExam,
  as: { wrong?: readonly number[]; flagged?: readonly number[]; blank?: readonly number[] } = {},
) {
  const { wrong = [], flagged = [], blank = [] } = as
  const attempt = (await browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice' })).body as {
    id: string
  }
  const answers = Object.fromEntries(
    exam.questions.map(({ id, options: answers }, place) => {
      const chosen = answers[wrong.includes(place) ? 1 : 0]!.id
      const answer = blank.includes(place) ? null : selecting(chosen)
      return [id, { answer, isFlagged: flagged.includes(place), seq: 1, writer: 'w' }]
    }),
  )
  expect((await browser.post(`/api/attempts/${attempt.id}/finish`, { writer: 'w', answers })).status).toBe(200)
}

const start = (browser: Visitor, courseSlug: string, filters: Partial<DrillFilters> = {}, replaces?: string) =>
  browser.post('/api/drills', { courseSlug, filters, replaces })

async function started(browser: Visitor, courseSlug: string, filters: Partial<DrillFilters> = {}): Promise<DrillView> {
  const reply = await start(browser, courseSlug, filters)
  expect(reply.status).toBe(200)
  return reply.body as DrillView
}

/** In the tests' questions the first option is right; its id ends with -0. */
const rightOf = ({ question }: DrillQuestion) =>
  asChoice(question)
    .options.filter(({ id }) => id.endsWith('-0'))
    .map(({ id }) => id)
const wrongOf = ({ question }: DrillQuestion) =>
  asChoice(question)
    .options.filter(({ id }) => id.endsWith('-1'))
    .map(({ id }) => id)
const check = (browser: Visitor, drill: DrillView, place: number, optionIds: string[]) =>
  browser.post(`/api/drills/${drill.id}/questions/${place}/check`, { answer: selecting(...optionIds) })
const stems = (drill: DrillView) => drill.questions.map(({ question }) => question.stem).sort()

test('a drill asks missed, flagged or unseen questions, or those of a domain, and at most the given count', async () => {
  const { course, exam, browser } = await aLearner()
  await take(browser, exam, { wrong: [0, 1], flagged: [2], blank: [4, 5] })
  const asked = async (filters: Partial<DrillFilters>) => {
    const drill = await started(browser, course.slug, filters)
    await browser.post(`/api/drills/${drill.id}/finish`)
    return stems(drill)
  }
  expect(await asked({ from: ['missed'] })).toEqual(['Question number 1?', 'Question number 2?'])
  expect(await asked({ from: ['flagged'] })).toEqual(['Question number 3?'])
  expect(await asked({ from: ['unseen'] })).toEqual(['Question number 5?', 'Question number 6?'])
  expect(await asked({ from: ['missed', 'unseen'], domains: ['Even'] })).toEqual([
    'Question number 2?',
    'Question number 6?',
  ])
  expect(await asked({ domains: ['Odd'], count: 2 })).toHaveLength(2)
  expect(await asked({})).toHaveLength(6)
})

test('when no question fits, no drill starts', async () => {
  const { course, browser } = await aLearner()
  const reply = await start(browser, course.slug, { from: ['flagged'] })
  expect(reply).toMatchObject({ status: 409, body: { error: { code: 'drill.nothing-fits' } } })
})

test('only the given number of last attempts counts as missed, without questions answered right since', async () => {
  const { course, exam, browser } = await aLearner()
  await take(browser, exam, { wrong: [1] })
  app.clock.forward(1000)
  await take(browser, exam, { wrong: [0], blank: [1, 2, 3, 4, 5] })
  const one = await started(browser, course.slug, { from: ['missed'], lastAttempts: 1 })
  expect(stems(one)).toEqual(['Question number 1?'])
  await check(browser, one, 0, rightOf(one.questions[0]!))
  const both = await started(browser, course.slug, { from: ['missed'], lastAttempts: 2 })
  expect(stems(both)).toEqual(['Question number 2?'])
})

test('no answer key or explanation leaves the server before its question is answered', async () => {
  const { course, browser } = await aLearner()
  const drill = await started(browser, course.slug)
  expect(JSON.stringify(drill)).not.toMatch(/SECRET|isRight":(true|false)|rightOptionIds/)
  const checked = (await check(browser, drill, 0, wrongOf(drill.questions[0]!))).body as CheckedDrillAnswer
  expect(asChoice(checked.question).rightOptionIds).toEqual(rightOf(drill.questions[0]!))
  expect(checked.answer.isRight).toBe(false)
  const again = (await browser.get(`/api/drills/${drill.id}`)).body as DrillView
  expect(again.questions.map(({ revealed }) => revealed !== null)).toEqual([true, false, false, false, false, false])
})

test('a drill resumes where it was, in its own order, and starting again returns the open one', async () => {
  const { course, browser } = await aLearner()
  const drill = await started(browser, course.slug)
  await check(browser, drill, 2, rightOf(drill.questions[2]!))
  const again = await started(browser, course.slug, { count: 1 })
  const order = (view: DrillView) => view.questions.map(({ question }) => [question.id, asChoice(question).options])
  expect(again.id).toBe(drill.id)
  expect(order(again)).toEqual(order(drill))
  const { layout } = await db.selectFrom('drills').where('id', '=', drill.id).select('layout').executeTakeFirstOrThrow()
  const shown = drill.questions.map(({ question }) => asChoice(question).options.map(({ id }) => id))
  expect(shown).toEqual(DrillLayout.parse(layout).map(({ shape }) => asChoice(shape).optionIds))
  expect(again.questions[2]!.answer).toMatchObject({ isRight: true })
})

test('two simultaneous starts make one drill', async () => {
  const { course, browser } = await aLearner()
  const replies = await Promise.all([1, 2, 3].map(() => start(browser, course.slug)))
  expect(new Set(replies.map(({ body }) => (body as DrillView).id)).size).toBe(1)
})

test('a start that replaces the open drill ends it, and its answers stay', async () => {
  const { course, browser } = await aLearner()
  const drill = await started(browser, course.slug)
  await check(browser, drill, 0, wrongOf(drill.questions[0]!))
  const next = (await start(browser, course.slug, {}, drill.id)).body as DrillView
  expect(next.id).not.toBe(drill.id)
  const ended = (await browser.get(`/api/drills/${drill.id}`)).body as DrillView
  expect(ended).toMatchObject({ isFinished: true, questionCount: 6 })
  expect(ended.questions).toHaveLength(1)
})

test('the first answer of a question stays, whatever is sent later', async () => {
  const { course, browser } = await aLearner()
  const drill = await started(browser, course.slug)
  const [first] = drill.questions
  await check(browser, drill, 0, wrongOf(first!))
  const second = await check(browser, drill, 0, rightOf(first!))
  expect(second).toMatchObject({
    status: 200,
    body: { answer: { answer: selecting(...wrongOf(first!)), isRight: false } },
  })
  const stored = (await browser.get(`/api/drills/${drill.id}`)).body as DrillView
  expect(stored.questions[0]!.answer).toMatchObject({ answer: selecting(...wrongOf(first!)), isRight: false })
})

test('foreign options, too many options and unknown places are refused', async () => {
  const { course, browser } = await aLearner()
  const drill = await started(browser, course.slug)
  const ids = asChoice(drill.questions[0]!.question).options.map(({ id }) => id)
  const code = async (place: number | string, selection: unknown) => {
    const reply = await browser.post(`/api/drills/${drill.id}/questions/${place}/check`, { selection })
    return [reply.status, (reply.body as { error: { code: string } }).error.code]
  }
  expect(await code(0, ['x'])).toEqual([400, 'drill.unknown-answer'])
  expect(await code(0, ids.slice(0, 2))).toEqual([400, 'drill.too-many-selected'])
  expect(await code(0, [])).toEqual([400, 'request.invalid'])
  expect(await code(6, ids.slice(0, 1))).toEqual([404, 'drill.not-found'])
  expect(await code('-1', ids.slice(0, 1))).toEqual([404, 'request.not-found'])
  expect(await code('x', ids.slice(0, 1))).toEqual([404, 'request.not-found'])
})

test('the last answer finishes a drill, and an ended drill accepts no answers', async () => {
  const { course, browser } = await aLearner({ questions: 2 })
  const drill = await started(browser, course.slug)
  expect((await check(browser, drill, 0, rightOf(drill.questions[0]!))).body).toMatchObject({ isFinished: false })
  expect((await check(browser, drill, 1, rightOf(drill.questions[1]!))).body).toMatchObject({ isFinished: true })
  const ended = await started(browser, course.slug)
  await browser.post(`/api/drills/${ended.id}/finish`)
  expect((await browser.post(`/api/drills/${ended.id}/finish`)).status).toBe(200)
  const late = await check(browser, ended, 0, rightOf(ended.questions[0]!))
  expect(late).toMatchObject({ status: 409, body: { error: { code: 'drill.finished' } } })
})

test('a question answered in a drill counts as seen, one that was only flagged does not', async () => {
  const { course, browser, student } = await aLearner({ questions: 3 })
  const drill = await started(browser, course.slug)
  await browser.put(`/api/drills/${drill.id}/questions/0/flag`, { isFlagged: true })
  await browser.put(`/api/drills/${drill.id}/questions/1/flag`, { isFlagged: true })
  await check(browser, drill, 0, rightOf(drill.questions[0]!))
  const { answers, questions } = await getStudy(db, { userId: student.id, courseId: course.id, now: app.clock.now() })
  expect(answers).toMatchObject([{ isRight: true, isFlagged: true, attemptId: null }])
  expect(questions.filter(({ standing }) => standing.isUnseen)).toHaveLength(2)
  expect(questions.filter(({ standing }) => standing.isFlagged)).toHaveLength(1)
})

test('a question missed or flagged in an exam is due that day, and after a right answer days later', async () => {
  const { course, exam, student, browser } = await aLearner()
  const of = () => ({ userId: student.id, courseId: course.id, now: app.clock.now() })
  expect(summaryOf(await getStudy(db, of())).repetition).toEqual({
    dueCount: 0,
    nextDueAt: null,
    examDate: null,
    fitted: null,
  })
  await take(browser, exam, { wrong: [0, 1], flagged: [2] })
  const { dueCount, nextDueAt } = summaryOf(await getStudy(db, of())).repetition
  expect(dueCount).toBe(2)
  expect(Date.parse(nextDueAt!)).toBeGreaterThan(app.clock.now().getTime() + DAY_MS)
  const drill = await started(browser, course.slug, { from: ['due'] })
  expect(stems(drill)).toEqual(['Question number 1?', 'Question number 2?'])
  await check(browser, drill, 0, rightOf(drill.questions[0]!))
  await check(browser, drill, 1, wrongOf(drill.questions[1]!))
  expect(summaryOf(await getStudy(db, of())).repetition.dueCount).toBe(1)
  expect(summaryOf(await getStudy(db, { ...of(), now: after(app.clock.now(), 10 * DAY_MS) })).repetition.dueCount).toBe(
    3,
  )
})

test('a drill of due questions asks the longest due first', async () => {
  const { course, exam, browser } = await aLearner()
  await take(browser, exam, { wrong: [3] })
  app.clock.forward(HOUR_MS)
  await take(browser, exam, { wrong: [0, 1, 2], blank: [3, 4, 5] })
  expect(stems(await started(browser, course.slug, { from: ['due'], count: 1 }))).toEqual(['Question number 4?'])
})

test('readiness is estimated from first answers in exams and drills, once there are enough', async () => {
  const { course, exam, student, browser } = await aLearner({ questions: 40 })
  const now = after(app.clock.now(), HOUR_MS)
  const readiness = async () => {
    const of = { userId: student.id, courseId: course.id, now }
    return estimateReadiness(summaryOf(await getStudy(db, of)), null, of.now)
  }
  await take(browser, exam, { wrong: [0, 1, 2], blank: Array.from({ length: 15 }, (_, place) => 25 + place) })
  expect(await readiness()).toMatchObject({ kind: 'not-enough', answered: 25, needed: 30 })
  const drill = await started(browser, course.slug, { from: ['unseen'], count: 5 })
  for (const question of drill.questions) await check(browser, drill, question.place, rightOf(question))
  const estimate = await readiness()
  expect(estimate).toMatchObject({ kind: 'estimate', answered: 30, passingPercent: 70, realExam: { resultCount: 0 } })
  const repeated = await started(browser, course.slug, { from: ['missed'] })
  for (const question of repeated.questions) await check(browser, repeated, question.place, rightOf(question))
  expect(await readiness()).toEqual(estimate)
})

test('the drill of another user is not found, not even by an admin', async () => {
  const { course, browser } = await aLearner()
  const drill = await started(browser, course.slug)
  const other = await aStudent(app)
  await giveAccess(app, other, course.id)
  const admin = await anAdmin(app)
  for (const visitor of [other.browser, admin.browser]) {
    expect((await visitor.get(`/api/drills/${drill.id}`)).status).toBe(404)
    expect((await check(visitor, drill, 0, rightOf(drill.questions[0]!))).status).toBe(404)
    expect((await visitor.post(`/api/drills/${drill.id}/finish`)).status).toBe(404)
  }
})

test('without access no drill starts or continues; a result stays readable', async () => {
  const { course, browser, student } = await aLearner()
  const stranger = await aStudent(app)
  expect(await start(stranger.browser, course.slug)).toMatchObject({
    status: 403,
    body: { error: { code: 'access.none' } },
  })
  expect((await start(app.visitor(), course.slug)).status).toBe(401)
  const done = await started(browser, course.slug)
  await check(browser, done, 0, rightOf(done.questions[0]!))
  await browser.post(`/api/drills/${done.id}/finish`)
  const open = await started(browser, course.slug)
  await endAccess(student)
  const result = await browser.get(`/api/drills/${done.id}`)
  expect(result.body).toMatchObject({ withheld: 'ended', questions: [{ answer: { isRight: true }, revealed: null }] })
  expect(JSON.stringify(result.body)).not.toMatch(/SECRET|rightOptionIds/)
  expect(await browser.get(`/api/drills/${open.id}`)).toMatchObject({ body: { error: { code: 'access.ended' } } })
  expect((await check(browser, open, 0, rightOf(open.questions[0]!))).status).toBe(403)
  expect((await browser.post(`/api/drills/${open.id}/finish`)).body).toMatchObject({ questions: [] })
  const again = await browser.post(`/api/drills/${done.id}/finish`)
  expect(JSON.stringify(again.body)).not.toMatch(/SECRET|rightOptionIds/)
  await giveAccess(app, student, course.id)
  expect((await browser.get(`/api/drills/${done.id}`)).body).toMatchObject({
    withheld: null,
    questions: [{ revealed: { rightOptionIds: rightOf(done.questions[0]!) } }],
  })
})

async function endAccess({ id }: { id: string }) {
  const past = (days: number) => after(app.clock.now(), -days * DAY_MS)
  const ended = { starts_at: past(31), ends_at: past(1) }
  await db.updateTable('access_periods').set(ended).where('user_id', '=', id).execute()
}
