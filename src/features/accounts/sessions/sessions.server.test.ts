import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aStudent } from '../../../../tests/support/users.ts'
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
