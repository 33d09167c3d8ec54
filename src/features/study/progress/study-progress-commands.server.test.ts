import { expect, test } from 'vitest'
import { asChoice } from '../../../../tests/support/choices.ts'
import { selecting } from '../../../../tests/support/answers.ts'
import { aCourse, anExam } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess } from '../../../../tests/support/users.ts'
import { addDays, dayIn } from '../../../lib/calendar-day.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import { storeAttempts } from '../calibration/stored-answers.fixture.ts'
import { bringProgressUpToDate, listMeasuredAnswers, measuredAnswerPages } from './study-progress-commands.server.ts'
import type { DrillView } from '../study.schema.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db } = app.services.database

async function aLearner() {
  const course = await aCourse(db)
  const exam = await anExam(db, course.id)
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  const { browser, id: userId } = student
  const progress = () => bringProgressUpToDate(db, { userId })
  return {
    course,
    exam,
    browser,
    userId,
    progress,
    /** The stored progress, and what all answers give. */
    async both() {
      const stored = await progress()
      await db.deleteFrom('study_progress').where('user_id', '=', userId).execute()
      return { stored, computed: await progress() }
    },
    /** Takes the exam; the answer to each question is the option at the given place. */
    async take(options: readonly number[]) {
      app.clock.forward(HOUR_MS)
      const { body } = await browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice' })
      const answers = Object.fromEntries(
        exam.questions.map((question, place) => {
          const answer = selecting(question.options[options[place] ?? 0]!.id)
          return [question.id, { answer, isFlagged: false, seq: 1, writer: 'w' }]
        }),
      )
      const { id } = body as { id: string }
      expect((await browser.post(`/api/attempts/${id}/finish`, { writer: 'w', answers })).status).toBe(200)
      return id
    },
  }
}

test('stored progress follows every exam, drill answer and flag', async () => {
  const { both, browser, course, take } = await aLearner()
  const expectTrue = async () => {
    const { stored, computed } = await both()
    expect(stored).toEqual(computed)
    return computed.get(course.id)
  }
  expect(await expectTrue()).toBe(undefined)
  await take([0, 1])
  expect((await expectTrue())?.attemptCount).toBe(1)
  await take([1])
  expect((await expectTrue())?.attemptCount).toBe(2)
  app.clock.forward(HOUR_MS)
  const drill = (await browser.post('/api/drills', { courseSlug: course.slug, filters: {} })).body as DrillView
  for (const place of [0, 1]) {
    const answer = selecting(asChoice(drill.questions[place]!.question).options[0]!.id)
    await browser.post(`/api/drills/${drill.id}/questions/${place}/check`, { answer })
    await expectTrue()
  }
  await browser.put(`/api/drills/${drill.id}/questions/0/flag`, { isFlagged: true })
  expect([...((await expectTrue())?.questions.values() ?? [])].filter(({ isFlagged }) => isFlagged)).toHaveLength(1)
})

test('many answers are read in pages, none twice, none left out, and those of one instant together', async () => {
  const { exam, userId, course } = await aLearner()
  const answered = {
    ...exam,
    familyId: exam.id,
    questions: exam.questions.map(({ id, options }) => ({ id, right: options[0]!.id, wrong: options[1]!.id })),
  }
  const start = app.clock.now().getTime() - 400 * DAY_MS
  const count = Math.ceil(2500 / exam.questions.length)
  await storeAttempts(
    db,
    Array.from({ length: count }, (_, number) => ({
      userId,
      exam: answered,
      // Three attempts at each instant.
      finishedAt: new Date(start + Math.floor(number / 3) * HOUR_MS),
      isRight: exam.questions.map((_question, place) => (number + place) % 3 > 0),
    })),
  )
  const all = { userId, courseId: course.id, after: null, until: app.clock.now().toISOString() }
  const { answers } = await listMeasuredAnswers(db, all)
  const pages: (typeof answers)[] = []
  for await (const page of measuredAnswerPages(db, all)) pages.push(page.answers)
  expect(answers).toHaveLength(count * exam.questions.length)
  expect(pages.flat()).toEqual(answers)
  expect(pages.length).toBeGreaterThan(2)
  for (const page of pages) expect(page.length).toBeLessThan(1100)
  for (const [number, page] of pages.slice(1).entries())
    expect(page[0]!.at.getTime()).toBeGreaterThan(pages[number]!.at(-1)!.at.getTime())
})

test('a corrected answer key changes the progress of whoever answered in drills only', async () => {
  const { both, browser, course, exam, progress } = await aLearner()
  const drill = (await browser.post('/api/drills', { courseSlug: course.slug, filters: {} })).body as DrillView
  const [question] = exam.questions
  const { place } = drill.questions.find((one) => one.question.id === question!.id)!
  const [right, wrong] = question!.options
  await browser.post(`/api/drills/${drill.id}/questions/${place}/check`, { answer: selecting(right!.id) })
  const cards = async () => [...((await progress()).get(course.id)?.questions.values() ?? [])].map(({ card }) => card)
  expect(await cards()).toEqual([null])
  const admin = await anAdmin(app)
  const corrected = await admin.browser.post(`/api/exams/${exam.id}/questions/${question!.id}/key`, {
    id: crypto.randomUUID(),
    rightOptionIds: [wrong!.id],
    wasRightOptionIds: [right!.id],
    reason: 'The second option is right.',
  })
  expect(corrected.status).toBe(200)
  expect(await cards()).not.toEqual([null])
  const { stored, computed } = await both()
  expect(stored).toEqual(computed)
})

test('a finished exam reads its own answers alone, however many there were before', async () => {
  const { progress, take, course, userId } = await aLearner()
  const first = await take([1, 1])
  const before = (await progress()).get(course.id)
  // Whoever read these answers again would miss them.
  await db.deleteFrom('attempt_answers').where('attempt_id', '=', first).execute()
  await take([0, 1])
  const after = (await progress()).get(course.id)
  expect(before?.attemptCount).toBe(1)
  expect(after?.attemptCount).toBe(2)
  expect([...(after?.questions.values() ?? [])].slice(0, 2).map(({ missedAt }) => missedAt)).toEqual([null, 2])
  expect([...(after?.questions.values() ?? [])].map(({ card }) => card?.reps ?? 0)).toContain(2)
  const { count } = await db
    .selectFrom('study_progress')
    .where('user_id', '=', userId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(1)
})

test('stored days follow the time zone of the plan when a date is set, its zone changes, or it is removed', async () => {
  const { both, browser, course, take } = await aLearner()
  await take([0])
  const daysIn = async (timeZone: string) => {
    const { stored, computed } = await both()
    expect(stored).toEqual(computed)
    expect(stored.get(course.id)?.days.map(({ day }) => day)).toEqual([dayIn(app.clock.now(), timeZone)])
  }
  await daysIn('UTC')
  const path = `/api/plans/${course.slug}`
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const examDate = addDays(dayIn(app.clock.now(), timeZone), 20)
    expect((await browser.put(path, { examDate, timeZone, minutesADay: 30 })).status).toBe(200)
    await daysIn(timeZone)
  }
  await browser.call('DELETE', path)
  await daysIn('UTC')
})
