import { expect, test, vi } from 'vitest'
import { aCourse } from '../../../../tests/support/build-course.ts'
import { startApp, type Reply } from '../../../../tests/support/start-app.ts'
import { anAdmin, aStudent, PASSWORD } from '../../../../tests/support/users.ts'
import { MINUTE_MS } from '../../../lib/time.ts'
import { googleRoutes } from '../google/google-endpoints.server.ts'
import { hashOfRecoveryCode } from './totp-gateway.server.ts'

const app = await startApp()
const { db } = app.services.database
const codeOf = ({ body }: Reply) => (body as { error?: { code: string } }).error?.code
const NOBODY = '00000000-0000-4000-8000-000000000000'

const calls = [
  ['POST', '/api/prices'],
  ['DELETE', `/api/scheduled-prices/${NOBODY}`],
  ['POST', '/api/coupons'],
  ['PATCH', `/api/coupons/${NOBODY}`],
  ['POST', `/api/orders/${NOBODY}/refund`],
  ['POST', `/api/orders/${NOBODY}/end-access`],
  ['POST', `/api/profiles/${NOBODY}/access`],
  ['POST', `/api/profiles/${NOBODY}/access/${NOBODY}/end`],
  ['POST', `/api/access-periods/${NOBODY}/give-back`],
  ['PUT', `/api/profiles/${NOBODY}/role`],
  ['GET', `/api/profiles/${NOBODY}/data`],
  ['POST', `/api/profiles/${NOBODY}/deletion`],
] as const

test('15 minutes after the sign-in admins confirm again before money, access, roles and personal data', async () => {
  const admin = await anAdmin(app)
  const call = (method: string, path: string) => admin.browser.call(method, path, method === 'GET' ? undefined : {})
  for (const [method, path] of calls)
    expect(codeOf(await call(method, path)), `${method} ${path}`).not.toBe('confirmation.required')
  app.clock.forward(15 * MINUTE_MS)
  for (const [method, path] of calls) {
    const reply = await call(method, path)
    expect([reply.status, codeOf(reply)], `${method} ${path}`).toEqual([403, 'confirmation.required'])
  }
  expect((await admin.browser.post('/api/auth/confirmation', { password: 'Wrong-Horse-7!' })).status).toBe(401)
  expect(codeOf(await call('POST', '/api/coupons'))).toBe('confirmation.required')
  expect((await admin.browser.post('/api/auth/confirmation', { password: PASSWORD })).status).toBe(200)
  for (const [method, path] of calls)
    expect(codeOf(await call(method, path)), `${method} ${path}`).not.toBe('confirmation.required')
})

test("the specification's data call asks only when it changes a price", async () => {
  const admin = await anAdmin(app)
  const course = await aCourse(db)
  const path = `/api/courses/${course.id}`
  const { price } = (await admin.browser.get(path)).body as { price: number }
  app.clock.forward(15 * MINUTE_MS)
  expect((await admin.browser.patch(path, { title: 'Another title', price: String(price) })).status).toBe(200)
  expect(codeOf(await admin.browser.patch(path, { price: '1.23' }))).toBe('confirmation.required')
  expect((await admin.browser.get(path)).body).toMatchObject({ price })
  await admin.browser.post('/api/auth/confirmation', { password: PASSWORD })
  expect((await admin.browser.patch(path, { price: '1.23' })).status).toBe(200)
})

/** The routes of Google with a provider that signs this user in. */
async function googleFor(userId: string) {
  const token = `token-${userId}`
  await db
    .insertInto('sessions')
    .values({ user_id: userId, token_hash: token, expires_at: new Date(Date.now() + 1e6) } as never)
    .execute()
  const { sessionCookie } = await import('../sessions/session-cookie-queries.server.ts')
  const { secret } = app.services
  const cookie = sessionCookie(token, { appUrl: app.services.env.appUrl, secret })
  const reply = () =>
    new Response(null, { status: 302, headers: { location: '/my-courses?x=1', 'set-cookie': cookie } })
  return googleRoutes({
    secret,
    isAdminFactorRequired: false,
    onSignedIn: () => Promise.resolve(),
    google: { start: () => Promise.resolve(reply()), callback: () => Promise.resolve(reply()) },
  })
}

test('Google alone opens no session where an authenticator app is set up', async () => {
  const user = await aStudent(app)
  const now = app.clock.now()
  const row = { user_id: user.id, sealed_secret: 'x', enabled_at: now, last_step: null }
  await db.insertInto('authenticators').values(row).execute()
  const google = await googleFor(user.id)
  const request = new Request(`${app.services.env.appUrl}/api/auth/callback/google`)
  const context = {
    request,
    db,
    clock: app.clock,
    user: null,
    guestId: null,
    log: app.services.log,
    appUrl: app.services.env.appUrl,
    networkAddress: '127.0.0.1',
    replyHeaders: new Headers(),
  }
  const reply = await google.callback(context as never)
  expect(reply.headers.get('location')).toBe(
    `${app.services.env.appUrl}/login?redirect=${encodeURIComponent('/my-courses?x=1')}`,
  )
  expect(reply.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual(['altocert_second_step'])
})

test('a confirmation with Google needs the own account, and changes no session otherwise', async () => {
  const [user, other] = [await aStudent(app), await aStudent(app)]
  await db.deleteFrom('sign_in_methods').where('user_id', '=', user.id).execute()
  app.clock.forward(20 * MINUTE_MS)
  const { id: sessionId } = await db
    .selectFrom('sessions')
    .where('user_id', '=', user.id)
    .select('id')
    .executeTakeFirstOrThrow()
  const confirmWith = async (userId: string) => {
    const google = await googleFor(userId)
    const context = (path: string, cookie: string) => ({
      request: new Request(`${app.services.env.appUrl}${path}`, { headers: { cookie } }),
      db,
      clock: app.clock,
      user: { id: user.id, email: user.email, sessionId },
      log: app.services.log,
      appUrl: app.services.env.appUrl,
      networkAddress: '127.0.0.1',
      replyHeaders: new Headers(),
    })
    const started = await google.start(context('/api/auth/google?confirm=1', '') as never)
    const cookie =
      started.headers
        .getSetCookie()
        .find((one) => one.startsWith('altocert_confirm='))
        ?.split(';')[0] ?? ''
    return google.callback(context('/api/auth/callback/google', cookie) as never)
  }
  const isConfirmed = async (cookie: string) => {
    const { body } = await app.visitor().get('/api/auth/confirmation', { cookie })
    return (body as { isConfirmed?: boolean }).isConfirmed
  }
  const info = vi.spyOn(app.services.log, 'info')
  const refused = await confirmWith(other.id)
  expect(refused.headers.get('location')).toContain('/confirmed?result=failed')
  expect(await isConfirmed(user.browser.cookies)).toBe(false)
  const done = await confirmWith(user.id)
  expect(done.headers.get('location')).toContain('/confirmed?result=done')
  const renewed = done.headers.getSetCookie().find((one) => one.startsWith('altocert.session_token='))
  expect(await isConfirmed(renewed?.split(';')[0] ?? '')).toBe(true)
  expect((await user.browser.get('/api/auth/confirmation')).status).toBe(401)
  const events = info.mock.calls.flatMap(([fields, message]) =>
    message === 'authentication' ? [fields as unknown] : [],
  )
  expect(events).toMatchObject([
    { event: 'confirmation-failed', account: user.id, by: 'google' },
    { event: 'confirmed', account: user.id, by: 'google' },
  ])
  info.mockRestore()
})

test.each(['authenticator', 'passkey'])(
  'with an %s a change of password or address needs a recent confirmation, without one the password is enough',
  async (factor) => {
    const [user, plain] = [await aStudent(app), await aStudent(app)]
    const now = app.clock.now()
    if (factor === 'passkey') {
      const passkey = { id: `key-${user.id}`, public_key: Buffer.from('key'), counter: 0, transports: [], name: 'Key' }
      await db
        .insertInto('passkeys')
        .values({ ...passkey, user_id: user.id, created_at: now, last_used_at: null })
        .execute()
    } else {
      const row = { user_id: user.id, sealed_secret: 'x', enabled_at: now, last_step: null }
      await db.insertInto('authenticators').values(row).execute()
      const code_hash = hashOfRecoveryCode('abcdefgh2345', user.id, app.services.secret)
      await db.insertInto('recovery_codes').values({ user_id: user.id, code_hash }).execute()
    }
    const newPassword = 'Fresh-Horse-88!'
    const toAddress = ({ browser, id }: typeof user, password = PASSWORD) =>
      browser.post('/api/auth/address', { email: `new-${id}@example.com`, password })
    const toPassword = ({ browser }: typeof user) =>
      browser.post('/api/auth/password', { currentPassword: PASSWORD, password: newPassword })
    app.clock.forward(15 * MINUTE_MS)
    expect((await toAddress(plain)).status).toBe(200)
    expect((await toPassword(plain)).status).toBe(200)
    expect(codeOf(await toAddress(user))).toBe('confirmation.required')
    // The password is not looked at before, so nobody can try passwords there.
    expect(codeOf(await toAddress(user, 'Wrong-Horse-7!'))).toBe('confirmation.required')
    expect(codeOf(await toPassword(user))).toBe('confirmation.required')
    expect(codeOf(await user.browser.post('/api/auth/confirmation', { password: PASSWORD }))).toBe(
      'second-factor.needed',
    )
    if (factor === 'passkey') return
    expect((await user.browser.post('/api/auth/confirmation', { recoveryCode: 'abcd-efgh-2345' })).status).toBe(200)
    expect((await toAddress(user)).status).toBe(200)
    expect((await toPassword(user)).status).toBe(200)
  },
)
