import { expect, test } from 'vitest'
import { aCourse } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aStudent, giveAccess } from '../../../../tests/support/users.ts'
import { addDays, dayIn, type CalendarDay } from '../../../lib/calendar-day.ts'
import type { CourseId } from '../../../lib/ids.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import { sendResultQuestions } from '../exam-results/exam-results-commands.server.ts'
import { listDueLearners } from '../reminders/todays-work-queries.server.ts'
import { getExamDate } from './plan-queries.server.ts'
import type { StoredPlan } from './plan.schema.ts'

const app = await startApp()
const { db } = app.services.database
const today = () => dayIn(app.clock.now(), 'UTC')

async function aPlanner() {
  const course = await aCourse(db)
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  const path = `/api/plans/${course.slug}`
  const { browser, id: userId } = student
  return {
    student,
    path,
    browser,
    stored: () => getExamDate(db, { userId, courseId: course.id as CourseId }),
    set: (examDate: CalendarDay, more: object = {}) =>
      browser.put(path, { examDate, timeZone: 'UTC', minutesADay: 30, ...more }),
    remove: () => browser.call('DELETE', path),
  }
}

test('a learner sets, moves and removes the exam date of a course; who has none is told', async () => {
  const { browser, path, set, remove, stored } = await aPlanner()
  expect((await browser.get(path)).status).toBe(404)
  const first = addDays(today(), 30)
  const wishes = { restDays: [7, 3, 7], wishedPercent: 85, timeZone: 'Europe/Berlin' }
  const reply = await set(first, wishes)
  expect([reply.status, reply.body]).toMatchObject([
    200,
    { examDate: first, timeZone: 'Europe/Berlin', minutesADay: 30, restDays: [3, 7], wishedPercent: 85, movedAt: null },
  ])
  const { setAt } = reply.body as StoredPlan
  app.clock.forward(HOUR_MS)
  expect((await set(first, { minutesADay: 60 })).body).toMatchObject({ minutesADay: 60, setAt, movedAt: null })
  const moved = (await set(addDays(first, 7))).body as StoredPlan
  expect(moved).toMatchObject({ examDate: addDays(first, 7), setAt })
  expect((await browser.get(path)).body).toEqual(moved)
  expect(await stored()).toMatchObject({ examDate: addDays(first, 7), movedAt: new Date(moved.movedAt!) })
  for (let time = 0; time < 2; time += 1) expect((await remove()).status).toBe(200)
  expect(await stored()).toBe(null)
})

test('after an exam the next date is a new one, not a moved one', async () => {
  const { set } = await aPlanner()
  await set(addDays(today(), 2))
  app.clock.forward(DAY_MS)
  expect((await set(addDays(today(), 3))).body).toMatchObject({ movedAt: expect.any(String) as unknown })
  app.clock.forward(5 * DAY_MS)
  const next = (await set(addDays(today(), 20))).body as StoredPlan
  expect([next.movedAt, new Date(next.setAt).getTime() > app.clock.now().getTime() - HOUR_MS]).toEqual([null, true])
})

test('a date in the past or too far, and wishes that cannot be, are refused with a sentence for their field', async () => {
  const { set, stored } = await aPlanner()
  const later = addDays(today(), 20)
  const cases: [CalendarDay, object, string][] = [
    [addDays(today(), -1), {}, 'examDate'],
    [addDays(today(), 731), {}, 'examDate'],
    ['2026-02-30', {}, 'examDate'],
    [later, { timeZone: 'Atlantis/Center' }, 'timeZone'],
    [later, { minutesADay: 0 }, 'minutesADay'],
    [later, { minutesADay: 1000 }, 'minutesADay'],
    [later, { minutesADay: 20.5 }, 'minutesADay'],
    [later, { restDays: [1, 2, 3, 4, 5, 6, 7] }, 'restDays'],
    [later, { wishedPercent: 101 }, 'wishedPercent'],
  ]
  for (const [day, wishes, field] of cases) {
    const { status, body } = await set(day, wishes)
    expect([field, status, body]).toMatchObject([field, 400, { error: { fields: [{ field }] } }])
  }
  expect(await stored()).toBe(null)
  for (const day of [today(), addDays(today(), 2), addDays(today(), 730)]) expect((await set(day)).status).toBe(200)
})

test('today is the day of the learner, whose clock is ahead or behind', async () => {
  const { set } = await aPlanner()
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const there = dayIn(app.clock.now(), timeZone)
    expect((await set(addDays(there, -1), { timeZone })).status).toBe(400)
    expect((await set(there, { timeZone })).body).toMatchObject({ examDate: there })
  }
})

test('a zone that only JavaScript knows does not end the reminders and questions of everybody', async () => {
  const { set } = await aPlanner()
  const day = addDays(today(), 20)
  for (const [typed, stored] of Object.entries({ MIT: 'Pacific/Apia', CET: 'Europe/Brussels', UTC: 'UTC' }))
    expect((await set(day, { timeZone: typed })).body).toMatchObject({ timeZone: stored })
  const { status, body } = await set(day, { timeZone: 'Canada/East-Saskatchewan' })
  expect([status, body]).toMatchObject([400, { error: { fields: [{ field: 'timeZone' }] } }])
  const { mail } = app.services
  await sendResultQuestions(db, { mail, brand: 'Altocert', appUrl: app.url }, app.clock.now())
  expect(await listDueLearners(db, app.clock.now())).toEqual([])
})

test('a date needs a course, a session and access; it is removed without access, too', async () => {
  const { path, browser, set, remove, stored, student } = await aPlanner()
  const [other, day] = [await aStudent(app), addDays(today(), 9)]
  const body = { examDate: day, timeZone: 'UTC', minutesADay: 30 }
  expect((await app.visitor().put(path, body)).status).toBe(401)
  expect((await other.browser.put(path, body)).status).toBe(403)
  expect((await browser.put('/api/plans/no-such-course', body)).status).toBe(404)
  await set(day)
  expect((await other.browser.get(path)).status).toBe(404)
  await db.deleteFrom('access_periods').where('user_id', '=', student.id).execute()
  expect((await set(day)).status).toBe(403)
  expect(await stored()).toMatchObject({ examDate: day })
  expect((await remove()).status).toBe(200)
  expect(await stored()).toBe(null)
})
