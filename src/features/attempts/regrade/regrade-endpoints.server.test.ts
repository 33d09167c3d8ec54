import { asChoice } from '../../../../tests/support/choices.ts'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../../../../tests/support/build-course.ts'
import { selecting } from '../../../../tests/support/answers.ts'
import { anAdmin, aStudent, giveAccess, type SignedIn } from '../../../../tests/support/users.ts'
import { databaseInTurns, seeded, takeTurns } from '../../../../tests/support/turns.ts'
import { judgeQuestion } from '../../questions/questions.ts'
import { EXAMPLES } from '../../questions/types/examples.fixture.ts'
import { answerKeyOf } from '../../questions/types/grading-registry.ts'
import type { AnswerKey } from '../../questions/types/question-edit.schema.ts'
import { Question, type Answer } from '../../questions/types/question-types.schema.ts'
import { addExam } from '../../catalogue/catalogue-commands.server.ts'
import type { AttemptId, ExamId } from '../../../lib/ids.ts'
import type { DraftQuestionView, DraftView } from '../../authoring/drafts/drafts.schema.ts'
import { getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { listQuestionsOf } from '../attempt-questions-queries.server.ts'
import { getStudy } from '../../study/study-queries.server.ts'
import { findAttempt, getRealExam, listAnswers } from '../attempts-queries.server.ts'
import { gradeAttempt } from '../attempts.ts'
import type { ReviewView } from '../attempts.schema.ts'
import { finishAttempt } from '../attempts-commands.server.ts'
import type { KeyPreview } from './regrade.schema.ts'
import { regrade } from './regrade-commands.server.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const course = await aCourse(db)
const learners = await Promise.all(Array.from({ length: 4 }, () => aStudent(app)))
for (const learner of learners) await giveAccess(app, learner, course.id)
const [ana, ben] = learners as [SignedIn, SignedIn, SignedIn, SignedIn]
const site = { mail: app.services.mail, brand: 'Altocert', appUrl: app.url }

type Picks = Readonly<Record<string, readonly string[]>>
const answersOf = (picks: Picks) =>
  Object.fromEntries(
    Object.entries(picks).map(([id, optionIds]) => [id, { answer: selecting(...optionIds), seq: 1, writer: 'w' }]),
  )

async function start(exam: BuiltExam, learner: SignedIn, mode = 'practice') {
  const reply = await learner.browser.post('/api/attempts', { examSlug: exam.slug, mode })
  return (reply.body as { id: string }).id
}

async function take(exam: BuiltExam, learner: SignedIn, picks: Picks, mode = 'practice') {
  const id = await start(exam, learner, mode)
  await learner.browser.post(`/api/attempts/${id}/finish`, { answers: answersOf(picks) })
  return id
}

const reviewOf = async (learner: SignedIn, id: string) =>
  (await learner.browser.get(`/api/attempts/${id}/review`)).body as ReviewView

type KeyChange = { from: readonly number[]; to: readonly number[]; id?: string; reason?: string; explanation?: string }
/** Corrects the answer key of one question, whose options are named by their places. */
function correct(exam: BuiltExam, place: number, change: KeyChange) {
  const { id } = exam.questions[place]!
  return admin.browser.post(`/api/exams/${exam.id}/questions/${id}/key`, {
    id: change.id ?? randomUUID(),
    answerKey: keyOf(exam, place, change.to),
    wasAnswerKey: keyOf(exam, place, change.from),
    explanation: change.explanation ?? null,
    reason: change.reason ?? 'the provider has changed its limits.',
  })
}
const keyOf = (exam: BuiltExam, place: number, options: readonly number[]): Answer => ({
  type: 'choice',
  optionIds: options.map((at) => exam.questions[place]!.options[at]!.id),
})
const preview = (exam: BuiltExam, place: number, to: readonly number[]) =>
  admin.browser.post(`/api/exams/${exam.id}/questions/${exam.questions[place]!.id}/key-preview`, {
    answerKey: keyOf(exam, place, to),
  })
/** One answer for each question, by place. */
const pick = (exam: BuiltExam, places: readonly number[]): Picks =>
  Object.fromEntries(exam.questions.map(({ id, options: answers }, index) => [id, [answers[places[index]!]!.id]]))

/** The stored result of an attempt, and the result of grading its answers by the answer key that its version has now. */
async function gradedNow(attemptId: string) {
  const attempt = (await findAttempt(db, attemptId))!
  const answers = await listAnswers(db, attempt.id)
  const fresh = gradeAttempt({
    layout: attempt.layout,
    questions: await listQuestionsOf(db, attempt),
    answers: new Map([...answers].map(([id, { answer }]) => [id, answer])),
    policy: attempt.scoringPolicy,
    passingScore: attempt.passingScore,
    realExam: await getRealExam(db, attempt.courseId),
  })
  const columns = await db
    .selectFrom('attempts')
    .where('id', '=', attemptId)
    .select(['score_percent', 'is_passed'])
    .executeTakeFirstOrThrow()
  const listed = { ...fresh, scorePercent: Number(columns.score_percent), isPassed: columns.is_passed }
  return { stored: attempt.result, fresh, listed }
}

test('a corrected key changes results as the preview says; the learner is told once, by email and on the review', async () => {
  const exam = await anExam(db, course.id, { passingScore: 75 })
  const wronged = await take(exam, ana, pick(exam, [1, 0, 0, 1]))
  const lucky = await take(exam, ben, pick(exam, [0, 0, 0, 1]))

  const before = (await preview(exam, 0, [1])).body as KeyPreview
  expect(before).toMatchObject({
    changedCount: 2,
    raisedCount: 1,
    loweredCount: 1,
    nowPassedCount: 1,
    noLongerPassedCount: 1,
    toldCount: 2,
    finishedCount: 2,
    domain: 'Odd',
    versions: [{ versionNumber: 1, effect: 'corrected' }],
  })
  expect(before.results.find(({ attemptId }) => attemptId === wronged)).toMatchObject({
    before: { scorePercent: 50, isPassed: false, domainPercent: 50 },
    after: { scorePercent: 75, isPassed: true, domainPercent: 100 },
  })
  expect((await reviewOf(ana, wronged)).result.scorePercent).toBe(50)

  const id = randomUUID()
  const replies = await Promise.all(
    [1, 2, 3].map(() => correct(exam, 0, { from: [0], to: [1], id, explanation: 'New.' })),
  )
  expect(replies.map(({ status, body }) => [status, body])).toEqual(
    Array.from({ length: 3 }, () => [200, { changedCount: 2, toldCount: 2 }]),
  )
  const review = await reviewOf(ana, wronged)
  expect(review).toMatchObject({
    result: { scorePercent: 75, isPassed: true },
    regrades: [{ reason: 'the provider has changed its limits.', scorePercent: 50, isPassed: false }],
  })
  const question = review.questions.find((one) => one.question.id === exam.questions[0]!.id)!
  expect(question).toMatchObject({ isRight: true, question: { explanation: 'New.' } })
  expect((await reviewOf(ben, lucky)).result).toMatchObject({ scorePercent: 50, isPassed: false })
  const mail = await app.mailTo(ana.email)
  expect(mail.subject).toContain('Your result has changed')
  expect(mail.text).toContain('50%, not passed before, 75%, passed now.')
  expect(mail.text).toContain(`${app.url}/exam-review/${wronged}`)
  const mails = (await (await fetch(`${app.url}/demo/outbox`, { headers: { accept: 'application/json' } })).json()) as {
    to: string
  }[]
  expect(mails.filter(({ to }) => to.includes(ana.email))).toHaveLength(1)
  const lines = await db
    .selectFrom('audit_log')
    .where('subject_id', '=', exam.id)
    .where('action', '=', 'exam.key')
    .select('actor_id')
    .execute()
  expect(lines).toEqual([{ actor_id: admin.id }])
})

test('the key is corrected in every version that has the options, and in the draft', async () => {
  const exam = await anExam(db, course.id)
  const old = await take(exam, ana, pick(exam, [1, 1, 1, 1]))
  const draft = `/api/exams/${exam.id}/draft`
  const question = exam.questions[0]!
  const edit = async (changed: object) => {
    await admin.browser.post(draft)
    const stored = (await admin.browser.get(`${draft}/questions/${question.id}`)).body as DraftQuestionView
    const body = { question: { ...stored.question, ...changed }, version: stored.version }
    await admin.browser.put(`${draft}/questions/${question.id}`, body)
  }
  await edit({ stem: 'The same, said better?' })
  const { version } = (await admin.browser.get(draft)).body as DraftView
  await admin.browser.post(`${draft}/publish`, { version })
  const recent = await take(exam, ana, pick(exam, [1, 1, 1, 1]))
  await edit({ stem: 'A third time?' })

  expect((await correct(exam, 0, { from: [0], to: [1] })).body).toEqual({ changedCount: 2, toldCount: 1 })
  for (const id of [old, recent]) expect((await reviewOf(ana, id)).result.scorePercent).toBe(25)
  const stored = (await admin.browser.get(`${draft}/questions/${question.id}`)).body as DraftQuestionView
  expect(stored.question.stem).toBe('A third time?')
  expect(asChoice(stored.question).options.map(({ isRight }) => isRight)).toEqual([false, true, false, false])
})

test('a version that lacks the option stays as it is', async () => {
  const exam = await anExam(db, course.id)
  const old = await take(exam, ana, pick(exam, [1, 1, 1, 1]))
  const draft = `/api/exams/${exam.id}/draft`
  const question = exam.questions[0]!
  await admin.browser.post(draft)
  const stored = (await admin.browser.get(`${draft}/questions/${question.id}`)).body as DraftQuestionView
  const answers = [...asChoice(stored.question).options, { id: null, text: 'A fifth', isRight: false }]
  const saved = await admin.browser.put(`${draft}/questions/${question.id}`, {
    question: { ...stored.question, answers },
    version: stored.version,
  })
  const fifth = asChoice((saved.body as DraftQuestionView).question).options[4]!.id
  const { version } = (await admin.browser.get(draft)).body as DraftView
  await admin.browser.post(`${draft}/publish`, { version })
  const path = `/api/exams/${exam.id}/questions/${question.id}`
  const seen = (await admin.browser.post(`${path}/key-preview`, { answerKey: { type: 'choice', optionIds: [fifth] } }))
    .body as KeyPreview
  expect(seen.versions.map(({ effect }) => effect)).toEqual(['inapplicable', 'corrected'])
  await admin.browser.post(`${path}/key`, {
    id: randomUUID(),
    answerKey: { type: 'choice', optionIds: [fifth] },
    wasAnswerKey: keyOf(exam, 0, [0]),
    reason: 'so it is.',
  })
  expect((await reviewOf(ana, old)).questions[0]!.question).toMatchObject({
    rightOptionIds: [question.options[0]!.id],
  })
})

test('a page of an earlier build, which sends lists of option ids, corrects an answer key as well', async () => {
  const exam = await anExam(db, course.id)
  const [first, second] = exam.questions[0]!.options.map(({ id }) => id)
  const path = `/api/exams/${exam.id}/questions/${exam.questions[0]!.id}`
  expect(await admin.browser.post(`${path}/key-preview`, { rightOptionIds: [second] })).toMatchObject({
    status: 200,
    body: { versions: [{ effect: 'corrected' }] },
  })
  const body = { id: randomUUID(), rightOptionIds: [second], wasRightOptionIds: [first], reason: 'so it is.' }
  expect((await admin.browser.post(`${path}/key`, body)).status).toBe(200)
  expect(asChoice((await getExamQuestions(db, exam.id))[0]).options.map(({ isRight }) => isRight)).toEqual([
    false,
    true,
    false,
    false,
  ])
  expect(await admin.browser.post(`${path}/key-preview`, { rightOptionIds: [] })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ message: 'Mark at least one answer as right.' }] } },
  })
})

test('an open attempt is graded by the corrected key when it ends, and study follows it', async () => {
  const exam = await anExam(db, course.id)
  await take(exam, ben, pick(exam, [1, 0, 0, 0]))
  const open = await start(exam, ana, 'timed')
  const standing = async () => {
    const { answers } = await getStudy(db, { userId: ben.id, courseId: course.id, now: app.clock.now() })
    return answers.filter(({ key }) => key.includes(exam.questions[0]!.id))
  }
  expect((await standing()).map(({ isRight }) => isRight)).toEqual([false])
  await correct(exam, 0, { from: [0], to: [1] })
  expect((await standing()).map(({ isRight }) => isRight)).toEqual([true])
  await ana.browser.post(`/api/attempts/${open}/finish`, { answers: answersOf(pick(exam, [1, 0, 0, 0])) })
  expect((await reviewOf(ana, open)).result).toMatchObject({ scorePercent: 100 })
  expect((await reviewOf(ana, open)).regrades).toEqual([])
})

test('an invalid answer key is refused with its field, and the current one with a message', async () => {
  const exam = await anExam(db, course.id)
  const field = 'answerKey'
  expect(await correct(exam, 0, { from: [0], to: [] })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'answerKey.optionIds' }] } },
  })
  expect(await correct(exam, 0, { from: [0], to: [1, 2] })).toMatchObject({
    status: 400,
    body: { error: { code: 'key.count', fields: [{ field }] } },
  })
  expect(await correct(exam, 0, { from: [0], to: [1], reason: ' ' })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'reason' }] } },
  })
  expect(await correct(exam, 0, { from: [0], to: [0] })).toMatchObject({
    status: 409,
    body: { error: { code: 'key.same' } },
  })
  expect(await correct(exam, 0, { from: [2], to: [1] })).toMatchObject({
    status: 409,
    body: { error: { code: 'key.moved-on' } },
  })
  const path = `/api/exams/${exam.id}/questions`
  const strange = { answerKey: keyOf(exam, 1, [0]) }
  expect(await admin.browser.post(`${path}/${exam.questions[0]!.id}/key-preview`, strange)).toMatchObject({
    status: 400,
    body: { error: { code: 'key.unknown-answer', fields: [{ field }] } },
  })
  expect((await admin.browser.post(`${path}/no-such-question/key-preview`, strange)).status).toBe(404)
})

test('after any corrected key every result equals grading its answers by the new key', async () => {
  const places = fc.integer({ min: 0, max: 3 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(places, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('all-or-nothing' as const, 'partial' as const),
      fc.array(fc.uniqueArray(places, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
      async (sittings, policy, keys) => {
        const questions = [1, 2, 3, 4].map((number) => aQuestion(number, { right: 2 }))
        const exam = await anExam(db, course.id, { questions, passingScore: 50 })
        await db.updateTable('test_questions').set({ scoring_policy: policy }).where('id', '=', exam.id).execute()
        const ids = await Promise.all(
          sittings.map((sitting, index) => {
            const two = questions.map(({ id, options: answers }, at) => [
              id,
              [answers[sitting[at]!]!.id, answers[3]!.id],
            ])
            return take(exam, learners[index]!, Object.fromEntries(two) as Picks)
          }),
        )
        let from = [0, 1]
        for (const to of keys) {
          await correct(exam, 0, { from, to })
          from = to
        }
        for (const id of ids) {
          const { stored, fresh, listed } = await gradedNow(id)
          expect([stored, listed]).toEqual([fresh, fresh])
        }
      },
    ),
    { numRuns: 12 },
  )
})

test.each(Array.from({ length: 12 }, (_, seed) => [seed]))(
  'a submission and a regrade at the same time, order %i: the result is that of the corrected key',
  async (seed) => {
    const exam = await anExam(db, course.id)
    await take(exam, ben, pick(exam, [1, 0, 0, 0]))
    const open = await start(exam, ana)
    const answers = answersOf(pick(exam, [1, 0, 0, 0]))
    for (const [questionId, answer] of Object.entries(answers))
      await ana.browser.put(`/api/attempts/${open}/answers/${questionId}`, answer)
    const { pool } = app.services.database
    await takeTurns(
      pool,
      [
        {
          name: 'submission',
          run: async (step) => {
            await finishAttempt(databaseInTurns(pool, step), {
              attemptId: open as AttemptId,
              taker: { kind: 'person', userId: ana.id },
              writer: undefined,
              answers: {},
              activeMs: {},
              now: app.clock.now(),
            })
          },
        },
        {
          name: 'regrade',
          run: async (step) => {
            await regrade(databaseInTurns(pool, step), site, {
              examId: exam.id,
              questionId: exam.questions[0]!.id,
              id: randomUUID(),
              answerKey: keyOf(exam, 0, [1]),
              wasAnswerKey: keyOf(exam, 0, [0]),
              explanation: null,
              reason: 'it was wrong.',
              actorId: admin.id,
              now: app.clock.now(),
            })
          },
        },
      ],
      { random: seeded(seed), restless: 0.6 },
    )
    const { stored, fresh } = await gradedNow(open)
    expect(stored).toEqual(fresh)
    expect(stored?.scorePercent).toBe(100)
    expect(asChoice((await getExamQuestions(db, exam.id as ExamId))[0]).options[1]!.isRight).toBe(true)
  },
)

test('a wider tolerance and another accepted text are regraded as a key is', async () => {
  const number = Question.parse(judgeQuestion(EXAMPLES.numerical).question)
  const text = Question.parse(judgeQuestion(EXAMPLES['short-answer']).question)
  const exam = { slug: `written-${randomUUID()}` }
  const examId = await addExam(db, {
    courseId: course.id,
    title: exam.slug,
    slug: exam.slug,
    questions: [number, text],
    passingScore: 70,
    timeLimitMinutes: 30,
    isFreeTrial: false,
    position: 9,
    category: null,
    now: new Date(),
  })
  const { body } = await ana.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'timed' })
  const { id } = body as { id: string }
  await ana.browser.post(`/api/attempts/${id}/finish`, {
    answers: {
      [number.id]: { answer: { type: 'numerical', text: '51' }, seq: 1, writer: 'w' },
      [text.id]: { answer: { type: 'short-answer', text: 'Amazon DNS' }, seq: 2, writer: 'w' },
    },
  })
  const correctTo = (question: Question, answerKey: AnswerKey, wasAnswerKey = answerKeyOf(question)) =>
    admin.browser.post(`/api/exams/${examId}/questions/${question.id}/key`, {
      id: randomUUID(),
      answerKey,
      wasAnswerKey,
      explanation: null,
      reason: 'the source allows more.',
    })
  const scoreNow = async () => (await gradedNow(id)).listed.scorePercent
  expect(await scoreNow()).toBe(0)
  const same = await correctTo(number, { type: 'numerical', text: '50 GiB' })
  expect(same.body).toMatchObject({ error: { code: 'key.same' } })
  // A page of an earlier build names no tolerance as the former one.
  const wider = { type: 'numerical', text: '50', tolerance: '1' } as const
  expect((await correctTo(number, wider, { type: 'numerical', text: '50' })).body).toMatchObject({ changedCount: 1 })
  expect(await scoreNow()).toBe(50)
  const more = { type: 'short-answer', text: 'Route 53', others: ['Amazon Route*53', 'Amazon DNS'] } as const
  expect((await correctTo(text, { ...more, others: [...more.others] })).body).toMatchObject({ changedCount: 1 })
  expect(await scoreNow()).toBe(100)
  expect((await correctTo(number, { ...wider, tolerance: '-1' })).body).toMatchObject({
    error: { fields: [{ field: 'answerKey.tolerance' }] },
  })
})
