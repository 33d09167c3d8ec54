import { expect, test, vi } from 'vitest'
import { startApp } from '../../tests/support/start-app.ts'
import { aStudent, PASSWORD } from '../../tests/support/users.ts'
import { beginAuthenticator } from '../features/accounts/second-factor/second-factor-commands.server.ts'
import { newTotpSecret } from '../features/accounts/second-factor/totp-gateway.server.ts'
import { runAltocert } from './altocert.server.ts'

const app = await startApp()
const { db, url } = app.services.database

async function run(...args: string[]) {
  vi.stubEnv('DATABASE_URL', url)
  const printed: string[] = []
  const print = (text: string) => void printed.push(text)
  const code = await runAltocert(args, { print, printError: print })
  vi.unstubAllEnvs()
  return { code, text: printed.join('\n') }
}

test('reset-second-factor removes it, ends the sessions, tells the owner and is audited', async () => {
  const user = await aStudent(app)
  const { secret } = app.services
  const now = app.clock.now()
  await beginAuthenticator(db, { userId: user.id, now, secret, totpSecret: newTotpSecret() })
  await db.updateTable('authenticators').set({ enabled_at: now }).where('user_id', '=', user.id).execute()
  const sign = () => app.visitor().post('/api/auth/sign-in', { email: user.email, password: PASSWORD })
  expect((await sign()).body).toMatchObject({ user: null })

  expect(await run('reset-second-factor', user.email.toUpperCase())).toEqual({
    code: 0,
    text: `${user.email} has no second factor now. Sessions ended: 1.`,
  })
  expect((await user.browser.get('/api/auth/session')).body).toEqual({ user: null })
  expect((await sign()).body).toMatchObject({ user: { email: user.email } })
  expect((await app.mailTo(user.email)).subject).toContain('second factor of your Altocert account was removed')
  const entries = await db
    .selectFrom('audit_log')
    .where('subject_id', '=', user.id)
    .select(['action', 'actor_id'])
    .execute()
  expect(entries).toEqual([{ action: 'user.reset-second-factor', actor_id: null }])
})

test('an unknown user is reported, and wrong usage exits with 2', async () => {
  expect((await run('reset-second-factor', 'nobody@example.com')).code).toBe(1)
  expect((await run('reset-second-factor')).code).toBe(2)
})
