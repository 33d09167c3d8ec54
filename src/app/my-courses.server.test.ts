import type { LoaderFunctionArgs } from 'react-router'
import { expect, test } from 'vitest'
import { aCourse, anExam } from '../../tests/support/build-course.ts'
import { startApp } from '../../tests/support/start-app.ts'
import { aStudent, giveAccess } from '../../tests/support/users.ts'
import { addDays, dayIn } from '../lib/calendar-day.ts'
import type { RenderPage } from './server/guest-pages.server.ts'
import { myCoursesLoader } from './page-loaders.server.ts'

/** The number of statements that the loader of My Courses sends; each takes a connection of the pool. */
const pages: RenderPage = async (request, context) => {
  const { pool } = app.services.database
  let statements = 0
  const count = () => (statements += 1)
  pool.on('acquire', count)
  const data = await myCoursesLoader({ request, params: {}, context } as unknown as LoaderFunctionArgs)
  pool.off('acquire', count)
  return Response.json({ statements, data })
}

const app = await startApp({ LOG_LEVEL: 'fatal' }, pages)
const { db } = app.services.database
type Loaded = {
  statements: number
  data: { study: Record<string, { plan: { daysLeft: number } | null }>; asked: unknown[] }
}

async function aPlanner(courses: number) {
  const student = await aStudent(app)
  for (let place = 0; place < courses; place += 1) {
    const course = await aCourse(db)
    await anExam(db, course.id)
    await giveAccess(app, student, course.id)
    const examDate = addDays(dayIn(app.clock.now(), 'UTC'), 20 + place)
    const wish = { examDate, timeZone: 'UTC', minutesADay: 30, restDays: [], wishedPercent: null }
    expect((await student.browser.put(`/api/plans/${course.slug}`, wish)).status).toBe(200)
  }
  const load = async () => (await student.browser.get('/my-courses')).body as Loaded
  /** Other work of the process uses the same pool now and then, so the least of some loads counts. */
  const leastStatements = async () => {
    const loads: number[] = []
    for (let turn = 0; turn < 5; turn += 1) loads.push((await load()).statements)
    return Math.min(...loads)
  }
  return { student, load, leastStatements }
}

test('My Courses asks the database twice when nothing has changed, for five courses with plans as for one', async () => {
  const [one, five] = [await aPlanner(1), await aPlanner(5)]
  expect(
    Object.values((await five.load()).data.study)
      .map(({ plan }) => plan?.daysLeft)
      .toSorted(),
  ).toEqual([20, 21, 22, 23, 24])
  expect(await one.leastStatements()).toBe(2)
  expect(await five.leastStatements()).toBe(2)
})

test('a changed plan and an answer to how the exam went show in My Courses at once', async () => {
  const { student, load } = await aPlanner(1)
  const plan = await db
    .selectFrom('study_plans')
    .where('user_id', '=', student.id)
    .selectAll()
    .executeTakeFirstOrThrow()
  const { slug } = await db
    .selectFrom('courses')
    .where('id', '=', plan.course_id)
    .select('slug')
    .executeTakeFirstOrThrow()
  const days = async () => Object.values((await load()).data.study)[0]?.plan?.daysLeft
  expect(await days()).toBe(20)
  const yesterday = addDays(dayIn(app.clock.now(), 'UTC'), -1)
  await db.updateTable('study_plans').set({ exam_date: yesterday }).where('user_id', '=', student.id).execute()
  expect(await days()).toBe(-1)
  expect((await load()).data.asked).toMatchObject([{ courseSlug: slug, examDate: yesterday }])
  expect((await student.browser.post(`/api/results/${slug}/${yesterday}/later`)).status).toBe(200)
  expect((await load()).data.asked).toEqual([])
})
