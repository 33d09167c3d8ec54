import type { Db } from '../../../db/open.server.ts'
import type { ExtraTime } from '../../../lib/extra-time.ts'
import type { UserId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { fail as failPlatform } from '../../../platform/request-failures.ts'
import { isLastAdmin } from '../accounts-queries.server.ts'
import { issueToken, lockAdmins } from '../accounts-commands.server.ts'
import { fail, type Role } from './users.schema.ts'

/** `actorId` is null on the command line. */
type AdminAction = { readonly userId: string; readonly actorId: UserId | null; readonly now: Date }

/** Sets the extra time of exams that begin from now on; exams under way keep theirs. @throws Failure person.not-found */
export async function setExtraTime(db: Db, change: AdminAction & { readonly extraTime: ExtraTime }): Promise<void> {
  const { userId, extraTime, now } = change
  await db.transaction().execute(async (tx) => {
    const before = await selectUserForUpdate(tx, userId)
    if (before.extra_time === extraTime) return
    await tx.updateTable('profiles').set({ extra_time: extraTime, updated_at: now }).where('id', '=', userId).execute()
    await note(tx, change, 'profile.extra-time', { extraTime: before.extra_time }, { extraTime })
  })
}

/**
 * Makes a user an admin or a student. Nobody changes their own role, so the acting admin stays one. When two admins demote each other,
 * the second change fails.
 * @throws Failure person.not-found, person.own-role, person.last-admin, role.required
 */
export async function setRole(db: Db, change: AdminAction & { readonly role: Role }): Promise<void> {
  const { userId, role, actorId, now } = change
  if (userId === actorId) throw fail('person.own-role')
  await db.transaction().execute(async (tx) => {
    await lockAdmins(tx)
    await requireStillAdmin(tx, actorId)
    const before = await selectUserForUpdate(tx, userId)
    if (before.role === role) return
    if (role === 'student' && (await isLastAdmin(tx, userId))) throw fail('person.last-admin')
    await tx.updateTable('profiles').set({ role, updated_at: now }).where('id', '=', userId).execute()
    await note(tx, change, 'profile.role', { role: before.role }, { role })
  })
}

/**
 * Locks a user out: ends all sessions and refuses sign-in with the reason.
 * @throws Failure person.not-found, person.own-lock, person.last-admin, role.required
 */
export async function lockUser(db: Db, change: AdminAction & { readonly reason: string }): Promise<void> {
  const { userId, reason, actorId, now } = change
  if (userId === actorId) throw fail('person.own-lock')
  await db.transaction().execute(async (tx) => {
    await lockAdmins(tx)
    await requireStillAdmin(tx, actorId)
    const before = await selectUserForUpdate(tx, userId)
    if (before.locked_reason === reason) return
    if (await isLastAdmin(tx, userId)) throw fail('person.last-admin')
    await tx
      .updateTable('users')
      .set({ locked_at: before.locked_at ?? now, locked_reason: reason, updated_at: now })
      .where('id', '=', userId)
      .execute()
    await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
    await note(tx, change, 'user.lock', { reason: before.locked_reason }, { reason })
  })
}

/** @throws Failure person.not-found */
export async function unlockUser(db: Db, change: AdminAction): Promise<void> {
  const { userId, now } = change
  await db.transaction().execute(async (tx) => {
    const before = await selectUserForUpdate(tx, userId)
    if (before.locked_at === null) return
    await tx
      .updateTable('users')
      .set({ locked_at: null, locked_reason: null, updated_at: now })
      .where('id', '=', userId)
      .execute()
    await note(tx, change, 'user.unlock', { reason: before.locked_reason }, null)
  })
}

/** Marks the address as verified on an admin's word. @throws Failure person.not-found */
export async function verifyUser(db: Db, change: AdminAction): Promise<void> {
  const { userId, now } = change
  await db.transaction().execute(async (tx) => {
    const before = await selectUserForUpdate(tx, userId)
    if (before.email_verified) return
    await tx.updateTable('users').set({ email_verified: true, updated_at: now }).where('id', '=', userId).execute()
    await note(tx, change, 'user.verify', { isVerified: false }, { isVerified: true })
  })
}

/** Issues a token for a new password. The caller queues the email in the same transaction. @throws Failure person.not-found */
export async function issueReset(
  tx: Db,
  change: AdminAction,
): Promise<{ token: string; email: string; name: string | null }> {
  const user = await selectUserForUpdate(tx, change.userId)
  const token = await issueToken(tx, { purpose: 'reset', userId: change.userId as UserId, now: change.now })
  await note(tx, change, 'user.send-reset', null, null)
  return { token, email: user.email, name: user.email_verified ? user.full_name || user.name : null }
}

/** Ends all sessions of a user and returns their number. @throws Failure person.not-found */
export async function endSessions(db: Db, change: AdminAction): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await selectUserForUpdate(tx, change.userId)
    const { numDeletedRows } = await tx
      .deleteFrom('sessions')
      .where('user_id', '=', change.userId)
      .executeTakeFirstOrThrow()
    const ended = Number(numDeletedRows)
    await note(tx, change, 'user.end-sessions', null, { ended })
    return ended
  })
}

/** The user, locked until the transaction ends. @throws Failure person.not-found */
async function selectUserForUpdate(tx: Db, userId: string) {
  const user = await tx
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .where('users.id', '=', userId)
    .where('users.deleted_at', 'is', null)
    .select([
      'users.email',
      'users.name',
      'users.email_verified',
      'users.locked_at',
      'users.locked_reason',
      'profiles.full_name',
      'profiles.role',
      'profiles.extra_time',
    ])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (user === undefined) throw fail('person.not-found')
  return user
}

/** The actor may have lost the admin role since the request arrived. @throws Failure role.required */
async function requireStillAdmin(tx: Db, actorId: UserId | null): Promise<void> {
  if (actorId === null) return
  const actor = await selectUserForUpdate(tx, actorId)
  if (actor.role !== 'admin' || actor.locked_at !== null) throw failPlatform('role.required')
}

async function note(
  tx: Db,
  by: AdminAction,
  action: string,
  before: object | null,
  after: object | null,
): Promise<void> {
  await audit(tx, { at: by.now, actorId: by.actorId, action, table: 'profiles', id: by.userId, before, after })
}
