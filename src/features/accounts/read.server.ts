import type { Db } from '../../db/open.server.ts'
import type { PersonId } from '../../lib/ids.ts'
import type { Person } from '../../lib/person.ts'
import type { PersonView } from './schema.ts'

/** Whose session this is; null when there is none, it has ended, or it was revoked. */
export async function findPersonBySession(db: Db, token: string, now: Date): Promise<Person | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .where('sessions.token', '=', token)
    .where('sessions.expires_at', '>', now)
    .select(['users.id', 'users.email', 'users.name', 'profiles.role', 'profiles.full_name'])
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id as PersonId,
    email: row.email,
    name: row.full_name || row.name,
    role: row.role,
    sessionToken: token,
  }
}

export type Identity = {
  readonly id: PersonId
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
    id: row.id as PersonId,
    email: row.email,
    name: row.name,
    isVerified: row.email_verified,
    passwordHash: row.password,
  }
}

/** What pages show of a person who exists. */
export async function getPersonView(db: Db, personId: PersonId): Promise<PersonView> {
  const row = await db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .where('users.id', '=', personId)
    .select(['users.id', 'users.email', 'profiles.full_name', 'profiles.role'])
    .executeTakeFirstOrThrow()
  return { id: row.id, email: row.email, name: row.full_name, role: row.role }
}

export async function countPeople(db: Db): Promise<{ people: number; verified: number; admins: number }> {
  const row = await db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .select((eb) => [
      eb.fn.countAll<number>().as('people'),
      eb.fn.countAll<number>().filterWhere('users.email_verified', '=', true).as('verified'),
      eb.fn.countAll<number>().filterWhere('profiles.role', '=', 'admin').as('admins'),
    ])
    .executeTakeFirstOrThrow()
  return row
}
