import type { Db } from '../../../db/open.server.ts'
import type { ExtraTime } from '../../../lib/extra-time.ts'
import type { PersonId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit.server.ts'
import { fail as failPlatform } from '../../../platform/failures.ts'
import { isLastAdmin } from '../read.server.ts'
import { issueToken, lockAdmins } from '../write.server.ts'
import { fail, type Role } from './schema.ts'

/** Nobody is the actor when it is done from the shell. */
type By = { readonly personId: string; readonly actorId: PersonId | null; readonly now: Date }

/** Exams that run keep the time with which they began. @throws Failure person.not-found */
export async function setExtraTime(db: Db, change: By & { readonly extraTime: ExtraTime }): Promise<void> {
  const { personId, extraTime, now } = change
  await db.transaction().execute(async (tx) => {
    const before = await takePerson(tx, personId)
    if (before.extra_time === extraTime) return
    await tx
      .updateTable('profiles')
      .set({ extra_time: extraTime, updated_at: now })
      .where('id', '=', personId)
      .execute()
    await note(tx, change, 'profile.extra-time', { extraTime: before.extra_time }, { extraTime })
  })
}

/**
 * Makes somebody an admin, or a student again. Nobody changes their own role, so whoever changes another's stays an admin;
 * two who take each other's role take turns, and the second is an admin no more.
 * @throws Failure person.not-found, person.own-role, person.last-admin, role.required
 */
export async function setRole(db: Db, change: By & { readonly role: Role }): Promise<void> {
  const { personId, role, actorId, now } = change
  if (personId === actorId) throw fail('person.own-role')
  await db.transaction().execute(async (tx) => {
    await lockAdmins(tx)
    await requireStillAdmin(tx, actorId)
    const before = await takePerson(tx, personId)
    if (before.role === role) return
    if (role === 'student' && (await isLastAdmin(tx, personId))) throw fail('person.last-admin')
    await tx.updateTable('profiles').set({ role, updated_at: now }).where('id', '=', personId).execute()
    await note(tx, change, 'profile.role', { role: before.role }, { role })
  })
}

/**
 * Signs somebody out everywhere and lets them in no more; they are told the reason when they try.
 * @throws Failure person.not-found, person.own-lock, person.last-admin, role.required
 */
export async function lockPerson(db: Db, change: By & { readonly reason: string }): Promise<void> {
  const { personId, reason, actorId, now } = change
  if (personId === actorId) throw fail('person.own-lock')
  await db.transaction().execute(async (tx) => {
    await lockAdmins(tx)
    await requireStillAdmin(tx, actorId)
    const before = await takePerson(tx, personId)
    if (before.locked_reason === reason) return
    if (await isLastAdmin(tx, personId)) throw fail('person.last-admin')
    await tx
      .updateTable('users')
      .set({ locked_at: before.locked_at ?? now, locked_reason: reason, updated_at: now })
      .where('id', '=', personId)
      .execute()
    await tx.deleteFrom('sessions').where('user_id', '=', personId).execute()
    await note(tx, change, 'user.lock', { reason: before.locked_reason }, { reason })
  })
}

/** @throws Failure person.not-found */
export async function unlockPerson(db: Db, change: By): Promise<void> {
  const { personId, now } = change
  await db.transaction().execute(async (tx) => {
    const before = await takePerson(tx, personId)
    if (before.locked_at === null) return
    await tx
      .updateTable('users')
      .set({ locked_at: null, locked_reason: null, updated_at: now })
      .where('id', '=', personId)
      .execute()
    await note(tx, change, 'user.unlock', { reason: before.locked_reason }, null)
  })
}

/** An admin stands for the address. Links that would have verified it end. @throws Failure person.not-found */
export async function verifyPerson(db: Db, change: By): Promise<void> {
  const { personId, now } = change
  await db.transaction().execute(async (tx) => {
    const before = await takePerson(tx, personId)
    if (before.email_verified) return
    await tx.updateTable('users').set({ email_verified: true, updated_at: now }).where('id', '=', personId).execute()
    await note(tx, change, 'user.verify', { isVerified: false }, { isVerified: true })
  })
}

/** A token for a new password, and to whom it goes. The mail belongs into the same transaction. @throws Failure person.not-found */
export async function issueReset(tx: Db, change: By): Promise<{ token: string; email: string; name: string }> {
  const person = await takePerson(tx, change.personId)
  const token = await issueToken(tx, { purpose: 'reset', personId: change.personId as PersonId, now: change.now })
  await note(tx, change, 'user.send-reset', null, null)
  return { token, email: person.email, name: person.full_name || person.name }
}

/** Signs somebody out everywhere; they may sign in again. Says from how many places. @throws Failure person.not-found */
export async function endSessions(db: Db, change: By): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await takePerson(tx, change.personId)
    const { numDeletedRows } = await tx
      .deleteFrom('sessions')
      .where('user_id', '=', change.personId)
      .executeTakeFirstOrThrow()
    const ended = Number(numDeletedRows)
    await note(tx, change, 'user.end-sessions', null, { ended })
    return ended
  })
}

/** Who is changed, ours to change until the transaction ends. @throws Failure person.not-found */
async function takePerson(tx: Db, personId: string) {
  const person = await tx
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .where('users.id', '=', personId)
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
  if (person === undefined) throw fail('person.not-found')
  return person
}

/** The session was an admin's when the request came; somebody may have been faster. @throws Failure role.required */
async function requireStillAdmin(tx: Db, actorId: PersonId | null): Promise<void> {
  if (actorId === null) return
  const actor = await takePerson(tx, actorId)
  if (actor.role !== 'admin' || actor.locked_at !== null) throw failPlatform('role.required')
}

async function note(tx: Db, by: By, action: string, before: object | null, after: object | null): Promise<void> {
  await audit(tx, { at: by.now, actorId: by.actorId, action, table: 'profiles', id: by.personId, before, after })
}
