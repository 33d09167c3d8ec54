import { createHash, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import type { Adapter, Payload } from 'oidc-provider'
import type { Pool } from 'pg'

/** Stores grants, codes and tokens in the database, so that other processes, or this one after a restart, can use them. */
export function recordsOf(pool: Pool, kind: string): Adapter {
  async function findWhere(condition: string, value: string): Promise<Payload | undefined> {
    const { rows } = await pool.query<{ payload: Payload }>(
      `select payload from demo.google_record
       where kind = $1 and ${condition} = $2 and (expires_at is null or expires_at > clock_timestamp())`,
      [kind, value],
    )
    return rows[0]?.payload
  }
  return {
    upsert: async (id, payload, expiresIn) => {
      await pool.query('delete from demo.google_record where expires_at < clock_timestamp()')
      await pool.query(
        `insert into demo.google_record (kind, id, uid, grant_id, payload, expires_at)
         values ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 second')
         on conflict (kind, id) do update
           set uid = excluded.uid, grant_id = excluded.grant_id, payload = excluded.payload, expires_at = excluded.expires_at`,
        [kind, id, payload.uid ?? null, payload.grantId ?? null, JSON.stringify(payload), expiresIn ?? null],
      )
    },
    find: (id) => findWhere('id', id),
    findByUid: (uid) => findWhere('uid', uid),
    // Device codes are not supported.
    findByUserCode: async () => undefined,
    consume: async (id) => {
      await pool.query(
        `update demo.google_record
         set payload = payload || jsonb_build_object('consumed', floor(extract(epoch from clock_timestamp()))::bigint)
         where kind = $1 and id = $2`,
        [kind, id],
      )
    },
    destroy: async (id) => {
      await pool.query('delete from demo.google_record where kind = $1 and id = $2', [kind, id])
    },
    revokeByGrantId: async (grantId) => {
      await pool.query('delete from demo.google_record where kind = $1 and grant_id = $2', [kind, grantId])
    },
  }
}

/** The signing key, created once per database and shared by all processes. */
export async function signingKey(pool: Pool): Promise<JsonWebKey> {
  const stored = await storedKey(pool)
  if (stored) return stored
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'stand-in-1', use: 'sig', alg: 'RS256' }
  await pool.query('insert into demo.google_key (id, jwk) values (1, $1) on conflict (id) do nothing', [
    JSON.stringify(jwk),
  ])
  return (await storedKey(pool)) ?? jwk
}

async function storedKey(pool: Pool): Promise<JsonWebKey | undefined> {
  const { rows } = await pool.query<{ jwk: JsonWebKey }>('select jwk from demo.google_key where id = 1')
  return rows[0]?.jwk
}

type GoogleAccount = { sub: string; email: string; isEmailVerified: boolean; name: string }

/** Stores an account. An email address always has the same account; the name is updated. */
export async function storeAccount(pool: Pool, account: Omit<GoogleAccount, 'sub'>): Promise<GoogleAccount> {
  const email = account.email.trim().toLowerCase()
  // Google's subjects are strings of 21 digits.
  const digest = createHash('sha256').update(`google stand-in ${email}`).digest('hex')
  const sub = BigInt(`0x${digest}`).toString().slice(0, 21)
  await pool.query(
    `insert into demo.google_account (sub, email, is_email_verified, name) values ($1, $2, $3, $4)
     on conflict (sub) do update set is_email_verified = excluded.is_email_verified, name = excluded.name`,
    [sub, email, account.isEmailVerified, account.name],
  )
  return { ...account, sub, email }
}

export async function findAccount(pool: Pool, sub: string): Promise<GoogleAccount | null> {
  const { rows } = await pool.query<GoogleAccount>(
    'select sub, email, is_email_verified as "isEmailVerified", name from demo.google_account where sub = $1',
    [sub],
  )
  return rows[0] ?? null
}
