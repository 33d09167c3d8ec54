import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { anAdmin } from '../../../../tests/support/users.ts'
import { after, DAY_MS } from '../../../lib/time.ts'
import type { UserId } from '../../../lib/ids.ts'
import { createAccount } from '../../accounts/accounts-commands.server.ts'
import { getCourseCalibration, itemKeyOf } from '../../attempts/calibrations/item-calibrations-queries.server.ts'
import { getStatistics } from '../../attempts/statistics/statistics-queries.server.ts'
import { getReadinessFacts } from '../study-exams-queries.server.ts'
import { isCalibrationDue } from './calibration-rule.ts'
import { calibrateCourse, calibrateDueCourses } from './calibration-commands.server.ts'
import { listCourseNews, readCalibrationFacts } from './calibration-queries.server.ts'
import { storeAttempts, type AnsweredExam } from './stored-answers.fixture.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db } = app.services.database
const start = new Date('2026-10-05T10:00:00Z')
const now = after(start, 20 * DAY_MS)

const LEARNERS = 40
/** Of 20 questions the first is always right, then each is harder than the one before; the last has no answer. */
const isRightFor = (learner: number) =>
  Array.from({ length: 20 }, (_, place) =>
    place === 19 ? null : place === 0 || (learner * 7 + place * 3) % 19 >= place,
  )

async function aCalibratedCourse(learners = LEARNERS) {
  const course = await aCourse(db)
  const built = await anExam(db, course.id, { questions: Array.from({ length: 20 }, (_, number) => aQuestion(number)) })
  const exam = answered(built)
  const users = await Promise.all(Array.from({ length: learners }, aUser))
  await storeAttempts(
    db,
    users.map((userId, learner) => ({ userId, exam, finishedAt: start, isRight: isRightFor(learner) })),
  )
  return { course, built, exam, users }
}

const answered = (exam: BuiltExam): AnsweredExam => ({
  ...exam,
  familyId: exam.id,
  questions: exam.questions.map(({ id, options }) => ({ id, right: options[0]!.id, wrong: options[1]!.id })),
})

async function aUser(): Promise<UserId> {
  return createAccount(db, { name: 'A', email: `${randomUUID()}@example.com`, passwordHash: '', isVerified: true })
}

test('a course with enough new answers is calibrated once, and readiness and statistics read the result', async () => {
  const { course, built } = await aCalibratedCourse()
  const listener = await app.services.database.pool.connect()
  await listener.query('listen catalogue_changes')
  const notified = new Promise((resolve) => listener.once('notification', resolve))
  const news = async () => (await listCourseNews(db)).find(({ courseId }) => courseId === course.id)
  expect(await news()).toMatchObject({ newCount: LEARNERS * 19, countedBefore: 0 })
  expect(await calibrateDueCourses(db, now)).toBe(1)
  expect(await calibrateDueCourses(db, now)).toBe(0)
  expect(await news()).toMatchObject({ newCount: 0, countedBefore: LEARNERS * 19 })

  const { items } = await getCourseCalibration(db, course.id)
  const inOrder = built.questions.map((question) => items.get(itemKeyOf(built.id, question))!)
  expect(inOrder[2]!.difficulty).toBeLessThan(inOrder[10]!.difficulty)
  expect(inOrder[10]!.difficulty).toBeLessThan(inOrder[18]!.difficulty)
  expect(inOrder.map(({ responseCount }) => responseCount)).toEqual([...Array<number>(19).fill(LEARNERS), 0])
  const [always, unasked] = [inOrder[0]!, inOrder[19]!]
  expect(always.difficulty).toBeGreaterThan(-6)
  expect(always.deviation).toBeGreaterThan(inOrder[10]!.deviation)
  expect(unasked.deviation).toBeGreaterThan(always.deviation)

  const facts = await getReadinessFacts(db, course.id)
  expect(facts.items[10]?.item).toMatchObject({
    difficulty: inOrder[10]!.difficulty,
    deviation: inOrder[10]!.deviation,
  })
  // Every process drops what it has cached.
  await notified
  listener.release(true)
  const statistics = await getStatistics(db, { id: built.id, familyId: built.id, now })
  expect(statistics.items[10]?.calibration).toEqual(inOrder[10])
  const admin = await anAdmin(app)
  const csv = String((await admin.browser.get(`/api/exams/${built.id}/statistics.csv`)).body).split('\r\n')
  expect(csv[0]).toContain('difficulty,difficulty_error,difficulty_answers')
  expect(csv.find((line) => line.startsWith('11,'))).toContain(`,${LEARNERS},`)
})

test('answers before a corrected key count for another item, and the new one has its label until it is answered', async () => {
  const { course, built } = await aCalibratedCourse(30)
  await calibrateCourse(db, course.id, now)
  const [, second] = built.questions
  const keyBefore = itemKeyOf(built.id, second!)
  expect((await getCourseCalibration(db, course.id)).items.get(keyBefore)?.responseCount).toBe(30)
  const questions = built.questions.map((question) =>
    question === second
      ? { ...question, options: question.options.map((one, place) => ({ ...one, isRight: place === 1 })) }
      : question,
  )
  await sql`update test_questions set questions = ${JSON.stringify(questions)}
    where id = ${built.id}`.execute(db)
  const { items } = await getReadinessFacts(db, course.id)
  expect(items[1]?.item).toMatchObject({ difficulty: 0, deviation: 0.8 })
  await calibrateCourse(db, course.id, now)
  // A corrected key grades the answers of its version again.
  const after = await getCourseCalibration(db, course.id)
  expect(after.items.has(keyBefore)).toBe(false)
  expect(after.items.size).toBe(20)
})

test('only the first answer to a question counts, by month a person, without guests and admins', async () => {
  const { course, exam, users } = await aCalibratedCourse(2)
  const all = exam.questions.map(() => true)
  const admin = await anAdmin(app)
  await storeAttempts(db, [
    { userId: users[0]!, exam, finishedAt: after(start, DAY_MS), isRight: all },
    { userId: users[1]!, exam, finishedAt: after(start, 40 * DAY_MS), isRight: all },
    { userId: admin.id, exam, finishedAt: start, isRight: all },
    { userId: null, exam, finishedAt: start, isRight: all },
  ])
  const { responses } = await readCalibrationFacts(db, course.id, after(start, 50 * DAY_MS))
  // 19 answers of each, then each meets the last question for the first time: one in the same month, one in the next.
  expect(responses.items.length).toBe(2 * 20)
  expect(responses.personCount).toBe(3)
  expect(responses.isRight.reduce((sum, one) => sum + one, 0)).toBeLessThan(40)
})

test('below 500 new answers, or a tenth of those counted before, nothing is calibrated', () => {
  expect(isCalibrationDue({ newCount: 499, countedBefore: 0 })).toBe(false)
  expect(isCalibrationDue({ newCount: 500, countedBefore: 0 })).toBe(true)
  expect(isCalibrationDue({ newCount: 999, countedBefore: 10_000 })).toBe(false)
  expect(isCalibrationDue({ newCount: 1000, countedBefore: 10_000 })).toBe(true)
})
