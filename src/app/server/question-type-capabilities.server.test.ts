import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { aCourse } from '../../../tests/support/build-course.ts'
import { startApp } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess } from '../../../tests/support/users.ts'
import type { AttemptView, ReviewView } from '../../features/attempts/attempts.schema.ts'
import type { OfflineExam } from '../../features/attempts/offline-exams/offline-exams.schema.ts'
import type { DraftQuestionView, DraftView } from '../../features/authoring/drafts/drafts.schema.ts'
import type { DrillView } from '../../features/study/study.schema.ts'
import { addExam } from '../../features/catalogue/catalogue-commands.server.ts'
import { getExamQuestions } from '../../features/catalogue/catalogue-queries.server.ts'
import { judgeQuestion } from '../../features/questions/questions.ts'
import { toStored } from '../../features/questions/types/content-registry.ts'
import { editedFromFile, editOf, toCorrection, withAllRows } from '../../features/questions/types/edit-registry.ts'
import { EXAMPLES } from '../../features/questions/types/examples.fixture.ts'
import { answerKeyOf, withAnswerKey } from '../../features/questions/types/grading-registry.ts'
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

async function aTakerOf(exam: { slug: string }, mode = 'timed') {
  const learner = await aStudent(app)
  await giveAccess(app, learner, course.id)
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
    const strange: Record<string, unknown> = { ...key }
    for (const [field, value] of Object.entries(strange)) if (Array.isArray(value)) strange[field] = ['nowhere', 'no']
    const tooLong = { ...key, ...('text' in key ? { text: 'x'.repeat(100_000) } : strange) }
    for (const bad of [wrongAnswer(other), tooLong, { type: question.type }, { type: 'essay' }, 'text'])
      expect(await save(question.id, bad, 9)).toMatchObject({
        status: 400,
        body: { error: { message: expect.any(String) } },
      })
    const after = (await learner.browser.get(`/api/attempts/${id}`)).body as AttemptView
    expect(after.answers[question.id]?.answer).toEqual(key)
  },
)

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
