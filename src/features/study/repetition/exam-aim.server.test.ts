import { expect, test } from 'vitest'
import { selecting } from '../../../../tests/support/answers.ts'
import { asChoice } from '../../../../tests/support/choices.ts'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aStudent, giveAccess } from '../../../../tests/support/users.ts'
import { addDays, dayIn } from '../../../lib/calendar-day.ts'
import { DAY_MS, MINUTE_MS } from '../../../lib/time.ts'
import { CachedQueries } from '../../../platform/cache/cached-queries.server.ts'
import { getHistory, getStudy, listSummaries } from '../study-queries.server.ts'
import type { DrillView } from '../study.schema.ts'

const app = await startApp()
const { db } = app.services.database
const cachedQueries = new CachedQueries({ isUp: () => true, now: () => app.clock.now().getTime() })
const ZONE = 'Pacific/Auckland'
const today = () => dayIn(app.clock.now(), ZONE)

/** A learner who missed this many questions, knew them a quarter of an hour later, and has no date yet. */
async function aLearner(count: number) {
  const course = await aCourse(db)
  await anExam(db, course.id, { questions: Array.from({ length: count }, (_, place) => aQuestion(place + 1)) })
  const student = await aStudent(app)
  const { browser } = student
  await giveAccess(app, student, course.id)
  for (const option of [1, 0]) {
    const drill = (await browser.post('/api/drills', { courseSlug: course.slug, filters: { count } })).body as DrillView
    for (const { place, question } of drill.questions) {
      // In the tests' questions the first option is right; its id ends with -0.
      const chosen = asChoice(question).options.find(({ id }) => id.endsWith(`-${option}`))!.id
      const path = `/api/drills/${drill.id}/questions/${place}/check`
      expect((await browser.post(path, { answer: selecting(chosen) })).status).toBe(200)
    }
    app.clock.forward(15 * MINUTE_MS)
  }
  const of = () => ({ userId: student.id, courseId: course.id, now: app.clock.now() })
  return {
    course,
    browser,
    setDate: async (days: number | null) => {
      const path = `/api/plans/${course.slug}`
      const wish = { examDate: addDays(today(), days ?? 0), timeZone: ZONE, minutesADay: 60 }
      const reply = days === null ? await browser.call('DELETE', path) : await browser.put(path, wish)
      expect(reply.status).toBe(200)
    },
    /** From the database, as drills are built, and from the cache, as pages show it. */
    study: async () => {
      const history = await getHistory({ cachedQueries, db }, student.id)
      const summaries = await listSummaries(
        { cachedQueries, db },
        { courseIds: [course.id], history, now: app.clock.now() },
      )
      const { questions, dueAhead } = await getStudy(db, of())
      const summary = summaries.get(course.id)!
      expect(summary.dueAhead).toEqual(dueAhead)
      return { dueAhead, examDate: summary.repetition.examDate, dues: questions.map(({ dueAt }) => dueAt!) }
    },
  }
}

test('an exam date that is set, moved, over or removed counts for existing cards at once, in drills and on pages', async () => {
  const { browser, study, setDate, course } = await aLearner(6)
  const plain = await study()
  expect(plain.examDate).toBe(null)
  await setDate(2)
  const soon = await study()
  expect(soon.examDate).toBe(addDays(today(), 2))
  expect(soon.dueAhead.slice(0, 3)).toEqual([0, 6, 0])
  expect(soon.dues.map((due) => dayIn(due, ZONE))).toEqual(Array.from({ length: 6 }, () => addDays(today(), 1)))
  await setDate(60)
  expect((await study()).dues).toEqual(plain.dues)
  await setDate(0)
  expect(await study()).toMatchObject({ dues: plain.dues, examDate: null })
  await setDate(4)
  expect((await browser.get(`/api/plans/${course.slug}`)).status).toBe(200)
  await setDate(null)
  expect(await study()).toEqual(plain)
})

test('what is due today is counted in the day of the learner, and starts a drill', async () => {
  const { browser, study, setDate, course } = await aLearner(4)
  await setDate(2)
  app.clock.forward(DAY_MS)
  const { dueAhead } = await study()
  expect(dueAhead[0]).toBe(4)
  const drill = await browser.post('/api/drills', { courseSlug: course.slug, filters: { from: ['due'] } })
  expect((drill.body as DrillView).questions).toHaveLength(4)
})
