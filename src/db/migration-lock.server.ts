import type { Client } from 'pg'
import { MIGRATION_LOCK } from './migrate.server.ts'
import { connectWithRetry, isUnavailable } from './connect-with-retry.server.ts'

type LockOptions = {
  readonly onUnavailable: (error: unknown) => void
  /** Called when another process holds the lock. */
  readonly onWait?: () => void
  readonly timeoutMs?: number
}

/**
 * Runs `work` while no other process sets up this database: its tables, the job tables, the first courses, the first admin.
 * When many processes start on an empty database, one of them does the setup, and the others find it done.
 *
 * A connection of its own holds the lock and waits for it without a limit. The lock ends with that connection, so a process
 * that dies does not block the others. The work itself uses other connections.
 * @throws DatabaseUnavailable when the database does not answer for a minute
 */
export async function withMigrationLock<Result>(
  url: string,
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await acquireLock(url, options)
  try {
    return await work()
  } finally {
    await client.end().catch(() => {})
  }
}

async function acquireLock(url: string, options: LockOptions): Promise<Client> {
  for (;;) {
    const client = await connectWithRetry(url, options)
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
      // The database stopped while we waited, and may come back.
      if (!isUnavailable(error)) throw error
    }
  }
}
