import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { after, MINUTE_MS } from '../../../lib/time.ts'
import { findPasskey } from './second-factor-queries.server.ts'
import { fail, type PasskeyAssertion } from './second-factor.schema.ts'
import { CHALLENGE_MINUTES, isWithin, PASSKEYS_MAX } from './second-factor.ts'
import { challengeOf, readAssertion, type Site, type StoredPasskey } from './webauthn-gateway.server.ts'

/** 'prove': with a passkey of a known user. Challenges of one purpose are refused for another. */
export type ChallengePurpose = 'register' | 'sign-in' | 'prove'
const PREFIX = 'passkey-'
/** The owner of a challenge for a sign-in, which begins without a user. */
const ANYONE = 'anyone'

const challengeKey = (purpose: ChallengePurpose, challenge: string) =>
  `${PREFIX}${purpose}:${createHash('sha256').update(challenge).digest('base64url')}`

/** Remembers a challenge until it is answered. Those that nobody answered are dropped. */
export async function storeChallenge(
  db: Db,
  issue: { purpose: ChallengePurpose; challenge: string; userId: UserId | null; now: Date },
): Promise<void> {
  const { purpose, challenge, userId, now } = issue
  await sql`delete from verifications where identifier like ${`${PREFIX}%`} and expires_at <= ${now}`.execute(db)
  await sql`insert into verifications (identifier, value, expires_at)
    values (${challengeKey(purpose, challenge)}, ${userId ?? ANYONE}, ${after(now, CHALLENGE_MINUTES * MINUTE_MS)})`.execute(
    db,
  )
}

/** Uses up a challenge, whether the rest of the answer is right or not. @throws Failure passkey.expired */
export async function useChallenge(
  db: Db,
  use: { purpose: ChallengePurpose; challenge: string; userId: UserId | null; now: Date },
): Promise<void> {
  const { rows } = await sql<{ value: string; expires_at: Date }>`delete from verifications
    where identifier = ${challengeKey(use.purpose, use.challenge)} returning value, expires_at`.execute(db)
  const row = rows[0]
  const isRight = row?.value === (use.userId ?? ANYONE) && isWithin(row.expires_at, CHALLENGE_MINUTES, use.now)
  if (!isRight) throw fail('passkey.expired')
}

/** Stores a passkey. @throws Failure passkey.exists, passkey.too-many */
export async function addPasskey(
  tx: Db,
  add: { passkey: Omit<StoredPasskey, 'userId'>; userId: UserId; name: string; now: Date },
): Promise<void> {
  const { passkey, userId, name, now } = add
  await sql`select 1 from users where id = ${userId} for update`.execute(tx)
  const { count } = await tx
    .selectFrom('passkeys')
    .where('user_id', '=', userId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= PASSKEYS_MAX) throw fail('passkey.too-many')
  const added = await tx
    .insertInto('passkeys')
    .values({
      id: passkey.id,
      user_id: userId,
      public_key: Buffer.from(passkey.publicKey),
      counter: passkey.counter,
      transports: [...passkey.transports],
      name,
      created_at: now,
      last_used_at: null,
    })
    .onConflict((on) => on.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined) throw fail('passkey.exists')
}

type OwnPasskey = { readonly id: string; readonly userId: UserId }

/** @throws Failure passkey.not-found */
export async function renamePasskey(db: Db, rename: OwnPasskey & { readonly name: string }): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ name: rename.name })
    .where('id', '=', rename.id)
    .where('user_id', '=', rename.userId)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw fail('passkey.not-found')
}

/** @throws Failure passkey.not-found */
export async function removePasskey(tx: Db, { id, userId }: OwnPasskey): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (numDeletedRows !== 1n) throw fail('passkey.not-found')
}

/**
 * Checks a passkey against a challenge of ours and returns its user. `userId` is null for a sign-in with the passkey alone.
 * @throws Failure passkey.foreign-site, passkey.refused, passkey.expired, passkey.unknown
 */
export async function usePasskey(
  db: Db,
  use: { answer: PasskeyAssertion; site: Site; userId: UserId | null; now: Date },
): Promise<UserId> {
  const { answer, site, userId, now } = use
  const challenge = challengeOf(answer, site)
  await useChallenge(db, { purpose: userId === null ? 'sign-in' : 'prove', challenge, userId, now })
  const passkey = await findPasskey(db, answer.id)
  if (passkey === null || (userId !== null && passkey.userId !== userId)) throw fail('passkey.unknown')
  const { userHandle } = answer.response
  if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString('utf8') !== passkey.userId)
    throw fail('passkey.refused', { detail: 'user handle' })
  const counter = await readAssertion(answer, challenge, site, passkey)
  // A copy of the passkey that is used at the same moment finds another counter.
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', passkey.id)
    .where('counter', '=', passkey.counter)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw fail('passkey.refused', { detail: 'counter' })
  return passkey.userId
}
