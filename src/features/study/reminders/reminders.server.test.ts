import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { realPages } from '../../../../tests/support/real-pages.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess, PASSWORD, type SignedIn } from '../../../../tests/support/users.ts'
import { addDays, localTime } from '../../../lib/calendar-day.ts'
import { HOUR_MS, MINUTE_MS } from '../../../lib/time.ts'
import { CachedQueries } from '../../../platform/cache/cached-queries.server.ts'
import { sendReminders } from './reminders-commands.server.ts'

/** A mail server: the shop sends to it over SMTP. */
const arrived: { to: string; raw: string }[] = []
const smtp = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, session, callback) {
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => {
      arrived.push({ to: session.envelope.rcptTo[0]?.address ?? '', raw: Buffer.concat(parts).toString() })
      callback()
    })
  },
})
await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise<void>((resolve) => smtp.close(() => resolve())))

const SMTP_URL = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`
const app = await startApp({ LOG_LEVEL: 'fatal', SMTP_URL, MAIL_FROM: 'shop@example.com' }, await realPages())
const { db } = app.services.database
const { mail, push, secret, log } = app.services
const cachedQueries = new CachedQueries({ isUp: () => false, now: () => 0 })
await anAdmin(app)

/** What the regular job does, at an instant of the test's choice. */
const remind = (now: Date) =>
  sendReminders({ db, cachedQueries, mail, push, secret, log, brand: 'Altocert', appUrl: app.url }, now)

/** Subjects queued for an address. */
const queuedFor = async ({ email }: SignedIn) => (await mail.listStored(db, email)).map(({ subject }) => subject)

/** An instant at an hour of the day after tomorrow in a zone. */
function at(hour: number, timeZone = 'UTC', from = app.clock.now()): Date {
  const day = addDays(localTime(from, timeZone).day, 2)
  for (let instant = from.getTime(); ; instant += 15 * MINUTE_MS) {
    const here = localTime(new Date(instant), timeZone)
    if (here.day === day && here.hour === hour) return new Date(instant)
  }
}

async function aLearner(
  wish: { hour?: number; days?: number; timeZone?: string; restDays?: number[]; questions?: number } = {},
) {
  const { hour = 8, days = 20, timeZone = 'UTC', restDays = [], questions = 60 } = wish
  const student = await aStudent(app)
  const addPlan = async () => {
    const course = await aCourse(db)
    const bank = Array.from({ length: questions }, (_, place) => aQuestion(place + 1))
    if (questions > 0) await anExam(db, course.id, { questions: bank })
    await giveAccess(app, student, course.id)
    const examDate = addDays(localTime(app.clock.now(), timeZone).day, days)
    const body = { examDate, timeZone, minutesADay: 30, restDays }
    expect((await student.browser.put(`/api/plans/${course.slug}`, body)).status).toBe(200)
    return course
  }
  const course = await addPlan()
  expect((await student.browser.put('/api/reminders', { hour })).status).toBe(200)
  return { student, course, addPlan }
}

test('a learner is reminded once a day at their hour, and the email says what is left and ends reminders by a post', async () => {
  const { student, course } = await aLearner()
  await remind(at(7))
  expect(await queuedFor(student)).toEqual([])
  await remind(at(8))
  await remind(at(9))
  expect(await queuedFor(student)).toEqual([expect.stringMatching(/^Today: \d+ new questions$/)])
  await expect.poll(() => arrived.filter(({ to }) => to === student.email).length, { timeout: 10_000 }).toBe(1)
  const raw = arrived.find(({ to }) => to === student.email)!.raw
  expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  const link = /List-Unsubscribe:\s+<([^>]+)>/.exec(raw.replaceAll(/\r\n\s+/g, ' '))![1]!.replaceAll(' ', '')
  const text = raw.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')
  expect(text).toMatch(new RegExp(`${course.title}: \\d+ new questions, about \\d+ minutes\\. 18 days to your exam\\.`))
  expect(text).toContain(`${app.url}/course/${course.slug}/plan`)
  expect(text).toContain(`Turn reminders off: ${link}`)

  const path = new URL(link).pathname
  // Programs that look at links open them.
  const opened = await app.visitor().get(path)
  expect([opened.status, String(opened.body).includes('Turn off')]).toEqual([200, true])
  expect((await student.browser.get('/api/reminders')).body).toEqual({ reminder: { hour: 8 } })
  for (const body of ['List-Unsubscribe=One-Click', new URLSearchParams({ a: 'b' }), oneClickForm()]) {
    // Without cookies and origin, as a mail program posts.
    const posted = await fetch(`${app.url}${path}`, { method: 'POST', redirect: 'manual', body })
    expect([posted.status, (await posted.text()).includes('Reminders are off.')]).toEqual([200, true])
    expect((await student.browser.get('/api/reminders')).body).toEqual({ reminder: null })
  }
  await remind(new Date(at(8).getTime() + 24 * HOUR_MS))
  expect(await queuedFor(student)).toHaveLength(1)
})

function oneClickForm() {
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  return form
}

test('a link that was changed turns nothing off', async () => {
  const { student } = await aLearner()
  for (const token of [student.id, `${student.id}.AAAA`, 'x'.repeat(400)])
    expect((await app.visitor().post('/api/reminders/stop', { token })).status).not.toBe(200)
  const posted = await app.visitor().post(`/stop-reminders/${student.id}.AAAA`, 'a=b', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(posted.status).toBe(404)
  expect((await student.browser.get('/api/reminders')).body).toEqual({ reminder: { hour: 8 } })
})

test('two processes at once send one reminder, which is about all courses', async () => {
  const { student, addPlan } = await aLearner()
  await addPlan()
  const now = at(8)
  await Promise.all(Array.from({ length: 6 }, () => remind(now)))
  expect(await queuedFor(student)).toEqual([expect.stringMatching(/^Today: Course \w+, Course \w+$/)])
})

test('a missed hour is made up for on the same day for six hours, and then not at all', async () => {
  const [early, late] = [await aLearner(), await aLearner()]
  await remind(at(13))
  expect(await queuedFor(early.student)).toHaveLength(1)
  expect(await queuedFor(late.student)).toHaveLength(1)
  const [missed, night] = [await aLearner(), await aLearner({ hour: 22 })]
  await remind(at(14))
  expect(await queuedFor(missed.student)).toEqual([])
  // The hours after midnight are of the next day.
  await remind(new Date(at(1).getTime()))
  expect(await queuedFor(night.student)).toEqual([])
})

test('the hour is of the learner, who is ahead or behind, also where a clock is changed', async () => {
  const east = await aLearner({ timeZone: 'Pacific/Kiritimati' })
  await remind(at(8, 'UTC'))
  expect(await queuedFor(east.student)).toEqual([])
  await remind(at(8, 'Pacific/Kiritimati'))
  expect(await queuedFor(east.student)).toHaveLength(1)

  const berlin = await aLearner({ hour: 2, timeZone: 'Europe/Berlin', days: 600 })
  await db
    .updateTable('access_periods')
    .set({ ends_at: new Date('2029-01-01') })
    .where('user_id', '=', berlin.student.id)
    .execute()
  const between = async (from: string, hours: number) => {
    const before = (await queuedFor(berlin.student)).length
    for (let step = 0; step < hours * 4; step += 1) await remind(new Date(Date.parse(from) + step * 15 * MINUTE_MS))
    return (await queuedFor(berlin.student)).length - before
  }
  // On 28 March 2027 the clock goes from 1:59 to 3:00; on 31 October 2027 the hour from 2:00 comes twice.
  expect(await between('2027-03-28T00:30:00Z', 2)).toBe(1)
  expect(await between('2027-10-30T23:30:00Z', 4)).toBe(1)
})

test('nothing is sent on days off, on the day of the exam and after it, when all is done, and without access', async () => {
  const weekday = new Date(at(8)).getUTCDay() || 7
  const resting = await aLearner({ restDays: [weekday] })
  const [examined, over] = [await aLearner({ days: 2 }), await aLearner({ days: 1 })]
  const done = await aLearner({ questions: 0 })
  const without = await aLearner()
  await db.deleteFrom('access_periods').where('user_id', '=', without.student.id).execute()
  const control = await aLearner()
  await remind(at(8))
  for (const { student } of [resting, examined, over, done, without]) expect(await queuedFor(student)).toEqual([])
  expect(await queuedFor(control.student)).toHaveLength(1)
})

test('locked and deleted accounts get none, and no reminder is left of a deleted one', async () => {
  const [locked, deleted] = [await aLearner(), await aLearner()]
  const lock = { locked_at: app.clock.now(), locked_reason: 'for a test' }
  await db.updateTable('users').set(lock).where('id', '=', locked.student.id).execute()
  const gone = await deleted.student.browser.post('/api/profiles/me/deletion', { password: PASSWORD })
  await remind(at(8))
  expect(await queuedFor(locked.student)).toEqual([])
  const left = await db.selectFrom('study_reminders').where('user_id', '=', deleted.student.id).select('hour').execute()
  expect([gone.status, left]).toEqual([200, []])
})

test('an hour that does not exist is refused, and a form of the page sets and ends reminders', async () => {
  const { student, course } = await aLearner()
  for (const hour of [25, 24, -1, 7.5, '8', null])
    expect([hour, (await student.browser.put('/api/reminders', { hour })).status]).toEqual([hour, 400])
  const submit = (remindHour: string) =>
    student.browser.post(`/course/${course.slug}/plan`, `do=remind&remindHour=${remindHour}`, {
      'content-type': 'application/x-www-form-urlencoded',
    })
  expect([(await submit('19')).status, (await student.browser.get('/api/reminders')).body]).toEqual([
    303,
    { reminder: { hour: 19 } },
  ])
  expect((await submit('99')).status).toBe(400)
  expect([(await submit('')).status, (await student.browser.get('/api/reminders')).body]).toEqual([
    303,
    { reminder: null },
  ])
})

test('without access to any course a learner still sees their reminders in the account, and turns them off there', async () => {
  const student = await aStudent(app)
  const submit = (remindHour: string) =>
    student.browser.post('/account', `do=remind&remindHour=${remindHour}`, {
      'content-type': 'application/x-www-form-urlencoded',
    })
  expect((await student.browser.get('/account')).body).toContain('No reminders')
  expect([(await submit('7')).status, (await student.browser.get('/api/reminders')).body]).toEqual([
    303,
    { reminder: { hour: 7 } },
  ])
  expect((await student.browser.get('/account')).body).toMatch(/<option value="7" selected=""/)
  expect((await submit('24')).status).toBe(400)
  expect([(await submit('')).status, (await student.browser.get('/api/reminders')).body]).toEqual([
    303,
    { reminder: null },
  ])
  expect(
    (
      await app.visitor().post('/account', 'do=remind&remindHour=7', {
        'content-type': 'application/x-www-form-urlencoded',
      })
    ).status,
  ).toBe(302)
})
