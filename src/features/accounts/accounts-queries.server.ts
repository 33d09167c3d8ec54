import type { Db } from '../../db/open.server.ts'
import type { UserId } from '../../lib/ids.ts'
import { inOnePage, type OwnData } from '../../platform/own-data-export.server.ts'
import { fail, type UserView } from './accounts.schema.ts'
import type { Lock } from './lockout.ts'
import { exportOf as exportSecondFactor } from './second-factor/second-factor-queries.server.ts'

export type Identity = {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly isVerified: boolean
  readonly passwordHash: string | null
}

export async function findIdentity(db: Db, email: string): Promise<Identity | null> {
  const row = await db
    .selectFrom('users')
    .leftJoin('sign_in_methods', (join) =>
      join.onRef('sign_in_methods.user_id', '=', 'users.id').on('sign_in_methods.provider_id', '=', 'credential'),
    )
    .where((eb) => eb(eb.fn<string>('lower', ['users.email']), '=', email))
    .select(['users.id', 'users.email', 'users.name', 'users.email_verified', 'sign_in_methods.password'])
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id as UserId,
    email: row.email,
    name: row.name,
    isVerified: row.email_verified,
    passwordHash: row.password,
  }
}

/** The failed attempts for an address from a device; null when there are none. */
export async function findSignInLock(db: Db, attempt: { email: string; device: string }): Promise<Lock | null> {
  const row = await db
    .selectFrom('sign_in_locks')
    .where('email', '=', attempt.email)
    .where('device', '=', attempt.device)
    .select(['failures', 'locked_until'])
    .executeTakeFirst()
  return row === undefined ? null : { failures: row.failures, lockedUntil: row.locked_until }
}

/** The reason of an admin's lock; null when the user is not locked out. */
export async function findLockReason(db: Db, userId: UserId): Promise<string | null> {
  const row = await db.selectFrom('users').where('id', '=', userId).select('locked_reason').executeTakeFirst()
  return row?.locked_reason ?? null
}

/** A user as pages show them. @throws when there is no such user */
export async function getUserView(db: Db, userId: UserId): Promise<UserView> {
  const row = await db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .where('users.id', '=', userId)
    .select(['users.id', 'users.email', 'profiles.full_name', 'profiles.role'])
    .executeTakeFirstOrThrow()
  return { id: row.id, email: row.email, name: row.full_name, role: row.role }
}

export async function countUsers(db: Db): Promise<{ users: number; verified: number; admins: number }> {
  const row = await db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .where('users.deleted_at', 'is', null)
    .select((eb) => [
      eb.fn.countAll<number>().as('users'),
      eb.fn.countAll<number>().filterWhere('users.email_verified', '=', true).as('verified'),
      eb.fn.countAll<number>().filterWhere('profiles.role', '=', 'admin').as('admins'),
    ])
    .executeTakeFirstOrThrow()
  return row
}

/** This feature's part of a user's data export; without password hashes and session tokens. */
export function exportOf(db: Db, userId: UserId): OwnData[] {
  return [
    { name: 'profile', pages: inOnePage(() => exportProfile(db, userId)) },
    { name: 'sign_in_methods', pages: inOnePage(() => exportSignInMethods(db, userId)) },
    { name: 'sessions', pages: inOnePage(() => exportSessions(db, userId)) },
    { name: 'address_changes', pages: inOnePage(() => exportAddressChanges(db, userId)) },
    { name: 'failed_sign_ins', pages: inOnePage(() => exportFailedSignIns(db, userId)) },
    ...exportSecondFactor(db, userId),
  ]
}

const exportProfile = (db: Db, userId: UserId) =>
  db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .where('users.id', '=', userId)
    .select([
      'users.id',
      'users.email',
      'users.email_verified',
      'users.name',
      'profiles.full_name',
      'users.image',
      'profiles.role',
      'profiles.extra_time',
      'users.created_at',
      'users.updated_at',
      'users.locked_at',
      'users.locked_reason',
    ])
    .execute()

const exportSignInMethods = (db: Db, userId: UserId) =>
  db
    .selectFrom('sign_in_methods')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .select((eb) => [
      'provider_id as method',
      'account_id',
      eb('password', 'is not', null).as('has_password'),
      'created_at',
      'updated_at',
    ])
    .execute()

const exportSessions = (db: Db, userId: UserId) =>
  db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .select(['created_at', 'last_used_at', 'expires_at', 'ip_address as network_address', 'user_agent'])
    .execute()

const exportAddressChanges = (db: Db, userId: UserId) =>
  db
    .selectFrom('address_changes')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .select(['new_email', 'created_at', 'expires_at'])
    .execute()

const exportFailedSignIns = (db: Db, userId: UserId) =>
  db
    .selectFrom('sign_in_locks')
    .innerJoin('users', (join) =>
      join.on((eb) => eb('sign_in_locks.email', '=', eb.fn<string>('lower', ['users.email']))),
    )
    .where('users.id', '=', userId)
    .select(['sign_in_locks.failures', 'sign_in_locks.locked_until', 'sign_in_locks.last_failure_at'])
    .execute()

/** Whether this user is the only admin who is not locked out. */
export async function isLastAdmin(db: Db, userId: string): Promise<boolean> {
  const admins = await db
    .selectFrom('profiles')
    .innerJoin('users', 'users.id', 'profiles.id')
    .where('profiles.role', '=', 'admin')
    .where('users.locked_at', 'is', null)
    .select('profiles.id')
    .limit(2)
    .execute()
  return admins.length === 1 && admins[0]?.id === userId
}

/** @throws Failure account.last-admin */
export async function requireLeaving(db: Db, userId: UserId): Promise<void> {
  if (await isLastAdmin(db, userId)) throw fail('account.last-admin')
}
