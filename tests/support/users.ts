import { randomBytes } from 'node:crypto'
import { hashPassword } from '../../src/features/accounts/argon2-gateway.server.ts'
import { createAccount } from '../../src/features/accounts/accounts-commands.server.ts'
import { grantAccess } from '../../src/features/access/access-commands.server.ts'
import type { CourseId, UserId } from '../../src/lib/ids.ts'
import type { TestApp, Visitor } from './start-app.ts'

export const PASSWORD = 'Correct-Horse-7!'
let hash: Promise<string> | null = null

export type SignedIn = { readonly id: UserId; readonly email: string; readonly browser: Visitor }

/** A verified student, signed in. */
export async function aStudent(app: TestApp, options: { role?: 'student' | 'admin' } = {}): Promise<SignedIn> {
  const email = `person-${randomBytes(5).toString('hex')}@example.com`
  hash ??= hashPassword(PASSWORD)
  const { db } = app.services.database
  const id = await createAccount(db, { name: 'Test Person', email, passwordHash: await hash, isVerified: true })
  if (options.role === 'admin') await db.updateTable('profiles').set({ role: 'admin' }).where('id', '=', id).execute()
  const browser = app.visitor()
  const reply = await browser.post('/api/auth/sign-in', { email, password: PASSWORD })
  if (reply.status !== 200) throw new Error(`could not sign in: ${JSON.stringify(reply.body)}`)
  return { id, email, browser }
}

export const anAdmin = (app: TestApp) => aStudent(app, { role: 'admin' })

/** Confirms with the password who is signed in, after the clock has moved. */
export async function confirm({ browser }: SignedIn): Promise<void> {
  const reply = await browser.post('/api/auth/confirmation', { password: PASSWORD })
  if (reply.status !== 200) throw new Error(`could not confirm: ${JSON.stringify(reply.body)}`)
}

/** Gives 30 days of access, as an admin would. */
export async function giveAccess(app: TestApp, user: { id: UserId }, courseId: string) {
  await grantAccess(app.services.database.db, {
    userId: user.id,
    courseId: courseId as CourseId,
    source: 'grant',
    orderLineId: null,
    seatCode: null,
    now: app.clock.now(),
  })
}
