import { afterEach, expect, test } from 'vitest'
import { startApp, type Visitor } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, PASSWORD, type SignedIn } from '../../../tests/support/users.ts'
import { listenTo, type RealtimeListener } from '../../../tests/support/realtime-listener.ts'

const AUTH_SECRET = 'shared by both processes, 32 or more'
const app = await startApp({ LOG_LEVEL: 'fatal', AUTH_SECRET })
const { db, url: DATABASE_URL } = app.services.database
/** Another process on the same database: the changes are made here, the streams are open there. */
const other = await startApp({ LOG_LEVEL: 'fatal', AUTH_SECRET, DATABASE_URL })

const open: RealtimeListener[] = []
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

async function listen(visitor?: Visitor, at = other): Promise<RealtimeListener> {
  const stream = await listenTo(at.url, visitor === undefined ? {} : { headers: { cookie: visitor.cookies } })
  open.push(stream)
  if (stream.status === 200) await stream.until(({ event }) => event === 'gap')
  return stream
}
const isOpen = async ({ ended }: RealtimeListener) =>
  (await Promise.race([ended.then(() => 'ended'), new Promise((resolve) => setTimeout(resolve, 300, 'open'))])) ===
  'open'

/** A second session of the same user. */
async function again({ email }: SignedIn): Promise<Visitor> {
  const visitor = app.visitor()
  expect((await visitor.post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200)
  return visitor
}

test('the seventh stream of a user ends the oldest, and the others stay', async () => {
  const { browser } = await aStudent(app)
  const streams: RealtimeListener[] = []
  for (let count = 0; count < 7; count += 1) streams.push(await listen(browser))
  await streams[0]!.ended
  for (const stream of streams.slice(1)) expect(await isOpen(stream)).toBe(true)
  const stranger = await listen((await aStudent(app)).browser)
  expect(await isOpen(stranger)).toBe(true)
})

test('a network has as many streams as its limit, and a closed one makes room', async () => {
  const small = await startApp({ LOG_LEVEL: 'fatal', LIMITS: 'stream=2,network=2' })
  const streams: RealtimeListener[] = []
  for (let count = 0; count < 4; count += 1) streams.push(await listen(undefined, small))
  const refused = await listen(undefined, small)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  streams[0]!.close()
  await expect.poll(async () => (await listen(undefined, small)).status).toBe(200)
})

test('a stream ends with the sign-out of its session, and another session keeps its own', async () => {
  const student = await aStudent(app)
  const second = await again(student)
  const [mine, theirs] = [await listen(student.browser), await listen(second)]
  await student.browser.post('/api/auth/sign-out')
  await mine.ended
  expect(await isOpen(theirs)).toBe(true)
})

test('streams end when the user is locked out', async () => {
  const [student, admin] = [await aStudent(app), await anAdmin(app)]
  const stream = await listen(student.browser)
  expect((await admin.browser.put(`/api/profiles/${student.id}/lock`, { reason: 'Sold answers' })).status).toBe(200)
  await stream.ended
})

test('streams end when an admin signs the user out everywhere', async () => {
  const [student, admin] = [await aStudent(app), await anAdmin(app)]
  const stream = await listen(student.browser)
  expect((await admin.browser.call('DELETE', `/api/profiles/${student.id}/sessions`)).status).toBe(200)
  await stream.ended
})

test('streams end when the password is reset', async () => {
  const student = await aStudent(app)
  const stream = await listen(student.browser)
  await app.visitor().post('/api/auth/forgot-password', { email: student.email })
  const token = /[?&]token=([\w-]+)/.exec((await app.mailTo(student.email)).text)?.[1]
  const reset = await app.visitor().post('/api/auth/reset-password', { token, password: 'New-Horse-88!' })
  expect(reset.status).toBe(200)
  await stream.ended
})

test('an admin who becomes a student receives no changes of drafts any more', async () => {
  const [demoted, admin] = [await anAdmin(app), await anAdmin(app)]
  const stream = await listen(demoted.browser)
  expect((await admin.browser.put(`/api/profiles/${demoted.id}/role`, { role: 'student' })).status).toBe(200)
  await stream.ended
  expect(await isOpen(await listen(demoted.browser))).toBe(true)
})

test('streams end when the account is deleted', async () => {
  const student = await aStudent(app)
  const stream = await listen(student.browser)
  expect((await student.browser.post('/api/profiles/me/deletion', { password: PASSWORD })).status).toBe(200)
  await stream.ended
})

test('a change that was missed while the database was away ends its streams afterwards', async () => {
  const student = await aStudent(app)
  const stream = await listen(student.browser)
  await app.services.database.pool.query(
    `delete from sessions where user_id = '${student.id}';
     select pg_terminate_backend(pid) from pg_stat_activity where query ~ 'listen catalogue_changes|from catalogue_changes' and pid <> pg_backend_pid()`,
  )
  await stream.ended
  expect(await db.selectFrom('sessions').where('user_id', '=', student.id).select('id').execute()).toEqual([])
})
