import { expect, test } from 'vitest'
import { selecting } from '../../../../tests/support/answers.ts'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aStudent, giveAccess } from '../../../../tests/support/users.ts'
import { addDays, dayIn } from '../../../lib/calendar-day.ts'
import { DAY_MS, MINUTE_MS } from '../../../lib/time.ts'
import { bringProgressUpToDate } from '../progress/study-progress-commands.server.ts'
import { listReadinessDays } from './readiness-history-queries.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db } = app.services.database

async function aLearner() {
  const course = await aCourse(db)
  const exams = [await anExam(db, course.id, of40()), await anExam(db, course.id, of40())]
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  const of = { userId: student.id, courseId: course.id }
  return {
    of,
    browser: student.browser,
    courseSlug: course.slug,
    days: () => listReadinessDays(db, of),
    update: () => bringProgressUpToDate(db, of),
    /** Takes an exam; one question in four is answered wrong. */
    async take(place: number) {
      const exam = exams[place]!
      const { body } = await student.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice' })
      const answers = Object.fromEntries(
        exam.questions.map(({ id, options }, number) => {
          const answer = selecting(options[number % 4 === 0 ? 1 : 0]!.id)
          return [id, { answer, isFlagged: false, seq: 1, writer: 'w', confidence: 'sure' }]
        }),
      )
      const path = `/api/attempts/${(body as { id: string }).id}/finish`
      expect((await student.browser.post(path, { writer: 'w', answers })).status).toBe(200)
    },
  }
}

const of40 = () => ({ questions: Array.from({ length: 40 }, (_, number) => aQuestion(number)) })
const today = () => app.clock.now().toISOString().slice(0, 10)

test('each day with answers has the estimate of its end, however late progress is brought up to date', async () => {
  const { take, update, days } = await aLearner()
  expect(await days()).toEqual([])
  const first = today()
  await take(0)
  app.clock.forward(3 * DAY_MS)
  const second = today()
  await take(1)
  app.clock.forward(DAY_MS)
  await update()
  const told = await days()
  expect(told.map(({ day, answered }) => [day, answered])).toEqual([
    [first, 40],
    [second, 80],
  ])
  for (const { lowPercent, meanPercent, highPercent, realExam, abilities } of told) {
    expect(meanPercent).toBeGreaterThan(lowPercent)
    expect(meanPercent).toBeLessThan(highPercent)
    expect(realExam.highPercent - realExam.lowPercent).toBeGreaterThan(highPercent - lowPercent)
    expect(abilities.questions).toBe(65)
  }
})

test('days are those of the zone of the plan, and what was told moves with it when it is set, changed and removed', async () => {
  const { of, browser, courseSlug, take, update, days } = await aLearner()
  const named = async () => (await days()).map(({ day, meanPercent }) => [day, meanPercent])
  const instants: Date[] = []
  for (const place of [0, 1]) {
    instants.push(app.clock.now())
    await take(place)
    await update()
    app.clock.forward(3 * DAY_MS)
  }
  // What was told is told apart from what would be computed.
  await db.updateTable('readiness_days').set({ mean: 1 }).where('user_id', '=', of.userId).execute()
  const expected = (timeZone: string) => [
    [dayIn(instants[0]!, timeZone), 1],
    [dayIn(instants[1]!, timeZone), expect.not.closeTo(1)],
  ]
  const path = `/api/plans/${courseSlug}`
  // One of these zones is always in another day than UTC.
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const examDate = addDays(dayIn(app.clock.now(), timeZone), 20)
    expect((await browser.put(path, { examDate, timeZone, minutesADay: 30 })).status).toBe(200)
    await update()
    expect(await named()).toEqual(expected(timeZone))
  }
  // Rows of the version before have no instant: they count as told at noon.
  await db.updateTable('readiness_days').set({ last_at: null }).where('user_id', '=', of.userId).execute()
  await browser.call('DELETE', path)
  await update()
  expect((await days()).at(-1)?.day).toBe(dayIn(instants[1]!, 'UTC'))
})

test('two days that become one in another zone keep what was told last', async () => {
  const { of, browser, courseSlug, take, update, days } = await aLearner()
  // Shortly before and after midnight in UTC.
  const today = app.clock.now().getTime()
  app.clock.forward(Math.ceil(today / DAY_MS) * DAY_MS + DAY_MS - 10 * MINUTE_MS - today)
  await take(0)
  await update()
  app.clock.forward(20 * MINUTE_MS)
  await take(1)
  await update()
  expect(await days()).toHaveLength(2)
  app.clock.forward(DAY_MS)
  const timeZone = 'America/New_York'
  const examDate = addDays(dayIn(app.clock.now(), timeZone), 20)
  expect((await browser.put(`/api/plans/${courseSlug}`, { examDate, timeZone, minutesADay: 30 })).status).toBe(200)
  await bringProgressUpToDate(db, of)
  expect((await days()).map(({ answered }) => answered)).toEqual([80])
})

test('reading adds no day, and two exams of one day are one', async () => {
  const { take, update, days } = await aLearner()
  await take(0)
  await update()
  const [once] = await days()
  await take(1)
  await update()
  const both = await days()
  expect(both).toHaveLength(1)
  expect([once?.answered, both[0]?.answered]).toEqual([40, 80])
  app.clock.forward(5 * DAY_MS)
  await update()
  expect(await days()).toEqual(both)
})

test('what was told on an earlier day stays when all answers are read again, and days that are missing come back', async () => {
  const { of, take, update, days } = await aLearner()
  await take(0)
  await update()
  const [first] = await days()
  app.clock.forward(DAY_MS)
  await take(1)
  await update()
  await db.updateTable('readiness_days').set({ mean: 1 }).where('user_id', '=', of.userId).execute()
  await db.deleteFrom('study_progress').where('user_id', '=', of.userId).execute()
  await update()
  const [told, last] = await days()
  expect(told?.meanPercent).toBe(1)
  expect(last?.meanPercent).toBeGreaterThan(50)
  await db.deleteFrom('readiness_days').where('user_id', '=', of.userId).execute()
  await db.deleteFrom('study_progress').where('user_id', '=', of.userId).execute()
  await update()
  expect((await days())[0]).toEqual(first)
})
