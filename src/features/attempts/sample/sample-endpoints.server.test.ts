import { expect, test } from 'vitest'
import { selecting } from '../../../../tests/support/answers.ts'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { courseContents } from '../../catalogue/contents/course-contents-queries.server.ts'
import { CheckedSample } from './sample.schema.ts'

const app = await startApp()
const { db } = app.services.database
const course = await aCourse(db)
const paid = await anExam(db, course.id, { questions: [aQuestion(1)] })
const free = await anExam(db, course.id, { questions: [aQuestion(2), aQuestion(3)], isFreeTrial: true })
const { sample } = await courseContents.read(db, course.id)
const shown = free.questions.find(({ id }) => id === sample?.question.id)!
const hidden = free.questions.find(({ id }) => id !== sample?.question.id)!
const partOf = (question: typeof shown, isRight: boolean) =>
  question.options.find((option) => option.isRight === isRight)!.id
const check = (slug: string, questionId: string, optionId: string) =>
  app.visitor().post(`/api/samples/${slug}/check`, { questionId, answer: selecting(optionId) })

test('the server grades the question to try, right and wrong, and only then shows its key', async () => {
  for (const isRight of [true, false]) {
    const reply = await check(free.slug, shown.id, partOf(shown, isRight))
    const checked = CheckedSample.parse(reply.body)
    expect(checked.isRight).toBe(isRight)
    expect(checked.question.explanation).toBe(shown.explanation)
    expect(reply.headers.get('set-cookie')).toBeNull()
  }
  const { count } = await db
    .selectFrom('attempts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(0)
})

test('no other answer key leaves the server this way: of another free question, or of a paid exam', async () => {
  const other = await check(free.slug, hidden.id, partOf(hidden, true))
  expect([other.status, JSON.stringify(other.body)]).toEqual([404, expect.not.stringContaining('SECRET')])
  const bought = await check(paid.slug, paid.questions[0]!.id, partOf(paid.questions[0]!, true))
  expect([bought.status, JSON.stringify(bought.body)]).toEqual([403, expect.not.stringContaining('SECRET')])
})

test('an answer that does not belong to the question is refused, and an unknown exam is not found', async () => {
  expect((await check(free.slug, shown.id, partOf(hidden, true))).status).toBe(400)
  expect((await check('no-such-exam', shown.id, partOf(shown, true))).status).toBe(404)
  expect((await app.visitor().post(`/api/samples/${free.slug}/check`, { questionId: shown.id })).status).toBe(400)
})
