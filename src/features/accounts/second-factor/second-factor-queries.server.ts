import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { inOnePage, type OwnData } from '../../../platform/own-data-export.server.ts'
import type { Factors } from './second-factor.ts'
import type { SecondFactorView } from './second-factor.schema.ts'
import type { StoredPasskey } from './webauthn-gateway.server.ts'

/** What a user has set up. @throws when there is no such user */
export async function findFactors(db: Db, userId: UserId): Promise<Factors> {
  const { rows } = await sql<Factors>`
    select role,
      exists (select 1 from authenticators where user_id = profiles.id and enabled_at is not null) as "hasAuthenticator",
      exists (select 1 from passkeys where user_id = profiles.id) as "hasPasskey"
    from profiles where id = ${userId}`.execute(db)
  if (rows[0] === undefined) throw new Error(`no profile of the user ${userId}`)
  return rows[0]
}

export async function getSecondFactor(db: Db, userId: UserId): Promise<SecondFactorView> {
  const authenticator = await db
    .selectFrom('authenticators')
    .where('user_id', '=', userId)
    .where('enabled_at', 'is not', null)
    .select('enabled_at')
    .executeTakeFirst()
  const { left } = await db
    .selectFrom('recovery_codes')
    .where('user_id', '=', userId)
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow()
  const passkeys = await db
    .selectFrom('passkeys')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .execute()
  return {
    authenticatorSince: authenticator?.enabled_at?.toISOString() ?? null,
    recoveryCodesLeft: Number(left),
    passkeys: passkeys.map((passkey) => ({
      id: passkey.id,
      name: passkey.name,
      createdAt: passkey.created_at.toISOString(),
      lastUsedAt: passkey.last_used_at?.toISOString() ?? null,
    })),
  }
}

export async function listPasskeys(db: Db, userId: UserId): Promise<Pick<StoredPasskey, 'id' | 'transports'>[]> {
  return db.selectFrom('passkeys').where('user_id', '=', userId).select(['id', 'transports']).execute()
}

export async function findPasskey(db: Db, id: string): Promise<StoredPasskey | null> {
  const row = await db
    .selectFrom('passkeys')
    .where('id', '=', id)
    .select(['id', 'user_id', 'public_key', 'counter', 'transports'])
    .executeTakeFirst()
  if (row === undefined) return null
  const { user_id: userId, public_key: publicKey, counter, transports } = row
  return { id: row.id, userId: userId as UserId, publicKey, counter: Number(counter), transports }
}

/** This folder's part of a user's data export; without secrets and keys. */
export function exportOf(db: Db, userId: UserId): OwnData[] {
  const authenticators = () =>
    db
      .selectFrom('authenticators')
      .where('user_id', '=', userId)
      .select((eb) => [eb('enabled_at', 'is not', null).as('is_enabled'), 'enabled_at', 'created_at'])
      .execute()
  const passkeys = () =>
    db
      .selectFrom('passkeys')
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .select(['name', 'created_at', 'last_used_at'])
      .execute()
  return [
    { name: 'authenticators', pages: inOnePage(authenticators) },
    { name: 'passkeys', pages: inOnePage(passkeys) },
  ]
}
