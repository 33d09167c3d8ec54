import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { UserId } from '../../lib/ids.ts'
import { after, HOUR_MS } from '../../lib/time.ts'
import { NOBODY_HOST } from '../../platform/mail.server.ts'
import { requireLeaving } from './accounts-queries.server.ts'
import { afterFailure, decideSignIn, type Lock } from './lockout.ts'
import { fail } from './accounts.schema.ts'
import { eraseSecondFactor } from './second-factor/second-factor-commands.server.ts'
import { endSecondStepsOf } from './second-factor/second-step-commands.server.ts'

const VERIFY_HOURS = 24
const RESET_HOURS = 1

/** The action that the link of an email allows. */
type TokenPurpose = 'verify' | 'reset' | 'delete'

/** A new, unverified account with a password. @throws Failure account.exists */
export async function createAccount(
  tx: Db,
  account: { name: string; email: string; passwordHash: string; isVerified?: boolean },
): Promise<UserId> {
  const row = await tx
    .insertInto('users')
    .values({ name: account.name, email: account.email, email_verified: account.isVerified ?? false })
    .onConflict((on) => on.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row === undefined)
    throw fail('account.exists', { fields: [{ field: 'email', message: fail('account.exists').message }] })
  await tx
    .insertInto('sign_in_methods')
    .values({ user_id: row.id, account_id: row.id, provider_id: 'credential', password: account.passwordHash })
    .execute()
  return row.id as UserId
}

type SignInClaim =
  | { readonly kind: 'claimed'; readonly lock: Lock }
  | { readonly kind: 'locked'; readonly minutes: number; readonly until: Date }

/**
 * Counts an attempt as failed before the password is checked, so that a hundred simultaneous guesses count as a hundred failures.
 * A correct password clears the count.
 */
export async function claimSignIn(db: Db, attempt: { email: string; device: string; now: Date }): Promise<SignInClaim> {
  return db.transaction().execute(async (tx) => {
    // One statement inserts or locks the row, because a successful sign-in may delete it at any time.
    const row = await tx
      .insertInto('sign_in_locks')
      .values({
        email: attempt.email,
        device: attempt.device,
        failures: 0,
        locked_until: null,
        last_failure_at: attempt.now,
      })
      .onConflict((on) => on.columns(['email', 'device']).doUpdateSet((eb) => ({ email: eb.ref('excluded.email') })))
      .returning(['failures', 'locked_until'])
      .executeTakeFirstOrThrow()
    const decision = decideSignIn({ failures: row.failures, lockedUntil: row.locked_until }, attempt.now)
    if (decision.kind === 'locked') return decision
    const lock = afterFailure(decision.failures, attempt.now)
    await tx
      .updateTable('sign_in_locks')
      .set({ failures: lock.failures, locked_until: lock.lockedUntil, last_failure_at: attempt.now })
      .where('email', '=', attempt.email)
      .where('device', '=', attempt.device)
      .execute()
    return { kind: 'claimed', lock }
  })
}

/** Uncounts an attempt that succeeded, and keeps the count of earlier failures. */
export async function takeBackClaim(db: Db, attempt: { email: string; device: string }): Promise<void> {
  await db
    .updateTable('sign_in_locks')
    .set((eb) => ({ failures: eb(eb.ref('failures'), '-', 1), locked_until: null }))
    .where('email', '=', attempt.email)
    .where('device', '=', attempt.device)
    .where('failures', '>', 0)
    .execute()
}

/** Resets the count of a device after a correct password. */
export async function clearSignInCount(db: Db, attempt: { email: string; device: string }): Promise<void> {
  await db.deleteFrom('sign_in_locks').where('email', '=', attempt.email).where('device', '=', attempt.device).execute()
}

/** Issues a one-use token for an email. Earlier ones of the same purpose work until one is used. Only its hash is stored. */
export async function issueToken(tx: Db, token: { purpose: TokenPurpose; userId: UserId; now: Date }): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const hours = token.purpose === 'verify' ? VERIFY_HOURS : RESET_HOURS
  await sql`delete from verifications where identifier like ${`${token.purpose}:%`} and value = ${token.userId}
    and expires_at <= ${token.now}`.execute(tx)
  await sql`insert into verifications (identifier, value, expires_at)
    values (${tokenKey(token.purpose, secret)}, ${token.userId}, ${after(token.now, hours * HOUR_MS)})`.execute(tx)
  return secret
}

/** Uses a token up, and with it the others of its purpose that were sent to the same user. One statement, so two at once cannot deadlock. */
async function useToken(tx: Db, token: { purpose: TokenPurpose; secret: string; now: Date }): Promise<UserId | null> {
  const key = tokenKey(token.purpose, token.secret)
  const { rows } = await sql<{ identifier: string; value: string }>`delete from verifications
    where value = (select value from verifications where identifier = ${key} and expires_at > ${token.now})
      and identifier like ${`${token.purpose}:%`} returning identifier, value`.execute(tx)
  return (rows.find(({ identifier }) => identifier === key)?.value as UserId | undefined) ?? null
}

/** Deletes tokens that have expired. */
export async function deleteOldTokens(db: Db, now: Date): Promise<void> {
  await sql`delete from verifications where expires_at <= ${now}`.execute(db)
}

function tokenKey(purpose: string, secret: string): string {
  return `${purpose}:${createHash('sha256').update(secret).digest('base64url')}`
}

type TokenOwner = { readonly id: UserId; readonly email: string; readonly name: string }

/** The account that a valid token belongs to. The token stays valid. */
export async function findTokenOwner(
  db: Db,
  token: { purpose: TokenPurpose; secret: string; now: Date },
): Promise<TokenOwner | null> {
  const { rows } = await sql<TokenOwner>`
    select users.id, users.email, users.name from verifications join users on users.id::text = verifications.value
    where identifier = ${tokenKey(token.purpose, token.secret)} and verifications.expires_at > ${token.now}`.execute(db)
  return rows[0] ?? null
}

/** Uses up the token of a verification email. @throws Failure account.bad-token when the link was used meanwhile */
export async function verifyAddress(db: Db, proof: { userId: UserId; token: string; now: Date }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const userId = await useToken(tx, { purpose: 'verify', secret: proof.token, now: proof.now })
    if (userId !== proof.userId) throw fail('account.bad-token')
    await tx
      .updateTable('users')
      .set({ email_verified: true, updated_at: proof.now })
      .where('id', '=', userId)
      .execute()
  })
}

/** Sets the password, verifies the address (the email arrived), clears all locks and ends all sessions. @throws Failure account.bad-reset-token */
export async function setNewPassword(
  db: Db,
  reset: { token: string; passwordHash: string; now: Date },
): Promise<UserId> {
  return db.transaction().execute(async (tx) => {
    const userId = await useToken(tx, { purpose: 'reset', secret: reset.token, now: reset.now })
    if (userId === null) throw fail('account.bad-reset-token')
    const { email } = await tx
      .updateTable('users')
      .set({ email_verified: true, updated_at: reset.now })
      .where('id', '=', userId)
      .returning('email')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('sign_in_methods')
      .values({ user_id: userId, account_id: userId, provider_id: 'credential', password: reset.passwordHash })
      .onConflict((on) =>
        on.columns(['provider_id', 'account_id']).doUpdateSet({ password: reset.passwordHash, updated_at: reset.now }),
      )
      .execute()
    await tx.deleteFrom('sign_in_locks').where('email', '=', email.toLowerCase()).execute()
    await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
    await endSecondStepsOf(tx, userId)
    return userId
  })
}

/** Creates or updates a verified, unlocked admin with this password. */
export async function ensureAdmin(
  db: Db,
  admin: { email: string; passwordHash: string | null; now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const known = await tx
      .selectFrom('users')
      .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', admin.email))
      .select('id')
      .executeTakeFirst()
    const id =
      known?.id ??
      (await createAccount(tx, {
        name: 'Admin',
        email: admin.email,
        passwordHash: admin.passwordHash ?? '',
        isVerified: true,
      }))
    await tx
      .updateTable('users')
      .set({ email_verified: true, locked_at: null, locked_reason: null })
      .where('id', '=', id)
      .execute()
    await tx.updateTable('profiles').set({ role: 'admin', updated_at: admin.now }).where('id', '=', id).execute()
    if (known !== undefined && admin.passwordHash !== null)
      await tx
        .insertInto('sign_in_methods')
        .values({ user_id: id, account_id: id, provider_id: 'credential', password: admin.passwordHash })
        .onConflict((on) =>
          on
            .columns(['provider_id', 'account_id'])
            .doUpdateSet({ password: admin.passwordHash, updated_at: admin.now }),
        )
        .execute()
  })
}

/**
 * Uses up the token of a deletion email, which must be for this user's account.
 * @throws Failure account.bad-deletion-token
 */
export async function useDeletionToken(tx: Db, deletion: { token: string; userId: UserId; now: Date }): Promise<void> {
  const userId = await useToken(tx, { purpose: 'delete', secret: deletion.token, now: deletion.now })
  if (userId !== deletion.userId) throw fail('account.bad-deletion-token')
}

/** Serializes changes that may leave no admin. The database counts the remaining admins under the same lock. */
export async function lockAdmins(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('admins', 0))`.execute(tx)
}

/**
 * Locks the account that is being deleted until the transaction ends: concurrent sign-ins, changes and deletions wait. Returns false
 * when it is deleted already.
 */
export async function selectLeavingUser(tx: Db, userId: UserId): Promise<boolean> {
  await lockAdmins(tx)
  const row = await tx
    .selectFrom('users')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Replaces the name of a deleted account. */
const DELETED_NAME = 'Deleted account'

/**
 * Erases the personal data of an account and every way to sign in; the address may register again. The anonymous row stays, because
 * orders refer to it. Two admins who delete themselves at once take turns.
 * @throws Failure account.last-admin
 */
export async function eraseAccount(
  tx: Db,
  account: { readonly userId: UserId; readonly email: string; readonly now: Date },
): Promise<void> {
  const { userId, now } = account
  await lockAdmins(tx)
  await requireLeaving(tx, userId)
  await tx
    .updateTable('users')
    .set({
      name: DELETED_NAME,
      email: `deleted-${userId}@${NOBODY_HOST}`,
      email_verified: false,
      image: null,
      updated_at: now,
      deleted_at: now,
      locked_at: null,
      locked_reason: null,
    })
    .where('id', '=', userId)
    .execute()
  await tx
    .updateTable('profiles')
    .set({ role: 'student', full_name: DELETED_NAME, extra_time: 'none', updated_at: now })
    .where('id', '=', userId)
    .execute()
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await tx.deleteFrom('sign_in_methods').where('user_id', '=', userId).execute()
  await tx.deleteFrom('address_changes').where('user_id', '=', userId).execute()
  await eraseSecondFactor(tx, userId)
  await tx.deleteFrom('sign_in_locks').where('email', '=', account.email.toLowerCase()).execute()
  await sql`delete from verifications where value like ${`%${userId}%`} or strpos(lower(value), ${account.email.toLowerCase()}) > 0`.execute(
    tx,
  )
}
