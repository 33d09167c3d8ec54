import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { aDatabase } from '../../../tests/support/test-database.ts'
import { aClock } from '../../../tests/support/start-app.ts'
import { migrate } from '../../db/migrate.server.ts'
import { openDatabase } from '../../db/open.server.ts'
import { Failure } from '../../lib/failure.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { createRateLimits, deleteOldCounts } from './rate-limits-commands.server.ts'
import { readLimits } from './rate-limits.ts'

const database = openDatabase((await aDatabase()).url)
afterAll(() => database.close())
await migrate(database.pool)
const { db } = database

const limitsAt = (clock: { now(): Date }, text = 'checkout=3,network=2') =>
  createRateLimits({ db, clock, numbers: readLimits(text).numbers })

let users = 0
const aCaller = (networkAddress = `10.0.0.${(users += 1)}`) => ({ user: { id: `u${(users += 1)}` }, networkAddress })

/** The seconds to wait; null when the call was counted and allowed. */
async function waitOf(claimed: Promise<void>): Promise<number | null> {
  const refused = await claimed.then(
    () => null,
    (error: unknown) => error,
  )
  if (refused === null) return null
  if (!(refused instanceof Failure)) throw refused
  expect(refused.code).toBe('request.too-many')
  return refused.facts['retryAfterSeconds'] as number
}

test('a user has so many calls in a window, however many come at once, and again after it', async () => {
  const clock = aClock()
  const limits = limitsAt(clock)
  const caller = aCaller()
  const waits = await Promise.all(Array.from({ length: 20 }, () => waitOf(limits.claim('checkout', caller))))
  expect(waits.filter((wait) => wait === null)).toHaveLength(3)
  for (const wait of waits.filter((one) => one !== null)) {
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
  }
  expect(await waitOf(limits.claim('coupon', caller))).toBe(null)
  clock.forward(MINUTE_MS)
  expect(await waitOf(limits.claim('checkout', caller))).toBe(null)
})

test('the users of a network share a multiple, which one of them cannot use up', async () => {
  const limits = limitsAt(aClock())
  const greedy = aCaller('10.1.0.1')
  for (let call = 0; call < 30; call += 1) await waitOf(limits.claim('checkout', greedy))
  const neighbour = aCaller('10.1.0.1')
  for (let call = 0; call < 3; call += 1) expect(await waitOf(limits.claim('checkout', neighbour))).toBe(null)
  // The network has had twice three calls.
  const third = aCaller('10.1.0.1')
  await expect(limits.claim('checkout', third)).rejects.toThrow(/from this network. Please try again in/)
  expect(await waitOf(limits.claim('checkout', { user: null, networkAddress: '10.1.0.2' }))).toBe(null)
})

test('a clock that jumps back locks nobody out for longer than a window', async () => {
  let ahead = 48 * HOUR_MS
  const clock = { now: () => new Date(Date.now() + ahead) }
  const limits = limitsAt(clock)
  const caller = aCaller()
  for (let call = 0; call < 5; call += 1) await waitOf(limits.claim('checkout', caller))
  ahead = 0
  const wait = await waitOf(limits.claim('checkout', caller))
  expect(wait).toBeLessThanOrEqual(60)
  ahead = MINUTE_MS + 1000
  expect(await waitOf(limits.claim('checkout', caller))).toBe(null)
})

test('a call that is given back does not count', async () => {
  const limits = limitsAt(aClock(), 'coupon=2')
  const caller = aCaller()
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      await limits.claim('coupon', caller)
      await limits.giveBack('coupon', caller)
    }),
  )
  for (const expected of [null, null, expect.any(Number)])
    expect(await waitOf(limits.claim('coupon', caller))).toEqual(expected)
})

test('old counts are deleted, current ones stay', async () => {
  await sql`delete from rate_limits`.execute(db)
  const clock = aClock()
  const limits = limitsAt(clock)
  await limits.claim('checkout', aCaller())
  await limits.claim('report', aCaller())
  clock.forward(2 * MINUTE_MS)
  await deleteOldCounts(db, clock.now())
  const left = await db.selectFrom('rate_limits').select('kind').distinct().execute()
  expect(left).toEqual([{ kind: 'report' }])
})
