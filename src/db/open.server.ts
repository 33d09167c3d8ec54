import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.server.ts'

/** The database, or a transaction on it: what every read and write takes first. */
export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

export type OpenDatabase = { readonly db: Db; readonly pool: pg.Pool; readonly url: string; close(): Promise<void> }

// Identities, counts and row versions stay far below 2^53, so they travel as numbers.
const INT8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
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
  // A connection broke, in use or idle. Whoever uses it gets the error from their query, and the pool replaces it; but without
  // a listener of its own the process would end: the pool listens to a connection only while it is idle.
  pool.on('connect', (client) => {
    client.once('error', (error) => {
      // A connection that is being closed may hear the server stop; nobody needs to know.
      if (!isClosing) options.onError?.(error)
    })
    // After the server's last words, the end of the line is an error too.
    client.on('error', () => {})
  })
  // The same errors again, of idle connections.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    pool,
    url,
    async close() {
      isClosing = true
      await db.destroy()
      // Kysely ends the pool only when it has used it.
      if (!pool.ended) await pool.end()
    },
  }
}
