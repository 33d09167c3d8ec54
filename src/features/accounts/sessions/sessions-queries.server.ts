import type { Db } from '../../../db/open.server.ts'
import type { SessionId, UserId } from '../../../lib/ids.ts'
import type { User } from '../../../lib/user.ts'
import { deviceName, expiryAfterUse } from './sessions.ts'
import type { SessionEntry } from './sessions.schema.ts'

/**
 * The user of a session, by the hash of its token; null when the session is unknown or has expired, or the user is locked out.
 * Prolongs the session, at most every few minutes.
 */
export async function findUserBySession(db: Db, tokenHash: string, now: Date): Promise<User | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .where('sessions.token_hash', '=', tokenHash)
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
    ])
    .executeTakeFirst()
  if (row === undefined) return null
  const expiresAt = expiryAfterUse(
    { createdAt: row.created_at, lastUsedAt: row.last_used_at, expiresAt: row.expires_at },
    now,
  )
  if (expiresAt !== null)
    await db
      .updateTable('sessions')
      .set({ last_used_at: now, expires_at: expiresAt })
      .where('id', '=', row.session_id)
      .execute()
  return {
    id: row.id as UserId,
    email: row.email,
    name: row.full_name || row.name,
    role: row.role,
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
