import { getRequestListener } from '@hono/node-server'
import { afterAll, expect, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aStudent, anAdmin, giveAccess, PASSWORD } from '../../../../tests/support/users.ts'
import { aPushBrowser } from '../../../emulators/push/push-browser.server.ts'
import { createPushService } from '../../../emulators/push/push-emulator.server.ts'
import { serve } from '../../../emulators/test-emulators.server.ts'
import { addDays, localTime } from '../../../lib/calendar-day.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { CachedQueries } from '../../../platform/cache/cached-queries.server.ts'
import { sendReminders } from '../reminders/reminders-commands.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db } = app.services.database
const service = createPushService({ clock: app.clock })
const { origin, close } = await serve(getRequestListener(service.app.fetch))
afterAll(close)
await anAdmin(app)
const cachedQueries = new CachedQueries({ isUp: () => false, now: () => 0 })

const day = (days: number) => addDays(localTime(app.clock.now(), 'UTC').day, days)
/** What the regular job does, at noon of tomorrow. */
const remind = () =>
  sendReminders(
    { ...app.services, db, cachedQueries, brand: 'Altocert', appUrl: app.url },
    new Date(`${day(1)}T12:00:00Z`),
  )

async function aLearner() {
  const student = await aStudent(app)
  const course = await aCourse(db)
  await anExam(db, course.id, { questions: Array.from({ length: 60 }, (_, place) => aQuestion(place + 1)) })
  await giveAccess(app, student, course.id)
  const plan = { examDate: day(20), timeZone: 'UTC', minutesADay: 30, restDays: [] }
  expect((await student.browser.put(`/api/plans/${course.slug}`, plan)).status).toBe(200)
  expect((await student.browser.put('/api/reminders', { hour: 12 })).status).toBe(200)
  const { publicKey } = (await student.browser.get('/api/push')).body as { publicKey: string }
  const addDevice = async () => {
    const [browser, subscription] = [aPushBrowser(), service.subscribe(publicKey)]
    const endpoint = origin + subscription.path
    const { status } = await student.browser.put('/api/push/devices', { endpoint, ...browser.keys })
    return { ...subscription, browser, endpoint, status }
  }
  const countDevices = async () =>
    (await db.selectFrom('push_subscriptions').where('user_id', '=', student.id).select('id').execute()).length
  return { student, course, addDevice, countDevices }
}

const listJobs = async () =>
  (await app.services.database.pool.query<{ state: string }>("select state::text from jobs.job where name = 'push'"))
    .rows
async function untilSent() {
  await expect.poll(listJobs, { timeout: 10_000 }).toEqual([])
}

test('a reminder comes to each device of the learner once, which alone can read it, until the end of the day', async () => {
  const { student, course, addDevice } = await aLearner()
  const [phone, laptop] = [await addDevice(), await addDevice()]
  expect([phone.status, laptop.status]).toEqual([200, 200])
  await Promise.all([remind(), remind()])
  await untilSent()
  for (const { messages, browser } of [phone, laptop]) {
    expect(messages).toHaveLength(1)
    const [{ body, ttl }] = messages as [{ body: Buffer; ttl: number }]
    expect(JSON.parse(browser.read(body))).toEqual({
      title: expect.stringMatching(/^Today: \d+ new questions$/),
      body: expect.stringMatching(new RegExp(`^${course.title}: .+ 19 days to your exam\\.$`)),
      url: `/course/${course.slug}/plan`,
    })
    const left = (Date.parse(`${day(2)}T00:00:00Z`) - app.clock.now().getTime()) / 1000
    expect(Math.abs(ttl - left)).toBeLessThan(30)
  }
  // The email stands.
  expect(await app.services.mail.listStored(db, student.email)).toHaveLength(1)
})

test('a device that its service has ended is removed, and one that is turned off gets nothing', async () => {
  const { student, addDevice, countDevices } = await aLearner()
  const [ended, off, kept] = [await addDevice(), await addDevice(), await addDevice()]
  ended.end()
  expect((await student.browser.post('/api/push/devices/end', { endpoint: off.endpoint })).status).toBe(200)
  await remind()
  await untilSent()
  expect([off.messages.length, kept.messages.length, await countDevices()]).toEqual([0, 1, 1])
})

test('what a service refuses for now is tried again, what it refuses for good is not, and no redirect is followed', async () => {
  const { addDevice, countDevices } = await aLearner()
  const device = await addDevice()
  service.answerWith(429)
  await remind()
  await expect.poll(listJobs, { timeout: 10_000 }).toEqual([{ state: 'retry' }])
  expect(device.messages).toHaveLength(0)
  service.answerWith(503)
  const again = "update jobs.job set start_after = now() where name = 'push' and state = 'retry'"
  const retries = "select max(retry_count) as n from jobs.job where name = 'push' and state = 'retry'"
  const countRetries = async () => (await app.services.database.pool.query<{ n: number }>(retries)).rows[0]?.n
  await app.services.database.pool.query(again)
  await expect.poll(countRetries, { timeout: 10_000 }).toBe(1)
  service.answerWith(307)
  await app.services.database.pool.query(again)
  await untilSent()
  expect([device.messages.length, await countDevices()]).toEqual([0, 1])
})

test('after the learner’s day nothing is sent', async () => {
  const { addDevice } = await aLearner()
  const device = await addDevice()
  const now = new Date(app.clock.now().getTime() - DAY_MS)
  const { id } = await db
    .selectFrom('push_subscriptions')
    .where('endpoint', '=', device.endpoint)
    .select('id')
    .executeTakeFirstOrThrow()
  await app.services.jobs.send('push', { deviceId: id, text: '{}', until: now.toISOString() })
  await untilSent()
  expect(device.messages).toHaveLength(0)
})

test('private addresses, broken keys and an eleventh device are refused, and adding a device again is no other device', async () => {
  const { student, addDevice, countDevices } = await aLearner()
  const { keys } = aPushBrowser()
  const put = async (body: object) => (await student.browser.put('/api/push/devices', body)).status
  for (const endpoint of [
    'https://10.0.0.1/a',
    'https://169.254.169.254/',
    'http://push.example.com/a',
    'file:///etc/passwd',
  ])
    expect([endpoint, await put({ endpoint, ...keys })]).toEqual([endpoint, 400])
  const p256dh = Buffer.alloc(65, 4).toString('base64url')
  expect(await put({ endpoint: 'https://push.example.com/a', ...keys, p256dh })).toBe(400)
  expect(await put({ endpoint: 'https://push.example.com/a', ...keys, auth: 'AAAA' })).toBe(400)
  for (let n = 0; n < 9; n += 1) expect((await addDevice()).status).toBe(200)
  const atOnce = await Promise.all([addDevice(), addDevice(), addDevice()])
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const { endpoint, browser } = atOnce.find(({ status }) => status === 200)!
  expect([await put({ endpoint, ...browser.keys }), await countDevices()]).toEqual([200, 10])
})

test('devices are in the export without address and keys, another user cannot end them, and they go with the account', async () => {
  const { student, addDevice, countDevices } = await aLearner()
  const device = await addDevice()
  const other = await aStudent(app)
  await other.browser.post('/api/push/devices/end', { endpoint: device.endpoint })
  expect(await countDevices()).toBe(1)
  const exported = (await student.browser.get('/api/profiles/me/data')).body as { data: Record<string, object[]> }
  expect(exported.data['push_subscriptions']).toEqual([
    { push_service: new URL(origin).host, created_at: expect.any(String) },
  ])
  expect(JSON.stringify(exported)).not.toContain(device.browser.keys.auth)
  expect((await student.browser.post('/api/profiles/me/deletion', { password: PASSWORD })).status).toBe(200)
  expect(await countDevices()).toBe(0)
})
