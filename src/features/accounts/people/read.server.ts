import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { PeopleWanted, PersonRow } from './schema.ts'

const PAGE = 50
/** As exact as a cursor can say it. */
const joined = sql<Date>`date_trunc('milliseconds', users.created_at)`

/** A page of everybody with an account, newest first; of those whose name or address holds what is searched for. */
export async function listPeople(
  db: Db,
  wanted: PeopleWanted,
  size = PAGE,
): Promise<{ people: PersonRow[]; next: string | null }> {
  const { search, after } = wanted
  const part = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  let query = db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .where('users.deleted_at', 'is', null)
    .select([
      'users.id',
      'users.email',
      'users.email_verified',
      joined.as('joined_at'),
      'profiles.full_name',
      'profiles.role',
      'profiles.extra_time',
    ])
    .orderBy(joined, 'desc')
    .orderBy('users.id')
    .limit(size + 1)
  if (search !== '')
    query = query.where((eb) => eb.or([eb('users.email', 'ilike', part), eb('profiles.full_name', 'ilike', part)]))
  if (after !== null)
    query = query.where((eb) =>
      eb.or([eb(joined, '<', after.at), eb.and([eb(joined, '=', after.at), eb('users.id', '>', after.id)])]),
    )
  const rows = await query.execute()
  const people = rows.slice(0, size).map((row) => ({
    id: row.id,
    name: row.full_name,
    email: row.email,
    role: row.role,
    isVerified: row.email_verified,
    extraTime: row.extra_time,
    joinedAt: row.joined_at.toISOString(),
  }))
  const last = people.at(-1)
  return { people, next: rows.length > size && last !== undefined ? `${last.joinedAt}~${last.id}` : null }
}
