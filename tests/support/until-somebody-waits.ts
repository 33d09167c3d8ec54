import type { Pool } from 'pg'

/** Resolves when a statement in the pool's database waits for a lock. */
export async function untilSomebodyWaits(pool: Pick<Pool, 'query'>): Promise<void> {
  for (;;) {
    const waiting = await pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    if (waiting.rows.length > 0) return
  }
}
