import { expect, test } from 'vitest'
import { startApp, type Visitor } from '../../../../tests/support/start-app.ts'
import { aStudent, PASSWORD } from '../../../../tests/support/users.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { readCookie } from '../../../platform/http/signed-cookie.server.ts'
import { readSessionCookie } from './session-cookie-queries.server.ts'

const app = await startApp()
const { db } = app.services.database

test('the database holds no token that opens a session', async () => {
  const user = await aStudent(app)
  const cookie = readCookie(user.browser.cookies, 'altocert.session_token')
  const token = readSessionCookie(cookie, app.services.secret) ?? ''
  expect(token).toHaveLength(43)
  const rows = await db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('a session that is used every few days ends 30 days after its start, one that is not used after 7', async () => {
  const [daily, idle] = [await aStudent(app), await aStudent(app)]
  const isSignedIn = async ({ browser }: typeof daily) =>
    ((await browser.get('/api/auth/session')).body as { user: unknown }).user !== null
  app.clock.forward(6 * DAY_MS)
  expect(await isSignedIn(daily)).toBe(true)
  app.clock.forward(2 * DAY_MS)
  expect([await isSignedIn(daily), await isSignedIn(idle)]).toEqual([true, false])
  for (let day = 13; day <= 28; day += 5) {
    app.clock.forward(5 * DAY_MS)
    expect(await isSignedIn(daily), `day ${day}`).toBe(true)
  }
  app.clock.forward(3 * DAY_MS)
  expect(await isSignedIn(daily)).toBe(false)
})

type Listed = { sessions: { id: string; device: string | null; networkAddress: string | null; isCurrent: boolean }[] }
const listOf = async (visitor: Visitor) => ((await visitor.get('/api/auth/sessions')).body as Listed).sessions
const FIREFOX = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0' }

async function aSecondDevice(email: string): Promise<Visitor> {
  const visitor = app.visitor()
  expect((await visitor.post('/api/auth/sign-in', { email, password: PASSWORD }, FIREFOX)).status).toBe(200)
  return visitor
}

test('users see where they are signed in, and end one session or all others at once', async () => {
  const { email, browser } = await aStudent(app)
  const [second, third] = [await aSecondDevice(email), await aSecondDevice(email)]
  const sessions = await listOf(browser)
  expect(sessions).toHaveLength(3)
  expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
  expect(sessions.find(({ isCurrent }) => !isCurrent)).toMatchObject({ device: 'Firefox on Windows' })
  expect(sessions.every(({ networkAddress }) => networkAddress !== null)).toBe(true)

  const id = (await listOf(second)).find(({ isCurrent }) => isCurrent)!.id
  expect((await browser.call('DELETE', `/api/auth/sessions/${id}`)).status).toBe(200)
  // Its open pages can do nothing any more, from the next call on.
  expect((await second.get('/api/profiles/me/data')).status).toBe(401)
  expect((await third.get('/api/auth/sessions')).status).toBe(200)
  expect((await browser.call('DELETE', `/api/auth/sessions/${id}`)).status).toBe(404)

  expect((await browser.call('DELETE', '/api/auth/sessions')).body).toEqual({ ended: 1 })
  expect((await third.get('/api/auth/sessions')).status).toBe(401)
  expect(await listOf(browser)).toMatchObject([{ isCurrent: true }])
  expect((await browser.call('DELETE', '/api/auth/sessions')).body).toEqual({ ended: 0 })
})

test('nobody ends the session of somebody else', async () => {
  const [user, stranger] = [await aStudent(app), await aStudent(app)]
  const [session] = await listOf(user.browser)
  expect((await stranger.browser.call('DELETE', `/api/auth/sessions/${session!.id}`)).status).toBe(404)
  expect((await stranger.browser.call('DELETE', '/api/auth/sessions/other')).status).toBe(404)
  expect((await app.visitor().call('DELETE', '/api/auth/sessions')).status).toBe(401)
  expect(await listOf(user.browser)).toHaveLength(1)
})

test('who ends the session of this device is signed out here', async () => {
  const { browser } = await aStudent(app)
  const [session] = await listOf(browser)
  expect((await browser.call('DELETE', `/api/auth/sessions/${session!.id}`)).status).toBe(200)
  expect(browser.cookies).not.toContain('session_token')
})

test('a sign-in ends the session that the same browser had before, and no other one', async () => {
  const { email, browser } = await aStudent(app)
  const second = await aSecondDevice(email)
  const former = { cookie: browser.cookies }
  expect((await browser.post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200)
  expect((await app.visitor().get('/api/auth/sessions', former)).status).toBe(401)
  expect(await listOf(second)).toHaveLength(2)

  // Somebody else at the same browser.
  const other = await aStudent(app)
  const cookies = { cookie: browser.cookies }
  expect((await browser.post('/api/auth/sign-in', { email: other.email, password: PASSWORD })).status).toBe(200)
  expect((await app.visitor().get('/api/auth/sessions', cookies)).status).toBe(401)
  expect(await listOf(second)).toHaveLength(1)

  // A wrong password ends nothing.
  expect((await browser.post('/api/auth/sign-in', { email, password: 'Wrong-Horse-7!' })).status).toBe(401)
  expect(await listOf(browser)).toHaveLength(2)
})

test('a confirmation gives the session a new token', async () => {
  const { browser } = await aStudent(app)
  const [before] = await listOf(browser)
  const former = { cookie: browser.cookies }
  expect((await browser.post('/api/auth/confirmation', { password: 'Wrong-Horse-7!' })).status).toBe(401)
  expect((await app.visitor().get('/api/auth/sessions', former)).status).toBe(200)
  expect((await browser.post('/api/auth/confirmation', { password: PASSWORD })).status).toBe(200)
  expect((await app.visitor().get('/api/auth/sessions', former)).status).toBe(401)
  expect(await listOf(browser)).toMatchObject([{ id: before?.id, isCurrent: true }])
})
