import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { SessionId, UserId } from '../../../lib/ids.ts'
import { after, DAY_MS } from '../../../lib/time.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { findIdentity } from '../accounts-queries.server.ts'
import { fail as failAccounts } from '../accounts.schema.ts'
import { hashOfToken } from '../sessions/session-cookie-queries.server.ts'
import { endSessions } from '../sessions/sessions-commands.server.ts'
import { fail } from './settings.schema.ts'

/** The user who changes something, in the session that stays open. */
type Changer = { readonly userId: UserId; readonly sessionId: SessionId; readonly now: Date }

export async function changeName(db: Db, change: { userId: UserId; name: string; now: Date }): Promise<void> {
  // A trigger copies the name to `users`.
  await db
    .updateTable('profiles')
    .set({ full_name: change.name, updated_at: change.now })
    .where('id', '=', change.userId)
    .execute()
}

/** Replaces the password, ends the other sessions and revokes links for a new password. */
export async function changePassword(tx: Db, change: Changer & { readonly passwordHash: string }): Promise<void> {
  const { userId, sessionId, passwordHash, now } = change
  await tx
    .updateTable('sign_in_methods')
    .set({ password: passwordHash, updated_at: now })
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .execute()
  await revokeLinks(tx, userId)
  await endSessions(tx, userId, sessionId)
  await note(tx, change, 'account.password')
}

/**
 * Issues the token that confirms a new address; only its hash is stored. Earlier ones for the same address stay valid, those for
 * another address do not.
 */
export async function issueAddressToken(
  tx: Db,
  change: { readonly userId: UserId; readonly newEmail: string; readonly now: Date },
): Promise<string> {
  const { userId, newEmail, now } = change
  const token = randomBytes(32).toString('base64url')
  await tx
    .deleteFrom('address_changes')
    .where((eb) =>
      eb.or([eb('expires_at', '<=', now), eb.and([eb('user_id', '=', userId), eb('new_email', '<>', newEmail)])]),
    )
    .execute()
  await tx
    .insertInto('address_changes')
    .values({
      token_hash: hashOfToken(token),
      user_id: userId,
      new_email: newEmail,
      expires_at: after(now, DAY_MS),
      created_at: now,
    })
    .execute()
  return token
}

/**
 * Changes the address of the signed-in user to the one that the token confirms. Links that were sent to the old address stop working,
 * and the count of wrong passwords moves along.
 * @throws Failure account.bad-address-token, account.exists
 */
export async function changeAddress(
  tx: Db,
  change: Changer & { readonly token: string },
): Promise<{ oldEmail: string; newEmail: string }> {
  const { userId, sessionId, token, now } = change
  // The row lock makes two changes of one user take turns; the second finds its token deleted.
  const user = await tx.selectFrom('users').where('id', '=', userId).select('email').forUpdate().executeTakeFirst()
  const waiting = await tx
    .selectFrom('address_changes')
    .where('token_hash', '=', hashOfToken(token))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .select('new_email')
    .executeTakeFirst()
  if (user === undefined || waiting === undefined) throw fail('account.bad-address-token')
  const newEmail = waiting.new_email
  if ((await findIdentity(tx, newEmail)) !== null) throw failAccounts('account.exists')
  await tx
    .updateTable('users')
    .set({ email: newEmail, email_verified: true, updated_at: now })
    .where('id', '=', userId)
    .execute()
  await revokeLinks(tx, userId)
  await moveLocks(tx, { from: user.email.toLowerCase(), to: newEmail })
  await endSessions(tx, userId, sessionId)
  await note(tx, change, 'account.address')
  return { oldEmail: user.email, newEmail }
}

/** Links that were emailed before must not undo a change. */
async function revokeLinks(tx: Db, userId: UserId): Promise<void> {
  await tx.deleteFrom('address_changes').where('user_id', '=', userId).execute()
  await sql`delete from verifications where value = ${userId}`.execute(tx)
}

/** Failures counted at the new address so far concern no account. */
async function moveLocks(tx: Db, { from, to }: { from: string; to: string }): Promise<void> {
  await tx.deleteFrom('sign_in_locks').where('email', '=', to).execute()
  await tx.updateTable('sign_in_locks').set({ email: to }).where('email', '=', from).execute()
}

/** The entry names neither the old nor the new value. */
async function note(tx: Db, { userId, now }: Changer, action: string): Promise<void> {
  await audit(tx, { at: now, actorId: userId, action, table: 'users', id: userId, before: null, after: null })
}
