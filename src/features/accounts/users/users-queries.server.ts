import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { pageOf } from '../../../lib/paging.ts'
import { likeText } from '../../../lib/text.ts'
import type { UserListFilter, UserRecord, UserRow } from './users.schema.ts'

const PAGE_USERS = 50
const SESSIONS_SHOWN = 20

/** A subquery of user ids that another feature selects. */
type UserSubset = RawBuilder<unknown>

const rowColumns = [
  'users.id',
  'users.email',
  'users.email_verified',
  'users.created_at',
  'users.locked_at',
  'users.locked_reason',
  'profiles.full_name',
  'profiles.role',
  'profiles.extra_time',
] as const

function users(db: Db) {
  return db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .where('users.deleted_at', 'is', null)
    .select(rowColumns)
}

type Row = Awaited<ReturnType<ReturnType<typeof users>['executeTakeFirstOrThrow']>>

function toRow(row: Row): UserRow {
  return {
    id: row.id,
    name: row.full_name,
    email: row.email,
    role: row.role,
    isVerified: row.email_verified,
    isLocked: row.locked_at !== null,
    extraTime: row.extra_time,
    joinedAt: row.created_at.toISOString(),
  }
}

/**
 * A page of the users, newest first. A search matches users where each of its words begins a word of the name or the email address,
 * which an index finds. If there is none, the words match anywhere in the name or address, which scans all users and is rare.
 */
export async function listUsers(
  db: Db,
  filter: UserListFilter,
  options: { readonly size?: number; readonly among?: UserSubset | null } = {},
): Promise<{ users: UserRow[]; next: string | null }> {
  const { search, only, after } = filter
  const { size = PAGE_USERS, among = null } = options
  let query = users(db)
    .select(sql<string>`to_char(users.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('cursor'))
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id', 'desc')
    .limit(size + 1)
  const words = wordsOf(search)
  const begins = words.map((word) => `'${word}':*`).join(' & ')
  if (words.length > 0 && (await hasMatch(db, begins)))
    query = query.where(sql<boolean>`users.words @@ ${begins}::tsquery`)
  else
    for (const part of search.split(/\s+/).filter(Boolean).slice(0, SEARCH_WORDS)) {
      const pattern = `%${likeText(part)}%`
      query = query.where(({ eb, or }) => or([eb('users.name', 'ilike', pattern), eb('users.email', 'ilike', pattern)]))
    }
  if (only === 'admins') query = query.where('profiles.role', '=', 'admin')
  if (only === 'locked') query = query.where('users.locked_at', 'is not', null)
  if (only === 'unverified') query = query.where('users.email_verified', '=', false)
  if (among !== null) query = query.where(sql<boolean>`users.id in (${among})`)
  if (after !== null)
    query = query.where(sql<boolean>`(users.created_at, users.id) < (${after.at}::timestamptz, ${after.id}::uuid)`)
  const { page, last } = pageOf(await query.execute(), size)
  return { users: page.map(toRow), next: last === null ? null : `${last.cursor}~${last.id}` }
}

async function hasMatch(db: Db, begins: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from users where deleted_at is null and words @@ ${begins}::tsquery) as is`.execute(db)
  return rows[0]?.is === true
}

const SEARCH_WORDS = 8

/** Splits a text like the database function search_words does; an address is split at its punctuation. */
function wordsOf(search: string): string[] {
  const words = search.toLowerCase().split(/[\s!-/:-@[-`{-~]+/)
  return [...new Set(words.filter((word) => word !== ''))].slice(0, SEARCH_WORDS)
}

/** A user with sign-in methods and sessions. Deleted accounts return null. */
export async function findUserRecord(db: Db, userId: string): Promise<UserRecord | null> {
  const row = await users(db).where('users.id', '=', userId).executeTakeFirst()
  if (row === undefined) return null
  const methods = await db
    .selectFrom('sign_in_methods')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .select(['provider_id', 'created_at'])
    .execute()
  const sessions = await db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(SESSIONS_SHOWN)
    .select(['id', 'created_at', 'expires_at', 'user_agent'])
    .execute()
  return {
    ...toRow(row),
    lockedAt: row.locked_at?.toISOString() ?? null,
    lockedReason: row.locked_reason,
    signInMethods: methods.map((method) => ({ provider: method.provider_id, since: method.created_at.toISOString() })),
    sessions: sessions.map((session) => ({
      id: session.id,
      since: session.created_at.toISOString(),
      endsAt: session.expires_at.toISOString(),
      userAgent: session.user_agent ?? '',
    })),
  }
}

/** Finds a user by id or email address. */
export async function findUserId(db: Db, idOrEmail: string): Promise<UserId | null> {
  const row = await db
    .selectFrom('users')
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb(sql<string>`users.id::text`, '=', idOrEmail.toLowerCase()),
        eb(eb.fn<string>('lower', ['email']), '=', idOrEmail.trim().toLowerCase()),
      ]),
    )
    .select('id')
    .executeTakeFirst()
  return row === undefined ? null : (row.id as UserId)
}
