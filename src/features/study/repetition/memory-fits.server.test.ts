import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { after, DAY_MS } from '../../../lib/time.ts'
import { createAccount } from '../../accounts/accounts-commands.server.ts'
import { storeAttempts } from '../calibration/stored-answers.fixture.ts'
import { eraseLearner } from '../study-commands.server.ts'
import { exportOf, getStudy, progressState, summaryOf } from '../study-queries.server.ts'
import { fitDueLearners } from './memory-fits-commands.server.ts'
import { findFittedMemory, listLearnersToFit } from './memory-fits-queries.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db } = app.services.database
const start = new Date('2026-01-05T10:00:00Z')
const QUESTIONS = 20

/** A learner who misses 20 questions, then answers all of them every second day; half are forgotten each time. */
async function aForgetfulLearner(times: number) {
  const course = await aCourse(db)
  const questions = Array.from({ length: QUESTIONS }, (_, number) => aQuestion(number))
  const built = await anExam(db, course.id, { questions })
  const exam = {
    ...built,
    familyId: built.id,
    questions: built.questions.map(({ id, options }) => ({ id, right: options[0]!.id, wrong: options[1]!.id })),
  }
  const email = `${randomUUID()}@example.com`
  const userId = await createAccount(db, { name: 'A', email, passwordHash: '', isVerified: true })
  const attempts = Array.from({ length: times }, (_, place) => ({
    userId,
    exam,
    finishedAt: after(start, place * 2 * DAY_MS),
    isRight: exam.questions.map((_question, number) => place > 0 && (number * 7 + place * 3) % 10 < 5),
  }))
  await storeAttempts(db, attempts.slice(0, 30))
  return {
    userId,
    more: () => storeAttempts(db, attempts.slice(30)),
    study: async () => summaryOf(await getStudy(db, { userId, courseId: course.id, now: after(start, 61 * DAY_MS) })),
    state: async () => (await sql<{ state: string }>`select ${progressState(userId)} as state`.execute(db)).rows[0],
  }
}

test('a job fits the intervals of a learner with enough reviews, for all their cards at once, and again after a fifth more', async () => {
  const { userId, study, state, more } = await aForgetfulLearner(37)
  const before = await study()
  expect(before.repetition.fitted).toBe(null)
  const stateBefore = await state()
  const now = after(start, 61 * DAY_MS)
  expect(await listLearnersToFit(db)).toEqual([{ userId, answers: 600 }])
  expect(await fitDueLearners(db, now)).toBe(1)
  expect(await fitDueLearners(db, now)).toBe(0)
  const fitted = await study()
  expect(fitted.repetition.fitted).toEqual({ reviews: 460, heldOut: 120 })
  expect(await state()).not.toEqual(stateBefore)
  const lastDue = ({ seen }: typeof fitted) => Math.max(...seen.map(({ dueAt }) => dueAt?.getTime() ?? 0))
  // Who forgets half within two days sees the cards again sooner.
  expect(lastDue(fitted)).toBeLessThan(lastDue(before))
  await more()
  expect(await listLearnersToFit(db)).toEqual([{ userId, answers: 740 }])
  expect(await fitDueLearners(db, after(start, 80 * DAY_MS))).toBe(1)
})

test('a fit is in the data that a user exports, and goes with the account; few answers are not fitted', async () => {
  const { userId } = await aForgetfulLearner(30)
  await fitDueLearners(db, after(start, 61 * DAY_MS))
  const [fits] = exportOf(db, userId).filter(({ name }) => name === 'memory_fits')
  const rows: unknown[] = []
  for await (const page of fits!.pages) rows.push(...page)
  expect(rows).toMatchObject([{ reviews: 460, held_out: 120, answers: 600 }])
  expect((await findFittedMemory(db, userId))?.weights).toHaveLength(21)
  await eraseLearner(db, userId)
  expect(await findFittedMemory(db, userId)).toBe(null)
  const few = await aForgetfulLearner(10)
  expect((await listLearnersToFit(db)).map((one) => one.userId)).not.toContain(few.userId)
})
