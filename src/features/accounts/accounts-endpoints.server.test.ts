import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startApp, type Visitor } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, PASSWORD } from '../../../tests/support/users.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { projectRoot } from '../../platform/project-root.server.ts'
import { readCookie } from '../../platform/http/signed-cookie.server.ts'
import { claimSignIn, clearSignInCount } from './accounts-commands.server.ts'

const app = await startApp()
const { db } = app.services.database
let number = 0
const anAddress = () => `someone-${(number += 1)}@example.com`

function tokenIn(text: string): string {
  const token = /[?&]token=([\w-]+)/.exec(text)?.[1]
  if (token === undefined) throw new Error(`no token in: ${text}`)
  return token
}

async function register(email: string, visitor: Visitor) {
  return visitor.post('/api/auth/sign-up', { name: 'Some One', email, password: PASSWORD })
}

const signIn = (visitor: Visitor, email: string, password = PASSWORD) =>
  visitor.post('/api/auth/sign-in', { email, password })
const who = async (visitor: Visitor) => (await visitor.get('/api/auth/session')).body

test('registering and opening the emailed link in the same browser signs in', async () => {
  const email = anAddress()
  const visitor = app.visitor()
  expect((await register(email, visitor)).status).toBe(200)
  expect((await signIn(visitor, email)).body).toMatchObject({
    error: { code: 'account.unverified', message: 'Please verify your email address before signing in' },
  })
  const mail = await app.mailTo(email)
  const token = tokenIn(mail.text)
  expect((await visitor.post('/api/auth/verify-email', { token })).body).toMatchObject({
    user: { email, name: 'Some One', role: 'student' },
  })
  expect(await who(visitor)).toMatchObject({ user: { email } })
  expect((await visitor.post('/api/auth/verify-email', { token })).status).toBe(400)
})

test('a link opened in another browser verifies nothing without the password chosen at sign-up', async () => {
  const email = anAddress()
  await register(email, app.visitor())
  const other = app.visitor()
  const token = tokenIn((await app.mailTo(email)).text)
  const open = (given: object = {}) => other.post('/api/auth/verify-email', { token, ...given })
  // A mail scanner opens links, too: the link still works afterwards.
  for (let time = 0; time < 2; time += 1)
    expect(await open()).toMatchObject({ status: 403, body: { error: { code: 'account.password-needed' } } })
  expect(await open({ password: 'Not-The-One-7!' })).toMatchObject({
    status: 401,
    body: { error: { code: 'account.invalid-credentials', facts: { remaining: 4 } } },
  })
  expect((await signIn(other, email)).body).toMatchObject({ error: { code: 'account.unverified' } })
  expect(await who(other)).toEqual({ user: null })
  expect((await open({ password: PASSWORD })).body).toMatchObject({ user: { email } })
  expect(await who(other)).toMatchObject({ user: { email } })
  await other.post('/api/auth/sign-out')
  expect(await who(other)).toEqual({ user: null })
})

test('the owner of an address that a stranger signed up with chooses a new password, and the old one never works', async () => {
  const email = anAddress()
  const stranger = app.visitor()
  await register(email, stranger)
  const owner = app.visitor()
  const token = tokenIn((await app.mailTo(email)).text)
  expect((await owner.post('/api/auth/verify-email/new-password', { token })).status).toBe(200)
  await expect.poll(async () => (await app.mailTo(email)).subject).toContain('Reset')
  const reset = tokenIn((await app.mailTo(email)).text)
  const chosen = 'Only-The-Owner-7!'
  expect((await owner.post('/api/auth/reset-password', { token: reset, password: chosen })).status).toBe(200)
  expect((await signIn(stranger, email)).body).toMatchObject({ error: { code: 'account.invalid-credentials' } })
  expect((await signIn(owner, email, chosen)).status).toBe(200)
  expect((await owner.post('/api/auth/verify-email/new-password', { token: 'unknown' })).status).toBe(400)
})

test('an email goes to the address as written, never to a part of it that is an address too', async () => {
  await register('x,unmistakable@example.com', app.visitor())
  expect(await app.mailTo('unmistakable')).toMatchObject({ to: '"x,unmistakable"@example.com' })
})

test('a taken address is refused, in upper or lower case', async () => {
  const email = anAddress()
  await register(email, app.visitor())
  expect((await register(email.toUpperCase(), app.visitor())).body).toMatchObject({
    error: {
      code: 'account.exists',
      fields: [{ field: 'email', message: 'An account with this email already exists' }],
    },
  })
})

test('invalid fields are refused with the sentences of the copy sheet', async () => {
  const reply = await app.visitor().post('/api/auth/sign-up', { name: ' ', email: 'nobody', password: 'short' })
  expect(reply.status).toBe(400)
  expect(reply.body).toMatchObject({
    error: {
      fields: [
        { field: 'name', message: 'Full name is required' },
        { field: 'email', message: 'Please enter a valid email address' },
        { field: 'password', message: 'Password must be at least 8 characters long' },
        { field: 'password', message: 'Password must contain at least one uppercase letter' },
        { field: 'password', message: 'Password must contain at least one number' },
        { field: 'password', message: 'Password must contain at least one special character' },
      ],
    },
  })
})

test.each(['known', 'unknown'])(
  'five failures lock a %s address for 15 minutes, also for the right password',
  async (kind) => {
    const email = kind === 'known' ? (await aStudent(app)).email : anAddress()
    const visitor = app.visitor()
    for (const remaining of [4, 3, 2, 1])
      expect((await signIn(visitor, email, 'Wrong-Horse-7!')).body).toMatchObject({
        error: { message: 'Invalid email or password', facts: { remaining } },
      })
    const fifth = await signIn(visitor, email, 'Wrong-Horse-7!')
    expect(fifth.status).toBe(423)
    expect(fifth.body).toMatchObject({
      error: { message: 'Account locked due to multiple failed attempts. Try again in 15 minutes.' },
    })
    expect((await signIn(visitor, email)).body).toMatchObject({
      error: { message: 'Account locked. Try again in 15 minutes.' },
    })
    app.clock.forward(15 * MINUTE_MS)
    expect((await signIn(visitor, email)).status).toBe(kind === 'known' ? 200 : 401)
  },
)

test('a correct password resets the count', async () => {
  const { email } = await aStudent(app)
  const visitor = app.visitor()
  for (let round = 0; round < 2; round += 1) {
    for (let failure = 0; failure < 4; failure += 1)
      expect((await signIn(visitor, email, 'Wrong-Horse-7!')).status).toBe(401)
    expect((await signIn(visitor, email)).status).toBe(200)
  }
})

test('a hundred simultaneous guesses are limited like consecutive ones', async () => {
  const { email } = await aStudent(app)
  const visitor = app.visitor()
  const replies = await Promise.all(Array.from({ length: 30 }, () => signIn(visitor, email, 'Wrong-Horse-7!')))
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(4)
  expect(replies.filter(({ status }) => status === 423)).toHaveLength(26)
})

test('concurrent sign-ins succeed although each clears the count', async () => {
  const pair = { email: anAddress(), device: '' }
  const signingIn = Array.from({ length: 8 }, async () => {
    for (let round = 0; round < 40; round += 1) {
      await claimSignIn(db, { ...pair, now: app.clock.now() })
      await clearSignInCount(db, pair)
    }
  })
  await expect(Promise.all(signingIn)).resolves.toHaveLength(8)
})

test('failures elsewhere do not lock out a device that signed in before', async () => {
  const owner = await aStudent(app)
  const stranger = app.visitor()
  for (let failure = 0; failure < 5; failure += 1) await signIn(stranger, owner.email, 'Wrong-Horse-7!')
  expect((await signIn(stranger, owner.email)).status).toBe(423)
  await owner.browser.post('/api/auth/sign-out')
  expect((await signIn(owner.browser, owner.email)).status).toBe(200)
})

test('a password reset by email ends every session and every lock', async () => {
  const owner = await aStudent(app)
  const stranger = app.visitor()
  for (let failure = 0; failure < 5; failure += 1) await signIn(stranger, owner.email, 'Wrong-Horse-7!')
  expect((await stranger.post('/api/auth/forgot-password', { email: owner.email })).status).toBe(200)
  expect((await stranger.post('/api/auth/forgot-password', { email: anAddress() })).status).toBe(200)
  const token = tokenIn((await app.mailTo(owner.email)).text)
  const weak = await stranger.post('/api/auth/reset-password', { token, password: 'weak' })
  expect(weak.body).toMatchObject({
    error: {
      fields: expect.arrayContaining([{ field: 'password', message: 'Password must contain at least one number' }]),
    },
  })
  expect((await stranger.post('/api/auth/reset-password', { token, password: 'New-Horse-88!' })).status).toBe(200)
  expect((await stranger.post('/api/auth/reset-password', { token, password: 'New-Horse-99!' })).status).toBe(400)
  expect(await who(owner.browser)).toEqual({ user: null })
  expect((await signIn(stranger, owner.email)).status).toBe(401)
  expect((await signIn(app.visitor(), owner.email, 'New-Horse-88!')).status).toBe(200)
})

test('an expired token is refused', async () => {
  const email = anAddress()
  await register(email, app.visitor())
  const token = tokenIn((await app.mailTo(email)).text)
  app.clock.forward(25 * 60 * MINUTE_MS)
  expect((await app.visitor().post('/api/auth/verify-email', { token })).status).toBe(400)
})

test('a session cookie with another signature is ignored', async () => {
  const visitor = app.visitor()
  const token = randomBytes(32).toString('base64url')
  const reply = await visitor.get('/api/auth/session', { cookie: `altocert.session_token=${token}.AAAA` })
  expect(reply.body).toEqual({ user: null })
})

test('Google signs in with a verified address, and links an account that verified it too', async () => {
  const user = await aStudent(app)
  const visitor = app.visitor()
  expect(await signInWithGoogle(visitor, { name: 'From Google', email: user.email, isVerified: true })).toBe('/')
  expect(await who(visitor)).toMatchObject({ user: { id: user.id, email: user.email } })
  const newcomer = app.visitor()
  const email = anAddress()
  expect(await signInWithGoogle(newcomer, { name: 'New Comer', email, isVerified: true })).toBe('/')
  expect(await who(newcomer)).toMatchObject({ user: { email, name: 'New Comer', role: 'student' } })
})

test('Google still signs in to the same account after its address has changed', async () => {
  const [visitor, email, moved] = [app.visitor(), anAddress(), anAddress()]
  const google = { name: 'New Comer', email, isVerified: true }
  await signInWithGoogle(visitor, google)
  const { user } = (await who(visitor)) as { user: { id: string } }
  await visitor.post('/api/auth/forgot-password', { email })
  const reset = tokenIn((await app.mailTo(email)).text)
  expect((await visitor.post('/api/auth/reset-password', { token: reset, password: PASSWORD })).status).toBe(200)
  expect((await signIn(visitor, email)).status).toBe(200)
  expect((await visitor.post('/api/auth/address', { email: moved, password: PASSWORD })).status).toBe(200)
  const token = tokenIn((await app.mailTo(moved)).text)
  expect((await visitor.post('/api/auth/address/confirmation', { token })).status).toBe(200)
  const again = app.visitor()
  expect(await signInWithGoogle(again, google)).toBe('/')
  expect(await who(again)).toMatchObject({ user: { id: user.id, email: moved } })
})

test.each([
  ['cross-site', '/login?redirect=%2Fmy-courses'],
  ['same-site', '/login?redirect=%2Fmy-courses'],
  ['same-origin', '/demo/google/auth'],
  ['none', '/demo/google/auth'],
])('a link to the start of Google from a place that is %s leads to %s', async (site, target) => {
  const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }
  const reply = await app.visitor().get('/api/auth/google?redirect=/my-courses', headers)
  expect(reply.status).toBe(303)
  expect(reply.headers.get('location')).toContain(`${app.url}${target}`)
})

test('no token of Google is stored, at the first sign-in or later', async () => {
  const google = { name: 'New Comer', email: anAddress(), isVerified: true }
  const methods = async (visitor: Visitor) => {
    expect(await signInWithGoogle(visitor, google)).toBe('/')
    const { user } = (await who(visitor)) as { user: { id: string } }
    const { rows } = await sql`
      select provider_id, access_token, refresh_token, id_token, access_token_expires_at, refresh_token_expires_at
      from sign_in_methods where user_id = ${user.id}`.execute(db)
    return rows
  }
  const empty = { access_token: null, refresh_token: null, id_token: null }
  const times = { access_token_expires_at: null, refresh_token_expires_at: null }
  expect(await methods(app.visitor())).toEqual([{ provider_id: 'google', ...empty, ...times }])
  expect(await methods(app.visitor())).toEqual([{ provider_id: 'google', ...empty, ...times }])
})

test.each(['access_token', 'refresh_token', 'id_token', 'access_token_expires_at', 'refresh_token_expires_at'])(
  'the migration to no tokens empties a stored %s, and leaves sign-in as it was',
  async (column) => {
    const google = { name: 'Early Comer', email: anAddress(), isVerified: true }
    await signInWithGoogle(app.visitor(), google)
    const user = await aStudent(app)
    const rows = async () => (await sql`select * from sign_in_methods order by id`.execute(db)).rows
    const before = await rows()
    const stored = column.endsWith('_at') ? '2026-01-01T00:00:00Z' : 'ya29.SECRET'
    await sql`update sign_in_methods set ${sql.ref(column)} = ${stored} where provider_id = 'google'`.execute(db)
    expect(await rows()).not.toEqual(before)
    const migration = await readFile(join(projectRoot, 'src/db/migrations/0059_no_google_tokens.sql'), 'utf8')
    await app.services.database.pool.query(migration)
    expect(await rows()).toEqual(before)
    expect(await signInWithGoogle(app.visitor(), google)).toBe('/')
    expect((await signIn(app.visitor(), user.email)).status).toBe(200)
  },
)

test('Google does not take over an account unless both sides verified the address', async () => {
  const user = await aStudent(app)
  const visitor = app.visitor()
  expect(await signInWithGoogle(visitor, { name: 'Thief', email: user.email, isVerified: false })).toContain(
    '/login?error=',
  )
  expect(await who(visitor)).toEqual({ user: null })
  const squatted = anAddress()
  await register(squatted, app.visitor())
  const owner = app.visitor()
  expect(await signInWithGoogle(owner, { name: 'Owner', email: squatted, isVerified: true })).toContain('/login?error=')
})

test('a locked user who signs in with Google stays out, and the login page shows the reason', async () => {
  const [user, boss] = [await aStudent(app), await anAdmin(app)]
  await boss.browser.put(`/api/profiles/${user.id}/lock`, { reason: 'Sold <b>answers</b>; twice' })
  const visitor = app.visitor()
  const known = { name: 'Locked Out', email: user.email, isVerified: true }
  expect(await signInWithGoogle(visitor, known)).toBe('/login?error=closed')
  expect(readCookie(visitor.cookies, 'altocert_closed')).toBe('Sold <b>answers</b>; twice')
  expect((await visitor.get('/api/auth/session')).body).toEqual({ user: null })
})

/** Walks through the built-in OpenID provider as a browser would, and tells where it ended on this site. */
async function signInWithGoogle(
  visitor: Visitor,
  user: { name: string; email: string; isVerified: boolean },
): Promise<string> {
  let at = '/api/auth/google?redirect=/'
  for (let step = 0; step < 12; step += 1) {
    const reply = await visitor.get(at.startsWith('http') ? at.slice(app.url.length) : at)
    const location = reply.headers.get('location')
    if (location !== null) {
      const next = new URL(location, app.url)
      at = next.pathname + next.search
      if (next.pathname === '/' || next.pathname === '/login') return at
      continue
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(String(reply.body))?.[1]
    if (action === undefined) throw new Error(`lost at ${at}: ${String(reply.body).slice(0, 400)}`)
    const fields = new URLSearchParams({
      name: user.name,
      email: user.email,
      ...(user.isVerified ? { email_verified: 'on' } : {}),
    })
    const target = new URL(action.replaceAll('&amp;', '&'), app.url)
    const sent = await visitor.call('POST', target.pathname + target.search, fields.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    const next = new URL(sent.headers.get('location') ?? '', app.url)
    at = next.pathname + next.search
  }
  throw new Error('the sign-in did not end')
}
