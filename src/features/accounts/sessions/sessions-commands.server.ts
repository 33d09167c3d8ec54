import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { SessionId, UserId } from '../../../lib/ids.ts'
import { closedFailure } from '../accounts.schema.ts'
import { findLockReason } from '../accounts-queries.server.ts'
import { hashOfToken } from './session-cookie-queries.server.ts'
import { firstExpiry } from './sessions.ts'

const newToken = () => randomBytes(32).toString('base64url')

/**
 * Opens a session and returns its token, which is stored as a hash only. The row lock makes a lock-out or deletion at the same moment
 * either refuse the session or end it. @throws Failure account.closed
 */
export async function openSession(
  db: Db,
  session: { userId: UserId; now: Date; networkAddress: string; userAgent: string | null },
): Promise<string> {
  const { userId, now, networkAddress, userAgent } = session
  const token = newToken()
  const { numAffectedRows } = await sql`
    insert into sessions
      (user_id, token_hash, expires_at, ip_address, user_agent, created_at, last_used_at, confirmed_at)
    select id, ${hashOfToken(token)}, ${firstExpiry(now)}, ${networkAddress}, ${userAgent?.slice(0, 400) ?? null},
      ${now}, ${now}, ${now}
    from users where id = ${userId} and locked_at is null and deleted_at is null for share`.execute(db)
  if (numAffectedRows !== 1n) throw closedFailure(await findLockReason(db, userId))
  return token
}

/** Ends one session of a user; false when it has ended already. */
export async function endSession(db: Db, session: { id: string; userId: UserId }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', session.id)
    .where('user_id', '=', session.userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends all sessions of a user, or all but one. Returns their number. */
export async function endSessions(db: Db, userId: UserId, except: SessionId | null = null): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== null, (query) => query.where('id', '<>', except ?? ''))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Remembers that the user of this session has just proved who they are. Returns its new token: the one before opens nothing any more. */
export async function confirmSession(db: Db, session: { id: SessionId; now: Date }): Promise<string> {
  const token = newToken()
  await db
    .updateTable('sessions')
    .set({ confirmed_at: session.now, token_hash: hashOfToken(token) })
    .where('id', '=', session.id)
    .execute()
  return token
}

/**
 * Takes over the session that better-auth opened for a sign-in with Google, so that we can open our own: better-auth stores tokens
 * as they are. Such a row opens nothing meanwhile, because we look for hashes. Null when there is none.
 */
export async function takeForeignSession(db: Db, token: string): Promise<UserId | null> {
  const row = await db.deleteFrom('sessions').where('token_hash', '=', token).returning('user_id').executeTakeFirst()
  return (row?.user_id as UserId | undefined) ?? null
}
