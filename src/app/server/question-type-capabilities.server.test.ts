import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { aCourse } from '../../../tests/support/build-course.ts'
import { startApp } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess } from '../../../tests/support/users.ts'
import { createAccount } from '../../features/accounts/accounts-commands.server.ts'
import type { AttemptView, CheckedAnswer, ReviewView } from '../../features/attempts/attempts.schema.ts'
import { getStatistics } from '../../features/attempts/statistics/statistics-queries.server.ts'
import type { OfflineExam } from '../../features/attempts/offline-exams/offline-exams.schema.ts'
import type { DraftQuestionView, DraftView } from '../../features/authoring/drafts/drafts.schema.ts'
import type { DrillView } from '../../features/study/study.schema.ts'
import { addExam } from '../../features/catalogue/catalogue-commands.server.ts'
import { getExamQuestions } from '../../features/catalogue/catalogue-queries.server.ts'
import { judgeQuestion } from '../../features/questions/questions.ts'
import { toStored } from '../../features/questions/types/content-registry.ts'
import { editedFromFile, editOf, toCorrection, withAllRows } from '../../features/questions/types/edit-registry.ts'
import { EXAMPLES } from '../../features/questions/types/examples.fixture.ts'
import { struckByKey } from '../../features/questions/types/form-registry.tsx'
import {
  answerKeyOf,
  forTaking,
  isRightInReview,
  withAnswerKey,
} from '../../features/questions/types/grading-registry.ts'
import { countParts, statisticsLabels } from '../../features/questions/types/statistics-registry.ts'
import type { PartCount } from '../../features/questions/types/type-statistics.ts'
import { AnswerKey } from '../../features/questions/types/question-edit.schema.ts'
import { Answer, Question } from '../../features/questions/types/question-types.schema.ts'

/*
 * The table of types and what the server does with each of them: from the first save of an answer to the audit log. What a type does
 * by itself has its table in questions/types/type-capabilities.test.tsx. A new type is in both by its example.
 */

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const course = await aCourse(db)
const examples = Object.values(EXAMPLES)
const questions = examples.map((example) => Question.parse(judgeQuestion(example).question))
const cases = questions.map((question, place) => ({ type: question.type, question, example: examples[place]! }))
const wrongAnswer = (place: number) => Answer.parse(examples[place]!.otherKey)

/** An answer of the same type with so many parts that no question has. */
function withParts(answer: Answer, count: number): object {
  const foreign = (part: unknown, place: number): unknown => {
    const id = `nowhere-${String(place).padStart(4, '0')}`
    return typeof part === 'object' && part !== null
      ? Object.fromEntries(Object.keys(part).map((name) => [name, id]))
      : id
  }
  const fields = Object.entries(answer).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? Array.from({ length: count }, (_, place) => foreign(value[0], place)) : value,
  ])
  return Object.fromEntries(fields) as object
}

async function anExamOf(all: readonly Question[], courseId = course.id) {
  const slug = `types-${randomUUID()}`
  const id = await addExam(db, {
    courseId,
    title: slug,
    slug,
    questions: all,
    passingScore: 70,
    timeLimitMinutes: 30,
    isFreeTrial: true,
    position: 9,
    category: null,
    now: new Date(),
  })
  return { id, slug }
}

async function aTakerOf(exam: { slug: string }, mode = 'timed', courseId = course.id) {
  const learner = await aStudent(app)
  await giveAccess(app, learner, courseId)
  const begin = async () =>
    (await learner.browser.post('/api/attempts', { examSlug: exam.slug, mode })).body as AttemptView
  const { id } = await begin()
  const save = (questionId: string, answer: unknown, seq: number) =>
    learner.browser.put(`/api/attempts/${id}/answers/${questionId}`, { answer, seq, writer: 'w' })
  const finish = () => learner.browser.post(`/api/attempts/${id}/finish`, {})
  const review = async () => (await learner.browser.get(`/api/attempts/${id}/review`)).body as ReviewView
  return { learner, id, begin, save, finish, review }
}

const auditOf = async (action: string, id: string) =>
  db
    .selectFrom('audit_log')
    .where('action', '=', action)
    .where('subject_id', '=', id)
    .select(['before', 'after'])
    .execute()

test.each(cases)(
  'an answer to a $type is saved, resumed and kept against an older save, and bad ones are refused',
  async ({ question }) => {
    const exam = await anExamOf(questions)
    const { learner, id, save } = await aTakerOf(exam)
    const key = Answer.parse(answerKeyOf(question))
    expect((await save(question.id, key, 5)).status).toBe(200)
    await save(question.id, null, 3)
    const resumed = (await learner.browser.get(`/api/attempts/${id}`)).body as AttemptView
    expect(resumed.answers[question.id]?.answer).toEqual(key)
    const other = questions.findIndex(({ type }) => type !== question.type)
    const tooMany: unknown = expect.stringMatching(/^answer\.\w+: names more parts than any question of its type has$/)
    for (const [bad, sentence] of [
      [wrongAnswer(other), 'This answer is not one of the question.'],
      [{ type: 'essay' }, 'answer.type: must be the answer to a type of question that exists'],
      ['text', 'answer: must be the answer to a type of question that exists'],
      ...('text' in key
        ? [[{ ...key, text: 'x'.repeat(101) }, 'answer.text: has more than 100 characters'] as const]
        : [
            [withParts(key, 1), 'This answer is not one of the question.'] as const,
            [withParts(key, 1000), tooMany] as const,
          ]),
    ] as const)
      expect(await save(question.id, bad, 9)).toMatchObject({ status: 400, body: { error: { message: sentence } } })
    const after = (await learner.browser.get(`/api/attempts/${id}`)).body as AttemptView
    expect(after.answers[question.id]?.answer).toEqual(key)
  },
)

/** Where somebody answers, besides a timed exam, and is told at once what is right. */
test.each(cases)(
  'a $type is answered and checked in practice, in preview, in a drill and on a device',
  async ({ question, example }) => {
    const key = Answer.parse(answerKeyOf(question))
    const wrong = Answer.parse(example.otherKey)
    const own = await aCourse(db)
    const exam = await anExamOf([question], own.id)
    for (const mode of ['practice', 'preview']) {
      const { learner, id, save } = await aTakerOf(exam, mode, own.id)
      const path = `/api/attempts/${id}/answers/${question.id}/check`
      const checked = (
        await learner.browser.post(path, { answer: { answer: wrong, seq: 1, writer: 'w' }, writer: 'w' })
      ).body as CheckedAnswer
      expect([isRightInReview(checked.question, wrong), isRightInReview(checked.question, key)]).toEqual([false, true])
      expect(await save(question.id, key, 2)).toMatchObject({
        status: 409,
        body: { error: { message: 'This question has been checked. Its answer stays as it was.' } },
      })
      const resumed = (await learner.browser.get(`/api/attempts/${id}`)).body as AttemptView
      expect(resumed.answers[question.id]?.answer).toEqual(wrong)
    }

    const { learner } = await aTakerOf(exam, 'timed', own.id)
    const drill = (await learner.browser.post('/api/drills', { courseSlug: own.slug, filters: { count: 20 } }))
      .body as DrillView
    const check = `/api/drills/${drill.id}/questions/${drill.questions[0]!.place}/check`
    expect((await learner.browser.post(check, { answer: key })).body).toMatchObject({ answer: { isRight: true } })

    const { signature, seed, examId } = (await learner.browser.get(`/api/offline-exams/${exam.slug}`))
      .body as OfflineExam
    const times = { startedAt: app.clock.now().toISOString(), finishedAt: app.clock.now().toISOString() }
    const practiced = { id: randomUUID(), examId, seed, signature, ...times, answers: { [question.id]: key } }
    expect((await learner.browser.post('/api/offline-attempts', practiced)).status).toBe(200)
    const review = (await learner.browser.get(`/api/attempts/${practiced.id}/review`)).body as ReviewView
    expect([review.result.scorePercent, review.questions[0]?.answer]).toEqual([100, key])
  },
)

test.each(cases)(
  'a page that is open elsewhere changes no answer to a $type, and is told so',
  async ({ question, example }) => {
    const exam = await anExamOf([question])
    const { learner, id, save } = await aTakerOf(exam)
    await save(question.id, answerKeyOf(question), 1)
    await learner.browser.post(`/api/attempts/${id}/writer`, { writer: 'other' })
    expect(await save(question.id, example.otherKey, 9)).toMatchObject({
      status: 409,
      body: { error: { message: 'This exam is open elsewhere. Take it over to go on here.' } },
    })
    const other = (await learner.browser.get(`/api/attempts/${id}`)).body as AttemptView
    expect(other.answers[question.id]?.answer).toEqual(Answer.parse(answerKeyOf(question)))
  },
)

test.each(cases)(
  'what is struck out in a $type is kept beside its answer, and a part that it does not have is refused',
  async ({ question }) => {
    const exam = await anExamOf([question])
    const { learner, id } = await aTakerOf(exam)
    const path = `/api/attempts/${id}/answers/${question.id}`
    const answer = Answer.parse(answerKeyOf(question))
    const struck = [struckByKey(forTaking(question), 0) ?? []].flat()
    expect((await learner.browser.put(path, { answer, struck, seq: 1, writer: 'w' })).status).toBe(200)
    expect(await learner.browser.put(path, { answer, struck: ['nowhere'], seq: 2, writer: 'w' })).toMatchObject({
      status: 400,
      body: { error: { message: 'This answer is not one of the question.' } },
    })
    const resumed = (await learner.browser.get(`/api/attempts/${id}`)).body as AttemptView
    expect(resumed.answers[question.id]).toMatchObject({ answer, struck })
  },
)

// A list of choices and a text field have nothing to cross out.
test('parts can be struck out of every type that shows them', () => {
  const striking = questions.filter((question) => struckByKey(forTaking(question), 0) !== null)
  expect(striking.map(({ type }) => type)).toEqual(['choice', 'hot-spot', 'matching', 'ordering'])
})

test("a user's own data has the answer to each type", async () => {
  const { learner, save } = await aTakerOf(await anExamOf(questions))
  for (const [seq, question] of questions.entries()) await save(question.id, answerKeyOf(question), seq + 1)
  const file = (await learner.browser.get('/api/profiles/me/data')).body as { data: Record<string, object[]> }
  for (const question of questions)
    expect(file.data['answers']).toContainEqual(
      expect.objectContaining({ question_id: question.id, answer: Answer.parse(answerKeyOf(question)) }),
    )
})

test.each(['practice', 'timed', 'preview'])('%s gives every type, without explanations', async (mode) => {
  const { begin } = await aTakerOf(await anExamOf(questions), mode)
  const view = await begin()
  expect(view.questions.map(({ type }) => type).sort()).toEqual(questions.map(({ type }) => type).sort())
  expect(JSON.stringify(view)).not.toContain('"explanation"')
})

test('a drill gives every type', async () => {
  const own = await aCourse(db)
  await anExamOf(questions, own.id)
  const learner = await aStudent(app)
  await giveAccess(app, learner, own.id)
  const drill = await learner.browser.post('/api/drills', { courseSlug: own.slug, filters: { count: 20 } })
  const types = (drill.body as DrillView).questions.map(({ question }) => question.type)
  expect(types.sort()).toEqual(questions.map(({ type }) => type).sort())
})

test('an exam on the device has every type', async () => {
  const exam = await anExamOf(questions)
  const { learner } = await aTakerOf(exam)
  const offline = (await learner.browser.get(`/api/offline-exams/${exam.slug}`)).body as OfflineExam
  expect(offline.questions.map(({ type }) => type).sort()).toEqual(questions.map(({ type }) => type).sort())
})

test.each(cases)(
  'another answer key of a $type changes finished results, and the audit log has both keys',
  async ({ question, example }) => {
    const exam = await anExamOf([question])
    const { save, finish, review } = await aTakerOf(exam)
    await save(question.id, answerKeyOf(question), 1)
    await finish()
    expect((await review()).result).toMatchObject({ scorePercent: 100 })
    const answerKey = AnswerKey.parse(example.otherKey)
    const corrected = await admin.browser.post(`/api/exams/${exam.id}/questions/${question.id}/key`, {
      id: randomUUID(),
      answerKey,
      wasAnswerKey: answerKeyOf(question),
      explanation: null,
      reason: 'The source says so.',
    })
    expect(corrected.body).toMatchObject({ changedCount: 1 })
    expect((await review()).result.scorePercent).toBeLessThan(100)
    const [now] = await getExamQuestions(db, exam.id)
    expect(now).toEqual(withAnswerKey(question, answerKey))
    const [entry] = await auditOf('exam.key', exam.id)
    expect([entry?.before, entry?.after]).toEqual([
      expect.objectContaining({ versions: [{ versionNumber: 1, key: answerKeyOf(question) }] }),
      expect.objectContaining({ key: answerKey }),
    ])
  },
)

/** A finished attempt of somebody new: those who know answer everything rightly, the others the other key. */
async function anAttempt(exam: { id: string }, isKnown: (place: number) => boolean) {
  const email = `${randomUUID()}@example.com`
  const user = await createAccount(db, { name: 'A', email, passwordHash: '', isVerified: true })
  const attempt = {
    exam_id: exam.id,
    family_id: exam.id,
    course_id: course.id,
    user_id: user,
    mode: 'timed',
    state: 'finished',
    seed: 1,
    layout: '[]',
    scoring_policy: 'all-or-nothing',
    passing_score: 70,
    started_at: new Date(0),
    finished_at: new Date(1000),
    finished_by: 'learner',
    result: JSON.stringify({ answeredCount: questions.length, questionCount: questions.length }),
    score_percent: '50',
    is_passed: false,
  } as const
  const { id } = await db.insertInto('attempts').values(attempt).returning('id').executeTakeFirstOrThrow()
  const answers = questions.map((question, place) => ({
    attempt_id: id,
    question_id: question.id,
    answer: JSON.stringify(isKnown(place) ? answerKeyOf(question) : wrongAnswer(place)),
    is_flagged: false,
    struck: [],
    seq: 1,
    writer: 'w',
    saved_at: new Date(0),
    active_ms: 1000,
  }))
  await db.insertInto('attempt_answers').values(answers).execute()
}

const byId = (parts: readonly PartCount[]) => parts.toSorted((one, other) => one.id.localeCompare(other.id))

test('the statistics of an exam have for each type its facility, its discrimination and the share of each part', async () => {
  const exam = await anExamOf(questions)
  // Half know everything but one question each, half know only that one.
  for (let number = 0; number < 42; number += 1) {
    const exception = number % questions.length
    await anAttempt(exam, (place) => (place === exception) !== number < 21)
  }
  const { count, items } = await getStatistics(db, { id: exam.id, familyId: exam.id, now: app.clock.now() })
  expect([count, items.map(({ type }) => type)]).toEqual([42, questions.map(({ type }) => type)])
  for (const [place, { facility, discrimination, blankCount, parts }] of items.entries()) {
    const question = questions[place]!
    expect([facility, blankCount]).toEqual([0.5, 0])
    expect(discrimination).toBeGreaterThan(0.4)
    const answers = [answerKeyOf(question), wrongAnswer(place)].map((answer) => ({ answer, count: 21 }))
    expect(byId(parts)).toEqual(byId(countParts(question, answers)))
    expect(parts.filter(({ isRight }) => isRight).every((part) => part.count >= 21)).toBe(true)
  }
})

test('the statistics speak of choices only where there are choices', () => {
  const labels = questions.map(({ type }) => [type, Object.values(statisticsLabels(type)).join(' ')] as const)
  expect(labels.filter(([, words]) => /choice|option/i.test(words)).map(([type]) => type)).toEqual([
    'choice',
    'drop-down',
  ])
})

test.each(cases)('the audit log has a $type before and after an edit', async ({ question, example }) => {
  const exam = await anExamOf([question])
  await admin.browser.post(`/api/exams/${exam.id}/draft`)
  const path = `/api/exams/${exam.id}/draft/questions/${question.id}`
  const { version } = (await admin.browser.get(path)).body as DraftQuestionView
  const changed = withAnswerKey(question, AnswerKey.parse(example.otherKey))!
  expect((await admin.browser.put(path, { question: editOf(changed), version })).status).toBe(200)
  const [entry] = await auditOf('exam.draft.question', exam.id)
  const { question: stored } = (await admin.browser.get(path)).body as DraftQuestionView
  expect([entry?.before, entry?.after]).toEqual([toStored(question), toStored(stored)])
  expect(answerKeyOf(stored)).not.toEqual(answerKeyOf(question))
})

test('who takes an exam whose choice becomes a matching keeps the choice; the next attempt has the matching', async () => {
  const of = (type: string) => cases.find((one) => one.type === type)!
  const [choice, matching] = [of('choice').question, of('matching').question]
  const asMatching = toCorrection(withAllRows(editedFromFile(EXAMPLES.matching)))
  const exam = await anExamOf([choice])
  const { begin, save, finish, review } = await aTakerOf(exam)
  await admin.browser.post(`/api/exams/${exam.id}/draft`)
  const path = `/api/exams/${exam.id}/draft/questions/${choice.id}`
  const { version } = (await admin.browser.get(path)).body as DraftQuestionView
  expect((await admin.browser.put(path, { question: asMatching, version })).status).toBe(200)
  const draft = (await admin.browser.get(`/api/exams/${exam.id}/draft`)).body as DraftView
  expect((await admin.browser.post(`/api/exams/${exam.id}/draft/publish`, { version: draft.version })).status).toBe(200)

  expect((await save(choice.id, answerKeyOf(matching), 1)).status).toBe(400)
  expect((await save(choice.id, answerKeyOf(choice), 2)).status).toBe(200)
  expect((await begin()).questions.map(({ type }) => type)).toEqual(['choice'])
  await finish()
  const seen = await review()
  expect(seen.result).toMatchObject({ scorePercent: 100 })
  expect(seen.questions.map(({ question }) => question.type)).toEqual(['choice'])
  expect((await begin()).questions.map(({ id, type }) => [id, type])).toEqual([[choice.id, 'matching']])
})
