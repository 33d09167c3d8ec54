import { selecting } from '../../../tests/support/answers.ts'
import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { startApp, type Visitor } from '../../../tests/support/start-app.ts'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../../../tests/support/build-course.ts'
import { aStudent, giveAccess } from '../../../tests/support/users.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { SEQ_HEAD_START } from './attempts.ts'
import { AttemptView, FinishedAttempt, ReviewView } from './attempts.schema.ts'

const app = await startApp()
const { db } = app.services.database
const course = await aCourse(db)
const exam = await anExam(db, course.id, {
  questions: [aQuestion(1), aQuestion(2, { answers: 6, right: 2 }), aQuestion(3)],
})

async function aTaker(of: BuiltExam = exam, mode = 'timed') {
  const learner = await aStudent(app)
  await giveAccess(app, learner, course.id)
  const reply = await learner.browser.post('/api/attempts', { examSlug: of.slug, mode, writer: 'tab' })
  expect(reply.status).toBe(200)
  return { userId: learner.id, browser: learner.browser, attempt: AttemptView.parse(reply.body) }
}
type Taker = Awaited<ReturnType<typeof aTaker>>

/** The rows of an attempt in the database: its own, and one for each saved answer. */
async function stored({ attempt: { id } }: Taker) {
  return {
    attempt: await db
      .selectFrom('attempts')
      .where('id', '=', id)
      .select(['state', 'writer', 'deadline_at', 'layout', 'result'])
      .executeTakeFirstOrThrow(),
    answers: await db
      .selectFrom('attempt_answers')
      .where('attempt_id', '=', id)
      .select(['question_id', 'answer', 'is_flagged', 'struck', 'note', 'confidence', 'seq', 'writer'])
      .orderBy('question_id')
      .execute(),
  }
}

const codeOf = (reply: { body: unknown }) => (reply.body as { error?: { code?: string } }).error?.code
const put = (browser: Visitor, { attempt }: Taker, questionId: string, answer: object) =>
  browser.put(`/api/attempts/${attempt.id}/answers/${encodeURIComponent(questionId)}`, answer)
const finish = (browser: Visitor, { attempt }: Taker, body: object = {}) =>
  browser.post(`/api/attempts/${attempt.id}/finish`, { writer: 'tab', ...body })
const ids = (number: number) => exam.questions[number]!.options.map(({ id }) => id)
const [one, two] = [exam.questions[0]!.id, exam.questions[1]!.id]
const answer = (put: object = {}) => ({ answer: selecting(ids(0)[0]), seq: 5, writer: 'tab', ...put })

const refused: Record<string, { question?: string; put: object; code: string }> = {
  'a question that is not in the attempt': { question: 'q-nowhere', put: {}, code: 'attempt.unknown-question' },
  'a question whose name is one of JavaScript': {
    question: 'constructor',
    put: {},
    code: 'attempt.unknown-question',
  },
  'an answer that nobody has': { put: { answer: selecting('a-nowhere') }, code: 'attempt.unknown-answer' },
  'an answer of another question': { put: { answer: selecting(ids(1)[0]) }, code: 'attempt.unknown-answer' },
  'a letter instead of an id': { put: { answer: selecting('A') }, code: 'attempt.unknown-answer' },
  'a struck answer that nobody has': { put: { struck: ['a-nowhere'] }, code: 'attempt.unknown-answer' },
  'two answers where one is asked for': {
    put: { answer: selecting(...ids(0).slice(0, 2)) },
    code: 'attempt.too-many-selected',
  },
  'more answers than any question has': {
    question: two,
    put: { answer: selecting(...Array.from({ length: 13 }, (_, number) => `option-${number}`)) },
    code: 'request.invalid',
  },
  'the greatest number of all': { put: { seq: Number.MAX_SAFE_INTEGER }, code: 'attempt.from-the-future' },
  'a number of tomorrow': { put: { seq: SEQ_HEAD_START + 24 * 60 * MINUTE_MS }, code: 'attempt.from-the-future' },
  'a number that is not safe': { put: { seq: 2 ** 53 }, code: 'request.invalid' },
  'a number below the first': { put: { seq: -1 }, code: 'request.invalid' },
}

test.each(Object.entries(refused))('%s: one reply, and the stored attempt stays whole', async (_name, bad) => {
  const { question = one, code } = bad
  const taker = await aTaker()
  const { browser } = taker
  expect((await put(browser, taker, one, answer())).status).toBe(200)
  const before = await stored(taker)
  const change = answer({ seq: 6, ...bad.put })
  const [once, again] = [await put(browser, taker, question, change), await put(browser, taker, question, change)]
  expect([codeOf(once), codeOf(again), await stored(taker)]).toEqual([code, code, before])
  // A submission follows the same rules.
  const submitted = await finish(browser, taker, { answers: { [question]: change } })
  expect([codeOf(submitted), await stored(taker)]).toEqual([code, before])
  // Afterwards valid saves still work.
  expect((await put(browser, taker, one, answer({ answer: selecting(ids(0)[1]), seq: 6 }))).status).toBe(200)
  expect((await finish(browser, taker)).status).toBe(200)
})

test('a page with too large a sequence number does not block the next page', async () => {
  const taker = await aTaker()
  expect((await put(taker.browser, taker, one, answer({ seq: SEQ_HEAD_START }))).status).toBe(200)
  app.clock.forward(1000)
  const next = answer({ seq: SEQ_HEAD_START + 1, answer: selecting(ids(0)[1]) })
  expect((await put(taker.browser, taker, one, next)).status).toBe(200)
  expect((await stored(taker)).answers).toMatchObject([{ answer: selecting(ids(0)[1]) }])
})

test('attempts of others and finished attempts refuse every write and stay unchanged', async () => {
  const [owner, other] = [await aTaker(), await aTaker()]
  await put(owner.browser, owner, one, answer())
  const before = await stored(owner)
  const ways = (browser: Visitor) => [
    () => put(browser, owner, one, answer({ seq: 9 })),
    () => put(browser, owner, 'q-nowhere', answer({ seq: 9 })),
    () => browser.post(`/api/attempts/${owner.attempt.id}/writer`, { writer: 'thief' }),
    () => browser.post(`/api/attempts/${owner.attempt.id}/answers/${one}/check`, { writer: 'tab' }),
    () => browser.post(`/api/attempts/${owner.attempt.id}/answers/${one}/check`, { answer: answer({ seq: 9 }) }),
  ]
  for (const way of [...ways(other.browser), () => finish(other.browser, owner)])
    expect(codeOf(await way())).toBe('attempt.not-found')
  expect(await stored(owner)).toEqual(before)

  const submitted = await finish(owner.browser, owner)
  const after = await stored(owner)
  for (const way of ways(owner.browser)) expect(codeOf(await way())).toBe('attempt.finished')
  // Only submitting may be repeated: it returns the same result.
  const again = await finish(owner.browser, owner, {
    answers: { [two]: answer({ answer: selecting(...ids(1)), seq: 99 }) },
  })
  expect(FinishedAttempt.parse(again.body)).toEqual(FinishedAttempt.parse(submitted.body))
  expect(await stored(owner)).toEqual(after)
})

test('a user whose access has ended gets no answer key of an open practice', async () => {
  const taker = await aTaker(exam, 'practice')
  await db
    .updateTable('access_periods')
    .set({ revoked_at: app.clock.now() })
    .where('user_id', '=', taker.userId)
    .execute()
  const check = await taker.browser.post(`/api/attempts/${taker.attempt.id}/answers/${one}/check`, {
    answer: answer(),
  })
  expect([check.status, codeOf(check)]).toEqual([403, 'access.none'])
  expect(JSON.stringify(check.body)).not.toContain('SECRET-EXPLANATION')
})

test('repeated, reordered and concurrent requests leave the newest write of each answer', async () => {
  const taker = await aTaker()
  const writes = fc.array(
    fc.record({ question: fc.nat({ max: 2 }), place: fc.nat({ max: 3 }), isFlagged: fc.boolean() }),
    { minLength: 1, maxLength: 8 },
  )
  let seq = 0
  await fc.assert(
    fc.asyncProperty(
      writes.chain((made) => fc.tuple(fc.constant(made), fc.shuffledSubarray([...made.keys(), ...made.keys()]))),
      async ([made, order]) => {
        const first = seq
        seq += made.length
        const send = (index: number) => {
          const { question, place, isFlagged } = made[index]!
          const change = { answer: selecting(ids(question)[place]), isFlagged, seq: first + index + 1 }
          return put(taker.browser, taker, exam.questions[question]!.id, answer(change))
        }
        // Each at least once, in any order.
        const replies = await Promise.all([...order, ...made.keys()].map(send))
        expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
        const { answers } = await stored(taker)
        const newest = new Map(made.map(({ question, place, isFlagged }) => [question, { place, isFlagged }]))
        for (const [question, { place, isFlagged }] of newest)
          expect(answers.find((row) => row.question_id === exam.questions[question]!.id)).toMatchObject({
            answer: selecting(ids(question)[place]),
            is_flagged: isFlagged,
          })
      },
    ),
    { numRuns: 25 },
  )
})

test('an exam without questions does not start and reports the reason', async () => {
  const empty = await anExam(db, course.id, { questions: [] })
  const { browser } = await aTaker()
  for (const mode of ['timed', 'practice'])
    expect(codeOf(await browser.post('/api/attempts', { examSlug: empty.slug, mode }))).toBe('attempt.no-questions')
})

test.each([
  ['one question', [aQuestion(1)]],
  ['answers a and b only', [aQuestion(1, { answers: 2 }), aQuestion(2, { answers: 2 })]],
  ['20 kB in one question', [{ ...aQuestion(1), stem: 'Lorem ipsum. '.repeat(1600) }, aQuestion(2)]],
  ['a thousand questions', Array.from({ length: 1000 }, (_, index) => aQuestion(index, { answers: 2 + (index % 5) }))],
])('an exam of %s is taken, submitted with a full map of answers, and reviewed', async (_name, questions) => {
  const taker = await aTaker(await anExam(db, course.id, { questions }))
  expect(taker.attempt.questions).toHaveLength(questions.length)
  const answers = Object.fromEntries(
    questions.map(({ id, options: [first] }, index) => [id, answer({ answer: selecting(first!.id), seq: index + 1 })]),
  )
  const submitted = await finish(taker.browser, taker, { answers })
  expect(submitted.body).toMatchObject({ result: { rightCount: questions.length, scorePercent: 100 } })
  const review = await taker.browser.get(`/api/attempts/${taker.attempt.id}/review`)
  expect(ReviewView.parse(review.body).questions.every(({ isRight }) => isRight)).toBe(true)
})

test('a submission above the size limit is refused as a whole, and a smaller one succeeds', async () => {
  const taker = await aTaker()
  const much = Object.fromEntries(Array.from({ length: 600 }, () => [randomUUID(), answer({ note: 'x'.repeat(2000) })]))
  expect((await finish(taker.browser, taker, { answers: much })).status).toBe(413)
  expect((await stored(taker)).attempt.state).toBe('open')
  expect((await finish(taker.browser, taker, { answers: { [one]: answer() } })).status).toBe(200)
})
