import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { fail } from './second-factor.schema.ts'
import { judgeStep } from './second-factor.ts'
import { hashOfRecoveryCode, newRecoveryCodes, openSecret, sealSecret, stepOfCode } from './totp-gateway.server.ts'

type ForUser = { readonly userId: UserId; readonly now: Date; readonly secret: string }

/** Stores the secret of an authenticator that is not turned on yet; another one that was begun is replaced. @throws Failure authenticator.exists */
export async function beginAuthenticator(db: Db, begin: ForUser & { readonly totpSecret: string }): Promise<void> {
  const { userId, now, secret, totpSecret } = begin
  const sealed_secret = sealSecret(totpSecret, userId, secret)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('authenticators')
    .values({ user_id: userId, sealed_secret, enabled_at: null, last_step: null, created_at: now })
    .onConflict((on) =>
      on
        .column('user_id')
        .doUpdateSet({ sealed_secret, last_step: null, created_at: now })
        .where('authenticators.enabled_at', 'is', null),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) throw fail('authenticator.exists')
}

/** Turns the authenticator on after one right code, and returns the recovery codes. @throws Failure authenticator.missing, second-factor.wrong-code */
export async function enableAuthenticator(tx: Db, enable: ForUser & { readonly code: string }): Promise<string[]> {
  const { userId, now, secret, code } = enable
  const row = await tx
    .selectFrom('authenticators')
    .where('user_id', '=', userId)
    .where('enabled_at', 'is', null)
    .select('sealed_secret')
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw fail('authenticator.missing')
  const totpSecret = openSecret(row.sealed_secret, userId, secret)
  const step = totpSecret === null ? null : stepOfCode(totpSecret, code, now)
  if (step === null)
    throw fail('second-factor.wrong-code', {
      fields: [{ field: 'code', message: fail('second-factor.wrong-code').message }],
    })
  await tx
    .updateTable('authenticators')
    .set({ enabled_at: now, last_step: step })
    .where('user_id', '=', userId)
    .execute()
  return renewRecoveryCodes(tx, { userId, secret })
}

/** Replaces the recovery codes and returns the new ones, which are stored as hashes only. */
export async function renewRecoveryCodes(tx: Db, renew: Omit<ForUser, 'now'>): Promise<string[]> {
  const { userId, secret } = renew
  const codes = newRecoveryCodes()
  const hashOf = (code: string) => hashOfRecoveryCode(code.replaceAll('-', ''), userId, secret)
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(code) })))
    .execute()
  return codes
}

/** Removes the authenticator with its recovery codes; false when there is none that is turned on. */
export async function removeAuthenticator(tx: Db, userId: UserId): Promise<boolean> {
  const removed = await tx
    .deleteFrom('authenticators')
    .where('user_id', '=', userId)
    .returning('enabled_at')
    .executeTakeFirst()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  return removed !== undefined && removed.enabled_at !== null
}

/** Uses up a code of the authenticator app. 'unreadable': the installation's secret has changed. */
export async function useCode(
  db: Db,
  use: ForUser & { readonly code: string },
): Promise<'right' | 'wrong' | 'used' | 'clock' | 'unreadable'> {
  const { userId, now, secret, code } = use
  const row = await db
    .selectFrom('authenticators')
    .where('user_id', '=', userId)
    .where('enabled_at', 'is not', null)
    .select(['sealed_secret', 'last_step'])
    .executeTakeFirst()
  if (row === undefined) return 'wrong'
  const totpSecret = openSecret(row.sealed_secret, userId, secret)
  if (totpSecret === null) return 'unreadable'
  const step = stepOfCode(totpSecret, code, now)
  if (step === null) return 'wrong'
  const verdict = judgeStep(step, row.last_step === null ? null : Number(row.last_step), now)
  if (verdict !== 'right') return verdict
  // Of two calls with the same code at once, one finds the row as it was read.
  const { numUpdatedRows } = await db
    .updateTable('authenticators')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('sealed_secret', '=', row.sealed_secret)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n ? 'right' : 'used'
}

/** Uses up a recovery code; false when it is wrong or was used. */
export async function useRecoveryCode(db: Db, use: Omit<ForUser, 'now'> & { readonly code: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', use.userId)
    .where('code_hash', '=', hashOfRecoveryCode(use.code, use.userId, use.secret))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes everything of the second factor. */
export async function eraseSecondFactor(tx: Db, userId: UserId): Promise<void> {
  await tx.deleteFrom('authenticators').where('user_id', '=', userId).execute()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

/** Removes the second factor of a user who lost it, and ends all sessions. Recorded in the audit log. */
export async function resetSecondFactor(
  tx: Db,
  reset: { readonly userId: UserId; readonly actorId: UserId | null; readonly now: Date },
): Promise<{ readonly ended: number }> {
  const { userId, actorId, now } = reset
  const { numDeletedRows } = await tx.deleteFrom('sessions').where('user_id', '=', userId).executeTakeFirst()
  await eraseSecondFactor(tx, userId)
  const ended = Number(numDeletedRows)
  const entry = { action: 'user.reset-second-factor', table: 'profiles', id: userId, before: null, after: { ended } }
  await audit(tx, { at: now, actorId, ...entry })
  return { ended }
}
