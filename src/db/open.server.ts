import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely'
import pg from 'pg'
import { createDoubts, limitSilence, type Doubts } from './silent-connections.server.ts'
import type { Tables } from './tables.server.ts'

/** The database, or a transaction on it: the first argument of every query and command. */
export type Db = Kysely<Tables>

/** How PostgreSQL is reached. A plain text is the address of PostgreSQL itself. */
export type DatabaseAddress = {
  /** Where queries and transactions go: PostgreSQL itself, or a pooler in transaction mode. */
  readonly url: string
  /** Leads to PostgreSQL itself: for what needs a session, which is listening, locks of sessions and migrations. */
  readonly directUrl: string
  /** Off where a pooler does not keep the prepared statements of its clients. */
  readonly preparesStatements: boolean
}

export type OpenDatabase = {
  readonly db: Db
  readonly pool: pg.Pool
  readonly url: string
  readonly address: DatabaseAddress
  /** A small pool on PostgreSQL itself; the same as `pool` without a pooler. */
  readonly direct: pg.Pool
  close(): Promise<void>
}

/** Settings of every session. Behind a pooler, which does not pass on startup options, they are settings of the role. */
export const SESSION_SETTINGS = {
  timezone: 'UTC',
  statement_timeout: '30000',
  idle_in_transaction_session_timeout: '30000',
} as const

/** The server ends sessions whose machine has vanished, and with them their locks, within half a minute instead of hours. */
const KEEPALIVE = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '3' }

/** A connection with a query under way that is silent for longer is dead: the database would have ended the query by itself. */
const SILENT_MS = 35_000
const CONNECT_MS = 5_000
/** For locks of sessions, one for each regular job that is running. */
const DIRECT_CONNECTIONS = 8

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
function preparing(
  pool: { connect(): Promise<pg.PoolClient>; end(): Promise<void> },
  preparesStatements: boolean,
): PostgresPool {
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
        preparesStatements && (text.startsWith(PREPARED) || text.endsWith(PREPARED))
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

/** The queries and transactions of a pool. */
export function databaseOn(
  pool: { connect(): Promise<pg.PoolClient>; end(): Promise<void> },
  preparesStatements: boolean,
): Db {
  return new Database({ dialect: new PostgresDialect({ pool: preparing(pool, preparesStatements) }) })
}

/** Opens a pool on any PostgreSQL 15 or newer. Every session runs in UTC. */
export function openDatabase(
  to: DatabaseAddress | string,
  options: { connections?: number; onError?: (error: Error) => void } = {},
): OpenDatabase {
  const address = typeof to === 'string' ? addressOf(to) : to
  let isClosing = false
  // While we close the pool, errors because the server stops are expected.
  const onError = (error: Error) => (isClosing ? undefined : options.onError?.(error))
  const isPooled = address.url !== address.directUrl
  const { preparesStatements } = address
  const doubts = createDoubts(address.directUrl)
  const pooledDoubts = createDoubts(address.directUrl, { isPooled: true })
  const pool = createPool(address.url, {
    connections: options.connections ?? 16,
    isPooled,
    preparesStatements,
    onError,
    doubts: isPooled ? pooledDoubts : doubts,
  })
  const direct = isPooled
    ? createPool(address.directUrl, {
        connections: DIRECT_CONNECTIONS,
        isPooled: false,
        preparesStatements: true,
        onError,
        doubts,
      })
    : pool
  const db = databaseOn(pool, address.preparesStatements)
  return {
    db,
    pool,
    url: address.url,
    address,
    direct,
    async close() {
      isClosing = true
      doubts.stop()
      pooledDoubts.stop()
      await db.destroy()
      // Kysely ends the pool only if it has used it.
      if (!pool.ended) await pool.end()
      if (!direct.ended) await direct.end()
    },
  }
}

/** The address of a PostgreSQL without a pooler. */
export function addressOf(url: string): DatabaseAddress {
  return { url, directUrl: url, preparesStatements: true }
}

type PoolOptions = {
  connections: number
  isPooled: boolean
  preparesStatements: boolean
  connectMs?: number
  onError(error: Error): void
  doubts?: Doubts | null
}

/** Gives up a new connection that gets no answer before the pool would, which also waits so long for one that is free. */
class ImpatientClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: Math.min(config?.connectionTimeoutMillis ?? Infinity, CONNECT_MS) })
  }
}

export function createPool(
  url: string,
  { connections, isPooled, preparesStatements, connectMs = 10_000, onError, doubts = null }: PoolOptions,
): pg.Pool {
  const settings = Object.entries({ ...SESSION_SETTINGS, ...KEEPALIVE }).map(([name, value]) => `-c ${name}=${value}`)
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectMs,
    Client: ImpatientClient,
    idleTimeoutMillis: 60_000,
    ...(isPooled ? {} : { options: settings.join(' ') }),
  })
  // When a connection breaks, its user gets the error from the query, and the pool replaces the connection. The listener is
  // still necessary, because an unhandled error event ends the process and the pool listens to idle connections only.
  pool.on('connect', (client) => {
    client.once('error', onError)
    // A broken connection emits a second error when its socket closes.
    client.on('error', () => {})
    limitSilence(client, SILENT_MS, doubts)
    if (!preparesStatements) removeNames(client)
  })
  doubts?.follow(pool)
  // The pool emits the errors of idle connections again; they were handled above.
  pool.on('error', () => {})
  return pool
}

/** Runs queries with a name as others: the pooler's next connection may have a statement of that name, or lack it. */
function removeNames(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (config: unknown, ...others: unknown[]) => unknown
  const unnamed = (config: unknown, ...others: unknown[]) =>
    query(isNamed(config) ? { ...config, name: undefined } : config, ...others)
  client.query = unnamed as typeof client.query
}

const isNamed = (config: unknown): config is pg.QueryConfig =>
  typeof config === 'object' && config !== null && 'name' in config && 'text' in config && !('submit' in config)
