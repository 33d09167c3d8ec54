import { expect, test } from 'vitest'
import { startApp, type Visitor } from '../../../../tests/support/start-app.ts'
import { aStudent, PASSWORD, type SignedIn } from '../../../../tests/support/users.ts'
import { HOUR_MS } from '../../../lib/time.ts'

const app = await startApp()
const { db } = app.services.database
const NEW_PASSWORD = 'Fresh-Horse-88!'
let number = 0
const anAddress = () => `moved-${(number += 1)}@example.com`

const signIn = (email: string, password = PASSWORD, visitor = app.visitor()) =>
  visitor.post('/api/auth/sign-in', { email, password })
const isSignedIn = async (visitor: Visitor) =>
  ((await visitor.get('/api/auth/session')).body as { user: unknown }).user !== null

/** A second browser in which the user is signed in. */
async function anotherDevice({ email }: SignedIn): Promise<Visitor> {
  const visitor = app.visitor()
  expect((await signIn(email, PASSWORD, visitor)).status).toBe(200)
  return visitor
}

async function tokenTo(address: string, subject: RegExp): Promise<string> {
  await expect.poll(async () => (await app.mailTo(address)).subject).toMatch(subject)
  return /[?&]token=([\w-]+)/.exec((await app.mailTo(address)).text)?.[1] ?? ''
}

/** Asks for a new address, and returns the token of the link that arrives there. */
async function askFor(user: SignedIn, email: string): Promise<string> {
  expect(await user.browser.post('/api/auth/address', { email, password: PASSWORD })).toMatchObject({ status: 200 })
  return tokenTo(email, /^Confirm this email address/)
}
const confirm = (visitor: Visitor, token: string) => visitor.post('/api/auth/address/confirmation', { token })

test('a change of password ends every other session, keeps this one, and is told by email', async () => {
  const user = await aStudent(app)
  const other = await anotherDevice(user)
  await user.browser.post('/api/auth/forgot-password', { email: user.email })
  const reset = await tokenTo(user.email, /^Reset/)
  const change = { currentPassword: PASSWORD, password: NEW_PASSWORD }
  expect(await user.browser.post('/api/auth/password', change)).toMatchObject({ status: 200 })
  expect([await isSignedIn(user.browser), await isSignedIn(other)]).toEqual([true, false])
  expect([(await signIn(user.email)).status, (await signIn(user.email, NEW_PASSWORD)).status]).toEqual([401, 200])
  await expect.poll(async () => (await app.mailTo(user.email)).subject).toMatch(/^The password of your/)
  // The link from before does not undo the change.
  const late = await app.visitor().post('/api/auth/reset-password', { token: reset, password: 'Late-Horse-99!' })
  expect(late.status).toBe(400)
  // The same call again: the current password is another one by now.
  expect((await user.browser.post('/api/auth/password', change)).status).toBe(401)
  expect(await auditOf(user)).toEqual([{ action: 'account.password', before: null, after: null }])
})

test('wrong current passwords count towards the lockout, for both changes together', async () => {
  const user = await aStudent(app)
  const wrong = 'Wrong-Horse-7!'
  const tries = [
    () => user.browser.post('/api/auth/password', { currentPassword: wrong, password: NEW_PASSWORD }),
    () => user.browser.post('/api/auth/address', { email: anAddress(), password: wrong }),
  ]
  for (const remaining of [4, 3, 2, 1])
    expect(await tries[remaining % 2]!()).toMatchObject({
      status: 401,
      body: { error: { code: 'account.invalid-credentials', facts: { remaining } } },
    })
  expect((await tries[0]!()).status).toBe(423)
  const right = { currentPassword: PASSWORD, password: NEW_PASSWORD }
  expect((await user.browser.post('/api/auth/password', right)).status).toBe(423)
  expect(await isSignedIn(user.browser)).toBe(true)
})

test('a new address counts when its link is opened; then the old one is told, and the other sessions end', async () => {
  const user = await aStudent(app)
  const [other, email] = [await anotherDevice(user), anAddress()]
  const token = await askFor(user, email)
  expect(JSON.stringify(await db.selectFrom('address_changes').selectAll().execute())).not.toContain(token)
  expect((await app.mailTo(email)).text).not.toContain('Test Person')
  expect((await signIn(email)).status).toBe(401)
  expect((await user.browser.get('/api/auth/session')).body).toMatchObject({ user: { email: user.email } })

  expect(await confirm(user.browser, token)).toMatchObject({ status: 200, body: { email } })
  expect((await user.browser.get('/api/auth/session')).body).toMatchObject({ user: { email } })
  expect(await isSignedIn(other)).toBe(false)
  expect([(await signIn(user.email)).status, (await signIn(email)).status]).toEqual([401, 200])
  const told = await app.mailTo(user.email)
  expect(told.subject).toMatch(/^The email address of your/)
  expect(told.text).not.toContain(email)
  expect((await confirm(user.browser, token)).status).toBe(400)
  expect(await auditOf(user)).toEqual([{ action: 'account.address', before: null, after: null }])
})

test('the link to a new address opens nothing for anybody else', async () => {
  const [user, stranger] = [await aStudent(app), await aStudent(app)]
  const token = await askFor(user, anAddress())
  expect((await confirm(stranger.browser, token)).status).toBe(400)
  expect((await confirm(app.visitor(), token)).status).toBe(401)
  expect((await confirm(user.browser, token)).status).toBe(200)
})

test('only the link to the latest new address works, for 24 hours', async () => {
  const user = await aStudent(app)
  const [mistyped, wanted] = [await askFor(user, anAddress()), await askFor(user, anAddress())]
  expect((await confirm(user.browser, mistyped)).status).toBe(400)
  app.clock.forward(24 * HOUR_MS)
  expect((await confirm(user.browser, wanted)).status).toBe(400)
})

test('a taken address is refused like at sign-up, also when it was taken after the link was sent', async () => {
  const [user, owner] = [await aStudent(app), await aStudent(app)]
  const ask = (email: string) => user.browser.post('/api/auth/address', { email, password: PASSWORD })
  expect(await ask(owner.email)).toMatchObject({
    status: 409,
    body: { error: { code: 'account.exists', fields: [{ field: 'email' }] } },
  })
  expect(await ask(user.email.toUpperCase())).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'email', message: 'This is your address already.' }] } },
  })
  expect((await ask('nobody')).status).toBe(400)
  const email = anAddress()
  const token = await askFor(user, email)
  await app.visitor().post('/api/auth/sign-up', { name: 'Some One', email, password: PASSWORD })
  expect((await confirm(user.browser, token)).status).toBe(409)
})

test('links that were sent to the old address stop working, and the lockout moves along', async () => {
  const [user, email] = [await aStudent(app), anAddress()]
  const stranger = app.visitor()
  for (let failure = 0; failure < 5; failure += 1) await signIn(user.email, 'Wrong-Horse-7!', stranger)
  await stranger.post('/api/auth/forgot-password', { email: user.email })
  const reset = await tokenTo(user.email, /^Reset/)
  expect((await confirm(user.browser, await askFor(user, email))).status).toBe(200)
  expect((await stranger.post('/api/auth/reset-password', { token: reset, password: NEW_PASSWORD })).status).toBe(400)
  expect((await signIn(email, PASSWORD, stranger)).status).toBe(423)
  // This browser is known for the new address too: strangers cannot lock its user out.
  await user.browser.post('/api/auth/sign-out')
  expect((await signIn(email, PASSWORD, user.browser)).status).toBe(200)
  const { data } = (await user.browser.get('/api/profiles/me/data')).body as { data: Record<string, { to: string }[]> }
  expect(data['mails']?.map(({ to }) => to)).toContain(email)
})

test('an account without a password must set one before it changes its address', async () => {
  const user = await aStudent(app)
  await db.updateTable('sign_in_methods').set({ password: null }).where('user_id', '=', user.id).execute()
  const refused = { status: 409, body: { error: { code: 'account.no-password' } } }
  const address = { email: anAddress(), password: PASSWORD }
  expect(await user.browser.post('/api/auth/address', address)).toMatchObject(refused)
  const password = { currentPassword: PASSWORD, password: NEW_PASSWORD }
  expect(await user.browser.post('/api/auth/password', password)).toMatchObject(refused)
})

test('a name is changed for the user and for admins, and an empty one is refused', async () => {
  const user = await aStudent(app)
  expect((await user.browser.put('/api/profiles/me/name', { name: ' Ada Lovelace ' })).status).toBe(200)
  expect((await user.browser.get('/api/auth/session')).body).toMatchObject({ user: { name: 'Ada Lovelace' } })
  const row = await db.selectFrom('users').where('id', '=', user.id).select('name').executeTakeFirst()
  expect(row).toEqual({ name: 'Ada Lovelace' })
  expect(await user.browser.put('/api/profiles/me/name', { name: ' ' })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'name', message: 'Full name is required' }] } },
  })
})

const common = 'This password is among the most common ones. Choose another one.'
const own = 'Choose a password that is not your name or address.'
const product = 'Choose a password that is more than the name of this site or of a role.'

test.each([
  ['P@ssw0rd', common],
  ['1QAZ!qaz', common],
  ['Zoe.Quinn-7@Example.com', own],
  ['ZOE.quinn-7!', own],
  ['ZoeQuinn7!', own],
  ['Altocert-Admin-2026!', product],
])('the password %s is refused at sign-up, change and reset', async (password, message) => {
  // Its part before the @, and the name, meet the rules for passwords.
  const [email, name] = password.includes('@E')
    ? ['zoe.quinn-7@example.com', 'Zoe']
    : [`zoe.quinn-7!@${crypto.randomUUID()}.example`, 'Zoe Quinn 7!']
  const refused = { status: 400, body: { error: { fields: [{ field: 'password', message }] } } }
  const browser = app.visitor()
  expect(await browser.post('/api/auth/sign-up', { name, email, password })).toMatchObject(refused)
  expect(await browser.post('/api/auth/sign-up', { name, email, password: PASSWORD })).toMatchObject({ status: 200 })
  const token = await tokenTo(email, /^Verify/)
  expect(await browser.post('/api/auth/verify-email', { token })).toMatchObject({ status: 200 })
  const change = { currentPassword: PASSWORD, password }
  expect(await browser.post('/api/auth/password', change)).toMatchObject(refused)
  await browser.post('/api/auth/forgot-password', { email })
  const reset = await tokenTo(email, /^Reset/)
  expect(await browser.post('/api/auth/reset-password', { token: reset, password })).toMatchObject(refused)
  // The link still works for a better one.
  const better = { token: reset, password: NEW_PASSWORD }
  expect((await browser.post('/api/auth/reset-password', better)).status).toBe(200)
})

async function auditOf(user: SignedIn) {
  const query = db.selectFrom('audit_log').where('actor_id', '=', user.id).where('subject_id', '=', user.id)
  return query.select(['action', 'before', 'after']).execute()
}
