import { sql } from 'kysely'
import { PREPARED, type Db } from '../../../db/open.server.ts'
import type { SessionId, UserId } from '../../../lib/ids.ts'
import type { User } from '../../../lib/user.ts'
import { deviceName, expiryAfterUse } from './sessions.ts'
import type { SessionEntry } from './sessions.schema.ts'

/** Whether admins need a second factor here. */
type AdminFactorRule = { readonly isAdminFactorRequired: boolean }

/**
 * The user of a request, by the hash of the session's token; null when the session is unknown or has expired, or the user is locked
 * out. Prolongs the session, at most every few minutes.
 */
export async function findUserBySession(
  db: Db,
  tokenHash: string,
  now: Date,
  rule: AdminFactorRule,
): Promise<User | null> {
  const row = await selectSessions(db, now).where('sessions.token_hash', '=', tokenHash).executeTakeFirst()
  if (row === undefined) return null
  const times = { createdAt: row.created_at, lastUsedAt: row.last_used_at, expiresAt: row.expires_at }
  const expiresAt = expiryAfterUse(times, now)
  if (expiresAt !== null)
    await db
      .updateTable('sessions')
      .set({ last_used_at: now, expires_at: expiresAt })
      .where('id', '=', row.session_id)
      .execute()
  return userOf(row, rule)
}

/** The user of a session that a request named before; null when it has ended since. Does not prolong it. */
export async function findUserOfSession(
  db: Db,
  sessionId: SessionId,
  now: Date,
  rule: AdminFactorRule,
): Promise<User | null> {
  const row = await selectSessions(db, now).where('sessions.id', '=', sessionId).executeTakeFirst()
  return row === undefined ? null : userOf(row, rule)
}

function selectSessions(db: Db, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .where('sessions.expires_at', '>', now)
    .where('users.locked_at', 'is', null)
    .select([
      'users.id',
      'users.email',
      'users.name',
      'profiles.role',
      'profiles.full_name',
      'sessions.id as session_id',
      'sessions.created_at',
      'sessions.last_used_at',
      'sessions.expires_at',
      'sessions.confirmed_at',
      // Asked for admins only, because every request comes through here. For the same reason the statement is prepared.
      sql<boolean>`profiles.role = 'admin' and (
        exists (select 1 from authenticators where user_id = users.id and enabled_at is not null)
        or exists (select 1 from passkeys where user_id = users.id))`.as('has_admin_factor'),
    ])
    .modifyEnd(sql.raw(PREPARED))
}

type SessionRow = Awaited<ReturnType<ReturnType<typeof selectSessions>['executeTakeFirstOrThrow']>>

function userOf(row: SessionRow, { isAdminFactorRequired }: AdminFactorRule): User {
  const isFactorMissing = row.role === 'admin' && isAdminFactorRequired && !row.has_admin_factor
  return {
    id: row.id as UserId,
    email: row.email,
    name: row.full_name || row.name,
    role: isFactorMissing ? 'student' : row.role,
    isFactorMissing,
    sessionId: row.session_id as SessionId,
    confirmedAt: row.confirmed_at,
  }
}

/** The open sessions of a user, the most recently used first. */
export async function listSessions(
  db: Db,
  owner: { userId: UserId; current: SessionId; now: Date },
): Promise<SessionEntry[]> {
  const rows = await db
    .selectFrom('sessions')
    .where('user_id', '=', owner.userId)
    .where('expires_at', '>', owner.now)
    .orderBy('last_used_at', 'desc')
    .select(['id', 'user_agent', 'ip_address', 'created_at', 'last_used_at'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    device: deviceName(row.user_agent),
    networkAddress: row.ip_address,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    isCurrent: row.id === owner.current,
  }))
}
