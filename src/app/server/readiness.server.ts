import type { QueryConfig } from 'pg'
import type { CheckedClock } from '../../platform/clock-check.server.ts'

/** How long a result, good or bad, is cached: `/readyz` is public, and must not flood the payment and mail providers. */
const CACHE_MS = 10_000
/** Calls share one probe, so a query that never returns must not block them all. */
const DATABASE_LIMIT_MS = 3_000

type State = 'ok' | 'away'
type Parts = { readonly database: State; readonly mail: State; readonly payment: State; readonly clock: 'ok' | 'wrong' }

type Probes = { readonly [Part in Exclude<keyof Parts, 'clock'>]: () => Promise<boolean> }

/** Probes every part at most once per `CACHE_MS`; concurrent calls share a probe. */
export function createReadiness(probes: Probes, clock: CheckedClock): () => Promise<Parts> {
  let last: { readonly parts: Parts; readonly at: number } | null = null
  let underWay: Promise<Parts> | null = null

  async function probe(): Promise<Parts> {
    const [database, mail, payment] = await Promise.all([probes.database(), probes.mail(), probes.payment()])
    const parts = {
      database: state(database),
      mail: state(mail),
      payment: state(payment),
      clock: clock.isRight() ? 'ok' : 'wrong',
    } as const
    last = { parts, at: clock.now().getTime() }
    return parts
  }

  return () => {
    const age = last === null ? Infinity : clock.now().getTime() - last.at
    // The age is negative after the clock was set back.
    if (last !== null && age >= 0 && age < CACHE_MS) return Promise.resolve(last.parts)
    underWay ??= probe().finally(() => (underWay = null))
    return underWay
  }
}

/** Whether the database answers a query within `DATABASE_LIMIT_MS`. */
export async function isAnswering(pool: { query(query: QueryConfig): Promise<unknown> }): Promise<boolean> {
  const query = { text: 'select 1', query_timeout: DATABASE_LIMIT_MS }
  try {
    await pool.query(query)
    return true
  } catch {
    return false
  }
}

function state(isUp: boolean): State {
  return isUp ? 'ok' : 'away'
}
