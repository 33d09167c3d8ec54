import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse } from '../../../tests/support/build-course.ts'
import { aStudent, giveAccess, type SignedIn } from '../../../tests/support/users.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { grantAccess, revokeAccess, sendAccessEmails } from './access-commands.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db } = app.services.database
const site = { mail: app.services.mail, brand: 'Altocert', appUrl: app.url }
const send = () => sendAccessEmails(db, site, app.clock.now())
const toldOf = async ({ id }: SignedIn) =>
  (await db.selectFrom('access_emails').where('user_id', '=', id).orderBy('sent_at').select('kind').execute()).map(
    ({ kind }) => kind,
  )
const mailsTo = async ({ email }: SignedIn) => {
  const reply = await app.visitor().get('/demo/outbox', { accept: 'application/json' })
  return (reply.body as { to: string; subject: string }[]).filter(({ to }) => to.includes(email))
}

test('one email is sent three days before access ends, and one after it has ended', async () => {
  const course = await aCourse(db, { title: 'Networks & Clouds' })
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  expect(await send()).toBe(0)
  app.clock.forward(27 * DAY_MS)
  expect(await send()).toBe(1)
  expect(await send()).toBe(0)
  const soon = await app.mailTo(student.email)
  expect(soon.subject).toBe('Your access to Networks & Clouds ends soon')
  expect(soon.text).toContain(`${app.url}/my-courses`)
  expect(soon.html).toContain('Networks &amp; Clouds')
  app.clock.forward(3 * DAY_MS)
  expect(await send()).toBe(1)
  expect(await send()).toBe(0)
  await expect
    .poll(async () => (await mailsTo(student)).map(({ subject }) => subject))
    .toContain('Your access to Networks & Clouds has ended')
  expect(await toldOf(student)).toEqual(['ends-soon', 'ended'])
  expect(await mailsTo(student)).toHaveLength(2)
})

test('after a renewal only the new end is announced', async () => {
  const course = await aCourse(db)
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  await giveAccess(app, student, course.id)
  app.clock.forward(29 * DAY_MS)
  expect(await send()).toBe(0)
  app.clock.forward(28.5 * DAY_MS)
  expect(await send()).toBe(1)
  await giveAccess(app, student, course.id)
  app.clock.forward(2 * DAY_MS)
  expect(await send()).toBe(0)
  app.clock.forward(28 * DAY_MS)
  expect(await send()).toBe(1)
  expect(await toldOf(student)).toEqual(['ends-soon', 'ends-soon'])
})

test('many processes at once send one email', async () => {
  const course = await aCourse(db)
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  app.clock.forward(28 * DAY_MS)
  const counts = await Promise.all([send(), send(), send(), send()])
  expect(counts.reduce((total, count) => total + count, 0)).toBe(1)
  expect(await toldOf(student)).toEqual(['ends-soon'])
})

test('no email is sent about access that was revoked or ended long ago', async () => {
  const course = await aCourse(db)
  const [refunded, old] = [await aStudent(app), await aStudent(app)]
  const code = 'AAAA-BBBB-CCCC'
  const grant = { userId: refunded.id, courseId: course.id, orderLineId: null, now: app.clock.now() }
  await grantAccess(db, { ...grant, source: 'seat', seatCode: code })
  await giveAccess(app, old, course.id)
  app.clock.forward(28 * DAY_MS)
  await revokeAccess(db, { orderLineIds: [], seatCodes: [code] }, app.clock.now())
  app.clock.forward(2 * DAY_MS + 7 * DAY_MS + HOUR_MS)
  await send()
  expect(await toldOf(refunded)).toEqual([])
  expect(await toldOf(old)).toEqual([])
})

test('the email about a course that is no longer sold offers no renewal', async () => {
  const course = await aCourse(db)
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  await db.updateTable('courses').set({ status: 'withdrawn' }).where('id', '=', course.id).execute()
  app.clock.forward(28 * DAY_MS)
  await send()
  const mail = await app.mailTo(student.email)
  expect(mail.text).toContain('no longer sold')
  expect(mail.text).not.toContain('Renew')
})

test('an email whose transaction is rolled back is neither sent nor recorded', async () => {
  const course = await aCourse(db)
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  app.clock.forward(28 * DAY_MS)
  const broken = { ...site, mail: { ...site.mail, send: () => Promise.reject(new Error('the queue is away')) } }
  await expect(sendAccessEmails(db, broken, app.clock.now())).rejects.toThrow('the queue is away')
  expect(await toldOf(student)).toEqual([])
  await send()
  expect(await toldOf(student)).toEqual(['ends-soon'])
})
