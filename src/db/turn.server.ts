import type { Client } from 'pg'
import { MIGRATION_LOCK } from './migrate.server.ts'
import { connectPatiently, isAway } from './patient-connection.server.ts'

export type TurnOptions = {
  readonly onAway: (error: unknown) => void
  /** Another process has its turn. */
  readonly onWait?: () => void
  readonly patienceMs?: number
}

/**
 * Does `work` while no other process makes this database ready: its tables, those of the jobs, the first courses, the first admin.
 * So of many that start at once on an empty database one does it all, and the others find it done.
 *
 * The lock belongs to a connection of its own, which waits for it as long as it takes; it ends with that connection, so a process
 * that dies in the middle is in nobody's way. The work itself uses other connections.
 * @throws DatabaseAway when the database does not answer for a minute
 */
export async function inTurn<Result>(url: string, options: TurnOptions, work: () => Promise<Result>): Promise<Result> {
  const client = await takeTurn(url, options)
  try {
    return await work()
  } finally {
    await client.end().catch(() => {})
  }
}

async function takeTurn(url: string, options: TurnOptions): Promise<Client> {
  for (;;) {
    const client = await connectPatiently(url, options)
    try {
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
        MIGRATION_LOCK,
      ])
      if (rows[0]?.mine === true) return client
      options.onWait?.()
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
      return client
    } catch (error) {
      client.end().catch(() => {})
      // It went away while we waited, and may come back.
      if (!isAway(error)) throw error
    }
  }
}
