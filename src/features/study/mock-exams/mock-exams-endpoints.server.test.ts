import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { selecting } from '../../../../tests/support/answers.ts'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess, type SignedIn } from '../../../../tests/support/users.ts'
import { MINUTE_MS } from '../../../lib/time.ts'
import { FinishedAttempt, AttemptView, ReviewView } from '../../attempts/attempts.schema.ts'
import { listMocks } from '../../attempts/drawn-exams/drawn-exams-queries.server.ts'
import { exportOf } from '../../attempts/review/own-attempts-queries.server.ts'
import type { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import type { ChoiceQuestion } from '../../questions/types/choice/choice.schema.ts'
import { getStudy } from '../study-queries.server.ts'
import { StartedDrawnExam } from './mock-exams.schema.ts'

const app = await startApp()
const { db } = app.services.database

/** Two exams whose questions and case studies have equal ids. */
async function aBank(length = 20) {
  const course = await aCourse(db)
  const caseStudy: CaseStudy = {
    id: 'shop',
    title: 'A shop',
    tabs: [{ id: 'now', title: 'Today', body: 'It is busy.' }],
  }
  const questions = Array.from({ length }, (_, place): ChoiceQuestion => ({
    ...aQuestion(place + 1),
    id: `question-${place}`,
    ...(place < 3 ? { caseStudy: 'shop' } : {}),
  }))
  const caseStudies = [caseStudy]
  const exams = [
    await anExam(db, course.id, { questions, caseStudies, timeLimitMinutes: 60 }),
    await anExam(db, course.id, { questions, caseStudies, timeLimitMinutes: 60 }),
  ] as const
  return { course, exams }
}

async function anOwner(courseId: string): Promise<SignedIn> {
  const learner = await aStudent(app)
  await giveAccess(app, learner, courseId)
  return learner
}

type Bank = Awaited<ReturnType<typeof aBank>>

const ask = ({ browser }: SignedIn, { course }: Bank, body: object = {}) =>
  browser.post('/api/mock-exams', { courseSlug: course.slug, kind: 'mock', ...body })
async function start(learner: SignedIn, bank: Bank, body: object = {}): Promise<AttemptView> {
  const { attemptId } = StartedDrawnExam.parse((await ask(learner, bank, body)).body)
  return view(learner, attemptId)
}
const view = async ({ browser }: SignedIn, attemptId: string) =>
  AttemptView.parse((await browser.get(`/api/attempts/${attemptId}`)).body)
const codeOf = (reply: { body: unknown }) => (reply.body as { error?: { code?: string } }).error?.code

const layoutOf = async (attemptId: string) => {
  const row = await db.selectFrom('attempts').where('id', '=', attemptId).select('layout').executeTakeFirstOrThrow()
  return row.layout as unknown as { question: string; from: { examId: string; familyId: string; questionId: string } }[]
}

/** Answers each question right, or with its last option, as `isRight` decides by the place. */
async function answersFor(attempt: AttemptView, exam: BuiltExam, isRight: (place: number) => boolean) {
  const layout = await layoutOf(attempt.id)
  return Object.fromEntries(
    layout.map(({ question, from }, place) => {
      const { options } = exam.questions.find(({ id }) => id === from.questionId)!
      const option = isRight(place) ? options.find((one) => one.isRight) : options.at(-1)
      const answer = { answer: selecting(option?.id), isFlagged: false, struck: [], seq: place + 1, writer: 'tab' }
      return [question, answer]
    }),
  )
}

test('a mock exam is drawn, answered, resumed, finished and reviewed like any other exam', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const attempt = await start(learner, bank)
  expect(attempt).toMatchObject({ mode: 'timed', examTitle: 'Mock exam 1', examSlug: null, timeLimitMinutes: 60 })
  expect(attempt.questions).toHaveLength(20)
  expect(attempt.clock.remainingSeconds).toBeGreaterThan(3590)
  expect(JSON.stringify(attempt)).not.toContain('SECRET-EXPLANATION')
  // Case studies are whole, and those of equal id are two.
  for (const { questionIds } of attempt.caseStudies) expect(questionIds).toHaveLength(3)

  const answers = await answersFor(attempt, bank.exams[0], (place) => place < 15)
  const [first] = attempt.questions
  const saved = await learner.browser.put(`/api/attempts/${attempt.id}/answers/${first!.id}`, answers[first!.id])
  expect(saved.status).toBe(200)
  const resumed = await start(learner, bank)
  expect([resumed.id, resumed.answers[first!.id]?.answer]).toEqual([attempt.id, answers[first!.id]?.answer])

  const reply = await learner.browser.post(`/api/attempts/${attempt.id}/finish`, { answers, writer: 'tab' })
  const { result } = FinishedAttempt.parse(reply.body)
  expect(result).toMatchObject({ rightCount: 15, questionCount: 20, scorePercent: 75, isPassed: true })
  const review = ReviewView.parse((await learner.browser.get(`/api/attempts/${attempt.id}/review`)).body)
  expect(review.questions.map(({ isRight }) => isRight)).toEqual(attempt.questions.map((_, place) => place < 15))
  expect(JSON.stringify(review)).toContain('SECRET-EXPLANATION')
  expect(await listMocks(db, { userId: learner.id, courseId: bank.course.id })).toMatchObject([{ percent: 75 }])
})

test('the answers of a mock exam count in progress under the questions that they belong to', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const attempt = await start(learner, bank)
  const answers = await answersFor(attempt, bank.exams[0], (place) => place % 2 === 0)
  await learner.browser.post(`/api/attempts/${attempt.id}/finish`, { answers })
  const study = await getStudy(db, { userId: learner.id, courseId: bank.course.id, now: app.clock.now() })
  const layout = await layoutOf(attempt.id)
  const seen = study.questions.filter(({ standing }) => !standing.isUnseen).map(({ key }) => key)
  expect(seen.toSorted()).toEqual(layout.map(({ from }) => `${from.familyId} ${from.questionId}`).toSorted())
  const missed = study.questions.filter(({ standing }) => standing.missedIn === 1)
  expect(missed).toHaveLength(10)
  // The next mock exam draws what was not in this one.
  const next = await start(learner, bank)
  expect(next.id).not.toBe(attempt.id)
  const drawn = new Set(layout.map(({ from }) => `${from.examId} ${from.questionId}`))
  const again = (await layoutOf(next.id)).filter(({ from }) => drawn.has(`${from.examId} ${from.questionId}`))
  expect(again.length).toBeLessThanOrEqual(3)
})

test('questions of a practice exam that the learner has not finished are drawn last', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const [done] = bank.exams
  const practice = await learner.browser.post('/api/attempts', { examSlug: done.slug, mode: 'practice' })
  await learner.browser.post(`/api/attempts/${AttemptView.parse(practice.body).id}/finish`, { answers: {} })
  const attempt = await start(learner, bank)
  const layout = await layoutOf(attempt.id)
  const fromOther = layout.filter(
    ({ from }) => from.examId !== done.id && !['question-0', 'question-1', 'question-2'].includes(from.questionId),
  )
  expect(fromOther).toEqual([])
})

test('there is one open mock exam a course, and ending it grades it as it stands', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const [one, other] = await Promise.all([start(learner, bank), start(learner, bank)])
  expect(other.id).toBe(one.id)
  const custom = await start(learner, bank, { kind: 'custom', custom: { count: 5, minutes: 10 } })
  expect(custom.id).not.toBe(one.id)
  const next = await start(learner, bank, { replaces: one.id })
  expect(next).toMatchObject({ examTitle: 'Mock exam 2', state: 'open' })
  expect((await view(learner, one.id)).state).toBe('finished')
  // A second press of the same button gets the exam that the first one started.
  expect((await start(learner, bank, { replaces: one.id })).id).toBe(next.id)
  expect((await view(learner, custom.id)).state).toBe('open')
})

test('a mock exam whose time is over is graded at its deadline, and the next one can start', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const attempt = await start(learner, bank)
  app.clock.forward(62 * MINUTE_MS)
  const next = await start(learner, bank)
  expect(next.id).not.toBe(attempt.id)
  expect((await view(learner, attempt.id)).state).toBe('finished')
})

test('a custom exam asks what was chosen: domains, missed or unseen questions, a number and minutes', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const wanted = { domains: ['Odd'], from: ['unseen'], count: 7, minutes: 12 }
  const attempt = await start(learner, bank, { kind: 'custom', custom: wanted })
  expect(attempt).toMatchObject({ examTitle: 'Custom exam 1', timeLimitMinutes: 12 })
  expect(attempt.questions.map(({ domain }) => domain)).toEqual(Array.from({ length: 7 }, () => 'Odd'))
  const answers = await answersFor(attempt, bank.exams[0], () => false)
  await learner.browser.post(`/api/attempts/${attempt.id}/finish`, { answers })
  const missed = await start(learner, bank, { kind: 'custom', custom: { from: ['missed'], count: 50 } })
  expect(missed.questions).toHaveLength(7)
})

test('bad input is refused with its field, and what fits nothing says so', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const custom = (filters: object) => ask(learner, bank, { kind: 'custom', custom: filters })
  for (const filters of [{ count: 0 }, { count: 1000 }, { count: 2.5 }, { minutes: 0 }, { minutes: 1000 }]) {
    const reply = await custom(filters)
    expect([reply.status, codeOf(reply)]).toEqual([400, 'request.invalid'])
  }
  const none = await custom({ from: ['flagged'] })
  expect([none.status, codeOf(none)]).toEqual([409, 'custom.nothing-fits'])
  expect((await custom({ domains: ['No such domain'] })).status).toBe(409)
  const empty = { course: await aCourse(db), exams: bank.exams }
  const nobody = await anOwner(empty.course.id)
  expect(codeOf(await ask(nobody, empty))).toBe('attempt.no-questions')
})

test('a bank of twelve questions gives twelve in a proportional time, also when all of them are seen', async () => {
  const bank = await aBank(6)
  await db
    .updateTable('courses')
    .set({
      blueprint: JSON.stringify({
        code: 'X-1',
        minutes: 130,
        questions: 65,
        passingScore: 720,
        source: 'https://example.com/guide',
        domains: [
          { name: 'Odd', weight: 70 },
          { name: 'Even', weight: 30 },
        ],
      }),
    })
    .where('id', '=', bank.course.id)
    .execute()
  const learner = await anOwner(bank.course.id)
  for (const round of [1, 2]) {
    const attempt = await start(learner, bank)
    expect([round, attempt.questions.length, attempt.timeLimitMinutes]).toEqual([round, 12, 24])
    const answers = await answersFor(attempt, bank.exams[0], () => true)
    const reply = await learner.browser.post(`/api/attempts/${attempt.id}/finish`, { answers })
    expect(FinishedAttempt.parse(reply.body).result.scorePercent).toBe(100)
  }
})

test('a mock exam needs access to the course, and belongs to its learner', async () => {
  const bank = await aBank()
  expect((await app.visitor().post('/api/mock-exams', { courseSlug: bank.course.slug, kind: 'mock' })).status).toBe(401)
  const stranger = await aStudent(app)
  expect(codeOf(await ask(stranger, bank))).toBe('access.none')
  const learner = await anOwner(bank.course.id)
  const attempt = await start(learner, bank)
  expect((await stranger.browser.get(`/api/attempts/${attempt.id}`)).status).toBe(404)
  expect((await learner.browser.post('/api/mock-exams', { courseSlug: 'no-such-course', kind: 'mock' })).status).toBe(
    404,
  )
})

test('a corrected answer key regrades the mock exams that have the question, and their review says why', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const admin = await anAdmin(app)
  const attempt = await start(learner, bank)
  const answers = await answersFor(attempt, bank.exams[0], () => false)
  await learner.browser.post(`/api/attempts/${attempt.id}/finish`, { answers })
  const { from } = (await layoutOf(attempt.id))[4]!
  const question = bank.exams[0].questions.find(({ id }) => id === from.questionId)!
  const body = {
    id: randomUUID(),
    answerKey: { type: 'choice', optionIds: [question.options.at(-1)!.id] },
    wasAnswerKey: { type: 'choice', optionIds: [question.options[0]!.id] },
    reason: 'the manual says so.',
  }
  const reply = await admin.browser.post(`/api/exams/${from.examId}/questions/${from.questionId}/key`, body)
  expect(reply.body).toMatchObject({ changedCount: 1, toldCount: 1 })
  const review = ReviewView.parse((await learner.browser.get(`/api/attempts/${attempt.id}/review`)).body)
  expect(review.result).toMatchObject({ rightCount: 1, scorePercent: 5 })
  expect(review.regrades).toMatchObject([{ scorePercent: 0, reason: 'the manual says so.' }])
})

test('a question of a mock exam is reported as the question of its exam', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const attempt = await start(learner, bank)
  const { question, from } = (await layoutOf(attempt.id))[2]!
  const put = await learner.browser.put(`/api/attempts/${attempt.id}/reports/${question}`, {
    reason: 'wrong-key',
    words: 'It is not.',
  })
  expect(put.status).toBe(200)
  const row = await db
    .selectFrom('question_reports')
    .where('user_id', '=', learner.id)
    .select(['exam_id', 'family_id', 'question_id'])
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ exam_id: from.examId, family_id: from.familyId, question_id: from.questionId })
})

test('what a learner exports of their attempts has the mock exams with what they asked', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  await start(learner, bank, { kind: 'custom', custom: { count: 5, minutes: 9 } })
  const attempts = exportOf(db, learner.id).find(({ name }) => name === 'attempts')!
  const rows: unknown[] = []
  for await (const page of attempts.pages) rows.push(...page)
  expect(rows).toMatchObject([{ exam: 'Custom exam 1', exam_id: null, drawn: { kind: 'custom', asked: { count: 5 } } }])
})
