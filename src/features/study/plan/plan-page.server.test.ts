import { expect, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { realPages } from '../../../../tests/support/real-pages.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aStudent, giveAccess, PASSWORD } from '../../../../tests/support/users.ts'
import { addDays, dayIn } from '../../../lib/calendar-day.ts'
import { DAY_MS } from '../../../lib/time.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' }, await realPages())
const { db } = app.services.database
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const today = () => dayIn(app.clock.now(), 'UTC')

async function aPlanner(days: number, minutes = 60) {
  const course = await aCourse(db)
  const questions = Array.from({ length: 90 }, (_, place) => aQuestion(place + 1))
  await anExam(db, course.id, { questions })
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  const path = `/course/${course.slug}/plan`
  const submit = (fields: Record<string, string>) =>
    student.browser.post(path, new URLSearchParams(fields).toString(), FORM)
  const wish = { examDate: addDays(today(), days), timeZone: 'UTC', minutesADay: String(minutes) }
  expect((await submit({ do: 'save', ...wish })).status).toBe(303)
  /** Sessions end after days without a visit. */
  const signIn = () => student.browser.post('/api/auth/sign-in', { email: student.email, password: PASSWORD })
  return { student, submit, signIn, wish, course, text: async () => textOf((await student.browser.get(path)).body) }
}

/** The words of a page, without its tags and data. */
function textOf(body: unknown): string {
  return String(body)
    .replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

const newToday = (text: string) => Number(/(\d+) new questions/.exec(text)?.[1])

test('a missed week is spread over the days that are left, and a moved date changes the plan', async () => {
  const { text, submit, signIn, wish } = await aPlanner(25)
  const first = await text()
  expect(first).toContain('25 days to your exam')
  expect(newToday(first)).toBe(5)
  app.clock.forward(7 * DAY_MS)
  await signIn()
  const later = await text()
  expect(later).toContain('18 days to your exam')
  expect(newToday(later)).toBe(6)
  expect((await submit({ do: 'save', ...wish, examDate: addDays(today(), 40) })).status).toBe(303)
  expect(newToday(await text())).toBe(3)
})

test("today's tasks start by a form without scripts, and count as done today", async () => {
  const { text, submit, student } = await aPlanner(25)
  const started = await submit({ do: 'new', count: '5', 'domain-0': 'Odd' })
  expect([started.status, started.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/\/drill\/[0-9a-f-]{36}$/),
  ])
  expect(await text()).toContain('A drill is open.')
  expect((await submit({ do: 'due', count: '5' })).status).toBe(409)
  expect((await submit({ do: 'else' })).status).toBe(400)
  expect(textOf((await student.browser.get('/my-courses')).body)).toMatch(/25 days to your exam .* Planned: 5 new/)
})

test('too little time is named with what helps, and wishes that cannot be are refused with what was typed', async () => {
  const { text, submit, wish } = await aPlanner(3, 20)
  expect(await text()).toMatch(/Not everything fits .* minutes a day instead of 20/)
  const refused = await submit({ do: 'save', ...wish, minutesADay: '1000', 'rest-7': 'yes' })
  expect([refused.status, textOf(refused.body).includes('Choose 5 to 600 minutes a day')]).toEqual([400, true])
  expect(String(refused.body)).toMatch(/name="minutesADay"[^>]*value="1000"/)
  const restless = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((day) => [`rest-${day}`, 'yes']))
  const days = String((await submit({ do: 'save', ...wish, ...restless })).body)
  const boxes = days.match(/<input [^>]*name="rest-\d"[^>]*>/g) ?? []
  expect(boxes.map((box) => box.includes('aria-invalid="true"'))).toEqual(Array(7).fill(true))
  const [, described] = /<fieldset aria-describedby="([^"]+)"/.exec(days) ?? []
  expect(days).toContain(`<p id="${described}"`)
})

test('a plan beyond the access offers to renew, and stays readable after the access', async () => {
  const { text, signIn, wish, submit } = await aPlanner(40)
  expect(await text()).toMatch(/Your access ends before the exam .* Renew the course/)
  app.clock.forward(31 * DAY_MS)
  await signIn()
  const ended = await text()
  expect(ended).toMatch(/9 days to your exam .* Your access has ended.* Renew the course/)
  expect((await submit({ do: 'save', ...wish })).status).toBe(403)
})

test('on the day there is nothing to study; after it the page asks how the exam went, and a new date can be set', async () => {
  const { text } = await aPlanner(2)
  app.clock.forward(2 * DAY_MS)
  expect(await text()).toContain('Your exam is today')
  app.clock.forward(DAY_MS)
  const after = await text()
  expect(after).toContain('Your exam was on')
  expect(after).toContain('How did your exam go?')
  expect(after).toMatch(/The pledge \d of 6 conditions met so far/)
})
