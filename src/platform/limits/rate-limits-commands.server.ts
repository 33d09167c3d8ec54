import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import { after, DAY_MS, SECOND_MS } from '../../lib/time.ts'
import type { Clock } from '../clock.server.ts'
import { fail } from '../request-failures.ts'
import { limitSpecs, networkOf, refusalSentence, type CallLimit, type LimitNumbers } from './rate-limits.ts'

/** Who calls: a user, or a guest, who counts for the network only. */
type Caller = { readonly user: { readonly id: string } | null; readonly networkAddress: string }

/** The limits of this installation, counted in one table by all processes. */
export type RateLimits = {
  readonly numbers: LimitNumbers
  /** Counts a call. @throws Failure request.too-many, with the seconds to wait */
  claim(kind: CallLimit, caller: Caller): Promise<void>
  /** Takes the count of a call back: it was no guess. */
  giveBack(kind: CallLimit, caller: Caller): Promise<void>
  /** Counts an email of a kind, and returns whether it may be sent. */
  claimEmail(db: Db, kind: string, address: string): Promise<boolean>
}

export function createRateLimits(options: { db: Db; clock: Clock; numbers: LimitNumbers }): RateLimits {
  const { db, clock, numbers } = options
  return {
    numbers,
    async claim(kind, caller) {
      const now = clock.now()
      const { windowMs } = limitSpecs[kind]
      const subjects = subjectsOf(kind, caller, numbers)
      const counted = await count(db, { kind, subjects, now, windowMs })
      for (const { subject, max } of subjects) {
        const row = counted.find((one) => one.subject === subject)
        if (row === undefined || row.count <= max) continue
        const seconds = Math.max(1, Math.ceil((row.ends_at.getTime() - now.getTime()) / SECOND_MS))
        throw fail('request.too-many', {
          sentence: refusalSentence(subject.startsWith('user:') ? 'user' : 'network', seconds),
          facts: { retryAfterSeconds: seconds },
          detail: { kind, subject },
        })
      }
    },
    async giveBack(kind, caller) {
      // One statement for each row: a claim that locks them in the other order cannot deadlock with it.
      for (const { subject } of subjectsOf(kind, caller, numbers))
        await sql`update rate_limits set count = count - 1
          where kind = ${kind} and subject = ${subject} and count > 0`.execute(db)
    },
    async claimEmail(tx, kind, address) {
      const subject = `address:${createHash('sha256').update(address.toLowerCase()).digest('base64url')}`
      const subjects = [{ subject, max: numbers.mail }]
      const { windowMs } = limitSpecs.mail
      const [row] = await count(tx, { kind: `mail:${kind}`, subjects, now: clock.now(), windowMs })
      return row === undefined || row.count <= numbers.mail
    },
  }
}

type Subject = { readonly subject: string; readonly max: number }

/** The user first, then the network. A page that is rendered for every guest has no network. */
function subjectsOf(kind: CallLimit, { user, networkAddress }: Caller, numbers: LimitNumbers): Subject[] {
  const isOfUser = limitSpecs[kind].of === 'user'
  const forNetwork = isOfUser ? numbers[kind] * numbers.network : numbers[kind]
  return [
    ...(isOfUser && user !== null ? [{ subject: `user:${user.id}`, max: numbers[kind] }] : []),
    ...(networkAddress === '' ? [] : [{ subject: `network:${networkOf(networkAddress)}`, max: forNetwork }]),
  ]
}

type Counted = { readonly subject: string; readonly count: number; readonly ends_at: Date }

/**
 * Counts for all subjects in one statement; for the second only if the first is within its limit, so that one user cannot use up the
 * limit of a network. A window never ends later than one window from now: nobody is locked out by a clock that was set back.
 */
async function count(
  db: Db,
  claim: { kind: string; subjects: readonly Subject[]; now: Date; windowMs: number },
): Promise<readonly Counted[]> {
  const { kind, now } = claim
  const [first, second] = claim.subjects
  if (first === undefined) return []
  const endsAt = after(now, claim.windowMs)
  const counted = sql`on conflict (kind, subject) do update set
      count = case when kept.ends_at <= ${now} then 1 else least(kept.count, 1000000000) + 1 end,
      ends_at = case when kept.ends_at <= ${now} then excluded.ends_at else least(kept.ends_at, excluded.ends_at) end
    returning subject, count, ends_at`
  const { rows } = await sql<Counted>`
    with first as (
      insert into rate_limits as kept (kind, subject, count, ends_at)
      values (${kind}, ${first.subject}, 1, ${endsAt}) ${counted}
    ), second as (
      insert into rate_limits as kept (kind, subject, count, ends_at)
      select ${kind}::text, ${second?.subject ?? ''}::text, 1, ${endsAt}::timestamptz from first
      where ${second !== undefined} and first.count <= ${first.max} ${counted}
    )
    select * from first union all select * from second`.execute(db)
  return rows
}

/** Deletes counts whose window is over, and those of a clock that was far ahead. */
export async function deleteOldCounts(db: Db, now: Date): Promise<void> {
  await sql`delete from rate_limits where ends_at <= ${now} or ends_at > ${after(now, 2 * DAY_MS)}`.execute(db)
}
