import { Secret, TOTP } from 'otpauth'
import { expect, test, vi } from 'vitest'
import { SoftPasskey } from '../../../../tests/support/soft-passkey.ts'
import { startApp, type Reply, type Visitor } from '../../../../tests/support/start-app.ts'
import { anAdmin, aStudent, PASSWORD, type SignedIn } from '../../../../tests/support/users.ts'
import { MINUTE_MS } from '../../../lib/time.ts'
import { resetSecondFactor } from './second-factor-commands.server.ts'
import { copy } from './second-factor.copy.ts'
import { hashOfRecoveryCode } from './totp-gateway.server.ts'

const app = await startApp()
const { db } = app.services.database

const messageOf = ({ body }: Reply) => (body as { error?: { message: string } }).error?.message
const codeOf = ({ body }: Reply) => (body as { error?: { code: string } }).error?.code
const STEP_MS = 30_000

/** Sets the authenticator app up. `code` is what the app shows now. */
async function withAuthenticator(user: SignedIn) {
  const begun = await user.browser.post('/api/auth/authenticator')
  const { secret } = begun.body as { secret: string }
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = (shiftMs = 0) => totp.generate({ timestamp: app.clock.now().getTime() + shiftMs })
  const enabled = await user.browser.post('/api/auth/authenticator/enable', { code: code() })
  const { recoveryCodes } = enabled.body as { recoveryCodes: string[] }
  app.clock.forward(STEP_MS)
  return { secret, code, recoveryCodes }
}

async function withPasskey(user: SignedIn, passkey = new SoftPasskey(app.url)) {
  const options = await user.browser.post('/api/auth/passkeys/options')
  const added = await user.browser.post('/api/auth/passkeys', {
    name: 'My laptop',
    passkey: passkey.create(options.body as never),
  })
  return { passkey, added }
}

/** A new browser after the password. */
async function atSecondStep(user: SignedIn): Promise<Visitor> {
  const browser = app.visitor()
  const reply = await browser.post('/api/auth/sign-in', { email: user.email, password: PASSWORD })
  expect(reply).toMatchObject({ status: 200, body: { user: null } })
  return browser
}

const userOf = async (browser: Visitor) => ((await browser.get('/api/auth/session')).body as { user: unknown }).user
const optionsOf = async (browser: Visitor, path: string) => (await browser.post(path)).body as never

test('a password alone opens no session where an authenticator app is set up', async () => {
  const user = await aStudent(app)
  const { code, recoveryCodes } = await withAuthenticator(user)
  expect(recoveryCodes).toHaveLength(10)
  const browser = app.visitor()
  const first = await browser.post('/api/auth/sign-in', { email: user.email, password: PASSWORD })
  expect(first.body).toEqual({ user: null, secondStep: { code: true, passkey: false } })
  expect(await userOf(browser)).toBeNull()
  const second = await browser.post('/api/auth/second-step', { code: code() })
  expect(second).toMatchObject({ status: 200, body: { user: { email: user.email } } })
  expect(await userOf(browser)).not.toBeNull()
  expect((await app.mailTo(user.email)).subject).toContain('authenticator app was set up')
})

test('the database holds neither the secret of the app nor a recovery code', async () => {
  const user = await aStudent(app)
  const { secret, recoveryCodes } = await withAuthenticator(user)
  const stored = JSON.stringify([
    await db.selectFrom('authenticators').selectAll().execute(),
    await db.selectFrom('recovery_codes').selectAll().execute(),
  ])
  for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
    expect(stored).not.toContain(text)
})

test('an authenticator app is turned on by a right code only', async () => {
  const user = await aStudent(app)
  const missing = await user.browser.post('/api/auth/authenticator/enable', { code: '123456' })
  expect(codeOf(missing)).toBe('authenticator.missing')
  await user.browser.post('/api/auth/authenticator')
  const wrong = await user.browser.post('/api/auth/authenticator/enable', { code: '12345' })
  expect(wrong.status).toBe(400)
  const browser = app.visitor()
  const reply = await browser.post('/api/auth/sign-in', { email: user.email, password: PASSWORD })
  expect(reply.body).toMatchObject({ user: { email: user.email } })
  await withAuthenticator(user)
  expect(codeOf(await user.browser.post('/api/auth/authenticator'))).toBe('authenticator.exists')
})

test('a TOTP code used twice is refused, also by two calls at once', async () => {
  const user = await aStudent(app)
  const { code } = await withAuthenticator(user)
  const used = code()
  const browsers = await Promise.all([atSecondStep(user), atSecondStep(user)])
  const replies = await Promise.all(browsers.map((browser) => browser.post('/api/auth/second-step', { code: used })))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
  const third = await atSecondStep(user)
  const again = await third.post('/api/auth/second-step', { code: used })
  expect([again.status, messageOf(again)]).toEqual([400, copy['code.used']])
  expect(await userOf(third)).toBeNull()
})

test('a code of one step before or after is accepted, of two steps not', async () => {
  const user = await aStudent(app)
  const { code } = await withAuthenticator(user)
  app.clock.forward(5 * STEP_MS)
  const browser = await atSecondStep(user)
  for (const shift of [-2, 2]) {
    const reply = await browser.post('/api/auth/second-step', { code: code(shift * STEP_MS) })
    expect(messageOf(reply), `shift ${shift}`).toBe(copy['code.wrong'])
  }
  expect((await browser.post('/api/auth/second-step', { code: code(STEP_MS) })).status).toBe(200)
})

test('a clock that jumps opens nothing, and recovery codes still work', async () => {
  const user = await aStudent(app)
  const { code, recoveryCodes } = await withAuthenticator(user)
  const early = await atSecondStep(user)
  app.clock.forward(60 * MINUTE_MS)
  expect((await (await atSecondStep(user)).post('/api/auth/second-step', { code: code() })).status).toBe(200)
  app.clock.forward(-60 * MINUTE_MS)
  const browser = await atSecondStep(user)
  const reply = await browser.post('/api/auth/second-step', { code: code() })
  expect([reply.status, messageOf(reply)]).toEqual([409, copy['code.clock']])
  // A step that began before the clock was set far back has no longer life than others.
  app.clock.forward(-30 * MINUTE_MS)
  const stale = await early.post('/api/auth/second-step', { recoveryCode: recoveryCodes[0] })
  expect([stale.status, messageOf(stale)]).toEqual([401, copy['step.ended']])
  app.clock.forward(30 * MINUTE_MS)
  expect((await browser.post('/api/auth/second-step', { recoveryCode: recoveryCodes[0] })).status).toBe(200)
})

test('recovery codes have at least 128 random bits, and shorter ones from before work', async () => {
  const user = await aStudent(app)
  const { recoveryCodes } = await withAuthenticator(user)
  for (const code of recoveryCodes) expect(code).toMatch(/^([a-hjkmnp-z2-9]{4}-){6}[a-hjkmnp-z2-9]{4}$/)
  expect(28 * Math.log2(31)).toBeGreaterThan(128)
  const code_hash = hashOfRecoveryCode('abcdefgh2345', user.id, app.services.secret)
  await db.insertInto('recovery_codes').values({ user_id: user.id, code_hash }).execute()
  const browser = await atSecondStep(user)
  expect((await browser.post('/api/auth/second-step', { recoveryCode: 'ABCD-EFGH-2345' })).status).toBe(200)
})

test('recovery codes used twice are refused, and new ones end the old ones', async () => {
  const user = await aStudent(app)
  const { recoveryCodes } = await withAuthenticator(user)
  const [first = '', second = ''] = recoveryCodes
  const typed = first.toUpperCase().replaceAll('-', ' ')
  expect((await (await atSecondStep(user)).post('/api/auth/second-step', { recoveryCode: typed })).status).toBe(200)
  const browser = await atSecondStep(user)
  const again = await browser.post('/api/auth/second-step', { recoveryCode: first })
  expect([again.status, messageOf(again)]).toEqual([400, copy['recovery.wrong']])
  const { body } = await user.browser.post('/api/auth/recovery-codes')
  expect((await browser.post('/api/auth/second-step', { recoveryCode: second })).status).toBe(400)
  const fresh = (body as { recoveryCodes: string[] }).recoveryCodes[0]
  expect((await browser.post('/api/auth/second-step', { recoveryCode: fresh })).status).toBe(200)
  expect((await user.browser.get('/api/auth/second-factor')).body).toMatchObject({ recoveryCodesLeft: 9 })
})

test('wrong codes lock the account, and the right password does not clear their count', async () => {
  const user = await aStudent(app)
  const { code } = await withAuthenticator(user)
  const statuses: number[] = []
  for (let guess = 0; guess < 5; guess += 1) {
    const browser = await atSecondStep(user)
    statuses.push((await browser.post('/api/auth/second-step', { code: '000000' })).status)
  }
  expect(statuses).toEqual([400, 400, 400, 400, 423])
  const password = await app.visitor().post('/api/auth/sign-in', { email: user.email, password: PASSWORD })
  expect(codeOf(password)).toBe('account.locked')
  app.clock.forward(15 * MINUTE_MS)
  expect((await (await atSecondStep(user)).post('/api/auth/second-step', { code: code() })).status).toBe(200)
})

test('the second step ends after 10 minutes, works once, and only in its own browser', async () => {
  const user = await aStudent(app)
  const { code } = await withAuthenticator(user)
  const stranger = await app.visitor().post('/api/auth/second-step', { code: code() })
  expect([stranger.status, messageOf(stranger)]).toEqual([401, copy['step.ended']])
  const late = await atSecondStep(user)
  app.clock.forward(10 * MINUTE_MS)
  expect((await late.post('/api/auth/second-step', { code: code() })).status).toBe(401)
  const browser = await atSecondStep(user)
  const { cookies } = browser
  expect((await browser.post('/api/auth/second-step', { code: code() })).status).toBe(200)
  app.clock.forward(STEP_MS)
  const replayed = await app.visitor().call('POST', '/api/auth/second-step', { code: code() }, { cookie: cookies })
  expect(replayed.status).toBe(401)
})

test('tokens of another kind open no second step', async () => {
  const user = await aStudent(app)
  const { code } = await withAuthenticator(user)
  await app.visitor().post('/api/auth/forgot-password', { email: user.email })
  const [, token = ''] = /token=([\w-]+)/.exec((await app.mailTo(user.email)).text) ?? []
  const tokens = [token, 'x', user.browser.cookies.split('=')[1] ?? '', '%00', 'a'.repeat(3000)]
  for (const value of tokens) {
    const headers = { cookie: `altocert_second_step=${value}` }
    const reply = await app.visitor().call('POST', '/api/auth/second-step', { code: code() }, headers)
    expect([reply.status, messageOf(reply)]).toEqual([401, copy['step.ended']])
  }
  const step = await atSecondStep(user)
  const value = /altocert_second_step=([\w-]+)/.exec(step.cookies)?.[1]
  const reset = await app.visitor().post('/api/auth/reset-password', { token: value, password: 'Other-Horse-7!' })
  expect(codeOf(reset)).toBe('account.bad-reset-token')
})

test('a passkey alone signs in, once per challenge', async () => {
  const user = await aStudent(app)
  const { passkey, added } = await withPasskey(user)
  expect(added.status).toBe(200)
  expect((await app.mailTo(user.email)).subject).toContain('passkey was added')
  const browser = app.visitor()
  const answer = passkey.get(await optionsOf(browser, '/api/auth/passkey-sign-in/options'))
  expect((await browser.post('/api/auth/passkey-sign-in', { passkey: answer })).body).toMatchObject({
    user: { email: user.email },
  })
  expect(await userOf(browser)).not.toBeNull()
  const replayed = await app.visitor().post('/api/auth/passkey-sign-in', { passkey: answer })
  expect([replayed.status, messageOf(replayed)]).toEqual([400, copy['passkey.expired']])
  const view = (await user.browser.get('/api/auth/second-factor')).body as { passkeys: { lastUsedAt: string | null }[] }
  expect(view.passkeys).toMatchObject([{ name: 'My laptop' }])
  expect(view.passkeys[0]?.lastUsedAt).not.toBeNull()
})

test('a passkey of another site is refused, when it is added and when it is used', async () => {
  const user = await aStudent(app)
  const origin = 'https://evil.example'
  const foreign = await user.browser.post('/api/auth/passkeys', {
    name: 'x',
    passkey: new SoftPasskey(origin).create(await optionsOf(user.browser, '/api/auth/passkeys/options')),
  })
  expect([foreign.status, messageOf(foreign)]).toEqual([400, copy['passkey.foreign-site']])
  const { passkey } = await withPasskey(user)
  for (const twist of [{ origin }, { rpId: 'evil.example' }]) {
    const browser = app.visitor()
    const options = await optionsOf(browser, '/api/auth/passkey-sign-in/options')
    const reply = await browser.post('/api/auth/passkey-sign-in', { passkey: passkey.get(options, twist) })
    expect([reply.status, messageOf(reply)]).toEqual([400, copy['passkey.foreign-site']])
    expect(await userOf(browser)).toBeNull()
  }
})

test('a passkey is refused without user verification, with an old counter, a late or foreign challenge, or when unknown', async () => {
  const user = await aStudent(app)
  const { passkey } = await withPasskey(user)
  const path = '/api/auth/passkey-sign-in'
  const browser = app.visitor()
  const send = async (answer: object) => messageOf(await browser.post(path, { passkey: answer }))
  const options = () => optionsOf(browser, `${path}/options`)
  expect(await send(passkey.get(await options(), { isVerified: false }))).toBe(copy['passkey.refused'])
  expect(await send(passkey.get(await options(), { counter: 7 }))).toBeUndefined()
  expect(await send(passkey.get(await options(), { counter: 7 }))).toBe(copy['passkey.refused'])
  expect(await send(passkey.get(await options(), { counter: 3 }))).toBe(copy['passkey.refused'])
  expect(await send(new SoftPasskey(app.url).get(await options()))).toBe(copy['passkey.unknown'])
  expect(await send(passkey.get({ challenge: 'bm90IG91cnM', rpId: 'localhost' }))).toBe(copy['passkey.expired'])
  const confirm = await optionsOf(user.browser, '/api/auth/confirmation/options')
  expect(await send(passkey.get(confirm, { counter: 20 }))).toBe(copy['passkey.expired'])
  const late = await options()
  app.clock.forward(5 * MINUTE_MS)
  expect(await send(passkey.get(late, { counter: 21 }))).toBe(copy['passkey.expired'])
  expect((await browser.post(path, { passkey: { id: 'x' } })).status).toBe(400)
})

test('a passkey of a locked account, or of an unverified address, is refused as a password is', async () => {
  // The database keeps one admin who can sign in.
  await anAdmin(app)
  const [locked, unverified] = [await aStudent(app), await aStudent(app)]
  const [one, two] = [await withPasskey(locked), await withPasskey(unverified)]
  const signIn = async (passkey: SoftPasskey) => {
    const browser = app.visitor()
    const answer = passkey.get(await optionsOf(browser, '/api/auth/passkey-sign-in/options'))
    return browser.post('/api/auth/passkey-sign-in', { passkey: answer })
  }
  for (let guess = 0; guess < 5; guess += 1)
    await app.visitor().post('/api/auth/sign-in', { email: locked.email, password: 'Wrong-Horse-7!' })
  expect(codeOf(await signIn(one.passkey))).toBe('account.locked')
  app.clock.forward(15 * MINUTE_MS)
  const at = { locked_at: app.clock.now(), locked_reason: 'Shared account.' }
  await db.updateTable('users').set(at).where('id', '=', locked.id).execute()
  expect(messageOf(await signIn(one.passkey))).toContain('Shared account.')
  await db.updateTable('users').set({ email_verified: false }).where('id', '=', unverified.id).execute()
  expect(codeOf(await signIn(two.passkey))).toBe('account.unverified')
})

test('passkeys are renamed and removed by their owner only; a removed one signs in no more', async () => {
  const [user, other] = [await aStudent(app), await aStudent(app)]
  const { passkey } = await withPasskey(user)
  const path = `/api/auth/passkeys/${passkey.id.toString('base64url')}`
  expect((await other.browser.patch(path, { name: 'Mine' })).status).toBe(404)
  expect((await other.browser.call('DELETE', path)).status).toBe(404)
  expect((await user.browser.patch(path, { name: 'Old laptop' })).status).toBe(200)
  expect((await user.browser.patch(path, { name: '  ' })).status).toBe(400)
  expect((await user.browser.call('DELETE', path)).status).toBe(200)
  expect((await user.browser.call('DELETE', path)).status).toBe(404)
  const browser = app.visitor()
  const answer = passkey.get(await optionsOf(browser, '/api/auth/passkey-sign-in/options'))
  expect(messageOf(await browser.post('/api/auth/passkey-sign-in', { passkey: answer }))).toBe(copy['passkey.unknown'])
})

test('setting up and turning off needs a recent confirmation, with the second factor where there is one', async () => {
  const user = await aStudent(app)
  app.clock.forward(16 * MINUTE_MS)
  expect(codeOf(await user.browser.post('/api/auth/authenticator'))).toBe('confirmation.required')
  expect((await user.browser.post('/api/auth/confirmation', { password: PASSWORD })).status).toBe(200)
  const { code, recoveryCodes } = await withAuthenticator(user)
  app.clock.forward(16 * MINUTE_MS)
  const remove = () => user.browser.call('DELETE', '/api/auth/authenticator')
  expect(codeOf(await remove())).toBe('confirmation.required')
  expect((await user.browser.get('/api/auth/confirmation')).body).toEqual({
    isConfirmed: false,
    methods: { password: false, google: false, code: true, passkey: false },
  })
  const password = await user.browser.post('/api/auth/confirmation', { password: PASSWORD })
  expect([password.status, messageOf(password)]).toEqual([400, copy['proof.factor']])
  expect((await user.browser.post('/api/auth/confirmation', { code: '000000' })).status).toBe(400)
  expect(codeOf(await remove())).toBe('confirmation.required')
  expect((await user.browser.post('/api/auth/confirmation', { code: code() })).status).toBe(200)
  app.clock.forward(16 * MINUTE_MS)
  const recovery = await user.browser.post('/api/auth/confirmation', { recoveryCode: recoveryCodes[3] })
  expect(recovery.status).toBe(200)
  expect((await remove()).status).toBe(200)
  expect((await user.browser.get('/api/auth/second-factor')).body).toEqual({
    authenticatorSince: null,
    recoveryCodesLeft: 0,
    passkeys: [],
  })
})

test('a passkey confirms its own user only', async () => {
  const [user, other] = [await anAdmin(app), await aStudent(app)]
  const [own, foreign] = [await withPasskey(user), await withPasskey(other)]
  app.clock.forward(16 * MINUTE_MS)
  const confirm = async (passkey: SoftPasskey) =>
    user.browser.post('/api/auth/confirmation', {
      passkey: passkey.get(await optionsOf(user.browser, '/api/auth/confirmation/options')),
    })
  expect(messageOf(await confirm(foreign.passkey))).toBe(copy['passkey.unknown'])
  expect((await confirm(own.passkey)).status).toBe(200)
  expect((await user.browser.get('/api/auth/confirmation')).body).toMatchObject({ isConfirmed: true })
})

test('the own export lists the second factor without its secrets, and a deletion erases it', async () => {
  const user = await aStudent(app)
  await withAuthenticator(user)
  await withPasskey(user)
  const { data } = (await user.browser.get('/api/profiles/me/data')).body as {
    data: { authenticators: object[]; passkeys: object[] }
  }
  expect(data.authenticators).toMatchObject([{ is_enabled: true }])
  expect(data.passkeys).toMatchObject([{ name: 'My laptop', last_used_at: null }])
  expect(JSON.stringify(data)).not.toMatch(/sealed_secret|public_key|code_hash/)
  await user.browser.post('/api/profiles/me/deletion', { password: PASSWORD })
  for (const table of ['authenticators', 'recovery_codes', 'passkeys'] as const)
    expect(await db.selectFrom(table).where('user_id', '=', user.id).select('user_id').execute()).toEqual([])
})

test('a reset removes everything and ends the sessions', async () => {
  const user = await aStudent(app)
  await withAuthenticator(user)
  await withPasskey(user)
  const { ended } = await db
    .transaction()
    .execute((tx) => resetSecondFactor(tx, { userId: user.id, actorId: null, now: app.clock.now() }))
  expect(ended).toBe(1)
  expect(await userOf(user.browser)).toBeNull()
  const browser = app.visitor()
  const reply = await browser.post('/api/auth/sign-in', { email: user.email, password: PASSWORD })
  expect(reply.body).toMatchObject({ user: { email: user.email } })
})

test('confirmations and changes of factors are logged with the account, and without a secret', async () => {
  const user = await aStudent(app)
  const lines: Record<string, unknown>[] = []
  const write = (fields: object) => void lines.push({ ...fields })
  const log = { info: write, warn: write, error: write, debug: write }
  const spy = vi.spyOn(app.services.log, 'child').mockReturnValue(log as never)
  const { browser } = user
  const secrets = [PASSWORD]
  try {
    await browser.post('/api/auth/confirmation', { password: 'Wrong-Horse-7!' })
    await browser.post('/api/auth/confirmation', { password: PASSWORD })
    const { secret, recoveryCodes } = await withAuthenticator(user)
    secrets.push(secret, ...recoveryCodes)
    await browser.post('/api/auth/recovery-codes')
    await withPasskey(user)
    const { passkeys } = (await browser.get('/api/auth/second-factor')).body as { passkeys: { id: string }[] }
    await browser.call('DELETE', `/api/auth/passkeys/${passkeys[0]?.id}`)
    await browser.call('DELETE', '/api/auth/authenticator')
    // Nothing is left to be removed.
    await browser.call('DELETE', '/api/auth/authenticator')
  } finally {
    spy.mockRestore()
  }
  for (const secret of secrets) expect(JSON.stringify(lines)).not.toContain(secret)
  const of = (event: string, account: string = user.id) => ({ event, account, networkAddress: '127.0.0.1' })
  expect(lines.filter(({ event }) => event !== undefined)).toMatchObject([
    of('sign-in-failed', user.email),
    of('confirmation-failed'),
    of('confirmed'),
    of('authenticator-added'),
    of('recovery-renewed'),
    of('passkey-added'),
    of('passkey-removed'),
    of('authenticator-removed'),
  ])
})
