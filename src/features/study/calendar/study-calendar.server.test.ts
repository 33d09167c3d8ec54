import { expect, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { realPages } from '../../../../tests/support/real-pages.ts'
import { startApp, type Reply } from '../../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess, PASSWORD } from '../../../../tests/support/users.ts'
import { addDays, dayIn } from '../../../lib/calendar-day.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { loggedPath } from '../../../platform/log.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' }, await realPages())
const { db } = app.services.database
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const today = () => dayIn(app.clock.now(), 'UTC')

async function aPlanner(days = 20) {
  const course = await aCourse(db)
  const domains = ['Odd', 'Even'].map((name) => ({ name, weight: 50 }))
  const blueprint = JSON.stringify({
    code: 'X-1',
    questions: 20,
    minutes: 40,
    passingScore: 700,
    source: 'https://example.com/guide',
    domains,
  })
  await db.updateTable('courses').set({ blueprint }).where('id', '=', course.id).execute()
  await anExam(db, course.id, { questions: Array.from({ length: 60 }, (_, place) => aQuestion(place + 1)) })
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  const examDate = addDays(today(), days)
  const path = `/api/plans/${course.slug}`
  await student.browser.put(path, { examDate, timeZone: 'UTC', minutesADay: 60 })
  const make = async () => ((await student.browser.post(`${path}/calendar`)).body as { path: string }).path
  const page = `/course/${course.slug}/plan`
  const submit = (act: string) => student.browser.post(page, `do=${act}`, FORM)
  const shown = async () =>
    /value="(http[^"]*\/calendar\/[^"]*)"/.exec(String((await student.browser.get(page)).body))?.[1]
  return { course, student, examDate, path, make, submit, shown }
}

/** A reader without a session: a calendar program. */
const subscribe = (path: string) => app.visitor().get(path)
const textOf = ({ body }: Reply) => String(body).replaceAll('\r\n ', '')
const valuesOf = (reply: Reply, name: string) =>
  textOf(reply)
    .split('\r\n')
    .filter((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`))
    .map((line) => line.slice(line.indexOf(':') + 1))

test('who has the secret address reads the plan without a session, and nobody in between keeps it', async () => {
  const { make, course, examDate } = await aPlanner()
  const reply = await subscribe(await make())
  expect(reply.status).toBe(200)
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
  })
  const titles = valuesOf(reply, 'SUMMARY')
  expect(titles.filter((title) => title.startsWith('Mock exam')).length).toBeGreaterThan(1)
  expect(titles[0]).toMatch(new RegExp(`^\\d+ new questions: ${course.title}$`))
  expect(titles.at(-1)).toBe(`Exam: ${course.title}`)
  expect(valuesOf(reply, 'DTSTART').at(-1)).toBe(examDate.replaceAll('-', ''))
  expect(textOf(reply)).toContain(`${app.url}/course/${course.slug}/plan`)
})

test('the ids of events stay the same from day to day, and differ between learners', async () => {
  const [one, other] = [await aPlanner(), await aPlanner()]
  const [first, foreign] = [await subscribe(await one.make()), await subscribe(await other.make())]
  app.clock.forward(DAY_MS)
  const later = await subscribe(await one.make())
  const known = new Set(valuesOf(first, 'UID'))
  expect(known.size).toBe(valuesOf(first, 'UID').length)
  // A day that was free may get a task, because yesterday was missed.
  expect(valuesOf(later, 'UID').filter((id) => known.has(id)).length).toBeGreaterThan(10)
  expect(valuesOf(later, 'UID').at(-1)).toBe(valuesOf(first, 'UID').at(-1))
  expect(valuesOf(foreign, 'UID').filter((id) => known.has(id))).toEqual([])
})

test('a new address ends the former one, and a removed one shows nothing; the page does it by forms', async () => {
  const { submit, shown, student, path } = await aPlanner()
  expect(await shown()).toBe(undefined)
  expect((await submit('calendar-new')).status).toBe(303)
  const first = new URL((await shown())!).pathname
  expect((await subscribe(first)).status).toBe(200)
  expect((await submit('calendar-new')).status).toBe(303)
  const second = new URL((await shown())!).pathname
  expect([(await subscribe(first)).status, (await subscribe(second)).status]).toEqual([404, 200])
  for (let time = 0; time < 2; time += 1) expect((await submit('calendar-remove')).status).toBe(303)
  expect([(await subscribe(second)).status, await shown()]).toEqual([404, undefined])
  const file = await student.browser.get(`${path}/calendar`)
  expect([file.status, file.headers.get('content-disposition')]).toEqual([200, expect.stringContaining('attachment')])
})

test('an address that cannot be, a removed plan, and a locked account show nothing', async () => {
  const { make, student, path } = await aPlanner()
  const address = await make()
  for (const wrong of ['/calendar/none.ics', '/calendar/..%2f.ics', address.toUpperCase(), address.replace('.ics', '')])
    expect([wrong, (await subscribe(wrong)).status]).toEqual([wrong, 404])
  // A shop without an admin locks nobody.
  await anAdmin(app)
  const lock = (at: Date | null) =>
    db
      .updateTable('users')
      .set({ locked_at: at, locked_reason: at && 'for a test' })
      .where('id', '=', student.id)
      .execute()
  await lock(app.clock.now())
  expect((await subscribe(address)).status).toBe(404)
  await lock(null)
  expect((await subscribe(address)).status).toBe(200)
  await student.browser.call('DELETE', path)
  expect((await subscribe(address)).status).toBe(404)
})

test('after the access only the exam is left, with where to renew, and before it each later day says so', async () => {
  const { make, course, student } = await aPlanner(40)
  const address = await make()
  expect(textOf(await subscribe(address))).toContain('This day is after the end of your access. Renew it here:')
  app.clock.forward(31 * DAY_MS)
  const reply = await subscribe(address)
  expect(valuesOf(reply, 'SUMMARY')).toEqual([`Exam: ${course.title}`])
  expect(valuesOf(reply, 'DESCRIPTION')[0]).toBe(
    `Your access to the course has ended\\, so the days until the exam are not listed. Renew it here:\\n${app.url}/course/${course.slug}`,
  )
  await student.browser.post('/api/auth/sign-in', { email: student.email, password: PASSWORD })
  const page = String((await student.browser.get(`/course/${course.slug}/plan`)).body)
  expect(page).toContain(address)
})

test('the day of the exam stays in the calendar after it', async () => {
  const { make, examDate } = await aPlanner(3)
  const address = await make()
  app.clock.forward(5 * DAY_MS)
  expect(valuesOf(await subscribe(address), 'DTSTART')).toEqual([examDate.replaceAll('-', '')])
})

test('the secret of an address is in no log', () => {
  expect(loggedPath(`/calendar/${'0b8f6a52'.repeat(4)}.ics`)).toBe('/calendar/…')
})
