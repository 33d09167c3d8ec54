import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.server.ts'

/** The database, or a transaction on it: the first argument of every query and command. */
export type Db = Kysely<Tables>

export type OpenDatabase = { readonly db: Db; readonly pool: pg.Pool; readonly url: string; close(): Promise<void> }

// Identities, counts and row versions stay far below 2^53, so they travel as numbers.
const INT8 = 20
// A day of the calendar is the same day in every zone: as a Date it would be an instant in the zone of this process.
const DATE = 1082
const parsers: Readonly<Record<number, (text: string) => unknown>> = { [INT8]: Number, [DATE]: String }
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** A statement whose text begins or ends like this is prepared once per connection: planning it costs more than running it (decision 0033). */
export const PREPARED = '/* prepared */'

/** The pool for Kysely, which has no names for prepared statements. */
function preparing(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    const name = names.get(text) ?? `prepared-${names.size}`
    names.set(text, name)
    return name
  }
  return {
    async connect() {
      const client = await pool.connect()
      const query = (text: string, values: unknown[]) =>
        text.startsWith(PREPARED) || text.endsWith(PREPARED)
          ? client.query({ name: nameOf(text), text, values })
          : client.query(text, values)
      return { query, release: () => client.release() } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
  }
}

const DEADLOCK = '40P01'
const DEADLOCK_TRIES = 4

/**
 * Runs a transaction again when PostgreSQL has ended it because it and another waited for each other: nothing of it happened, and
 * the other has gone on. So a transaction changes nothing outside of the database, or only what may change twice.
 */
class Database extends Kysely<Tables> {
  override transaction() {
    const builder = super.transaction()
    const execute = builder.execute.bind(builder)
    return Object.assign(builder, {
      async execute<Result>(steps: (tx: Transaction<Tables>) => Promise<Result>): Promise<Result> {
        for (let tries = 1; ; tries += 1)
          try {
            return await execute(steps)
          } catch (error) {
            const isDeadlock = error instanceof pg.DatabaseError && error.code === DEADLOCK
            if (!isDeadlock || tries === DEADLOCK_TRIES) throw error
          }
      },
    })
  }
}

/** Opens a pool on any PostgreSQL 15 or newer. Every session runs in UTC. */
export function openDatabase(
  url: string,
  options: { connections?: number; onError?: (error: Error) => void } = {},
): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 16,
    types,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    options: '-c timezone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000',
  })
  let isClosing = false
  // When a connection breaks, its user gets the error from the query, and the pool replaces the connection. The listener is
  // still necessary, because an unhandled error event ends the process and the pool listens to idle connections only.
  pool.on('connect', (client) => {
    client.once('error', (error) => {
      // While we close the pool, errors because the server stops are expected.
      if (!isClosing) options.onError?.(error)
    })
    // A broken connection emits a second error when its socket closes.
    client.on('error', () => {})
  })
  // The pool emits the errors of idle connections again; they were handled above.
  pool.on('error', () => {})
  const db = new Database({ dialect: new PostgresDialect({ pool: preparing(pool) }) })
  return {
    db,
    pool,
    url,
    async close() {
      isClosing = true
      await db.destroy()
      // Kysely ends the pool only if it has used it.
      if (!pool.ended) await pool.end()
    },
  }
}
