import { setTimeout as wait } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'

const TIMEOUT_MS = 60_000
const PAUSE_MS = 500
const CONNECT_MS = 5_000

/** The database did not answer in time. The message is written for the operator who starts the app. */
export class DatabaseUnavailable extends Error {}

/**
 * Opens a connection outside the pool, and retries while the database does not answer; `onUnavailable` is called at the first
 * failure. Errors from the database itself, such as a wrong password, are thrown at once.
 * @throws DatabaseUnavailable when the database does not answer for `timeoutMs` (default: one minute)
 */
export async function connectWithRetry(
  url: string,
  options: { readonly onUnavailable: (error: unknown) => void; readonly timeoutMs?: number },
): Promise<Client> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  const deadline = performance.now() + timeoutMs
  for (let tries = 1; ; tries += 1) {
    const client = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      // The connection may wait for a lock, and be idle while the work under that lock runs.
      options: '-c timezone=UTC -c statement_timeout=0 -c lock_timeout=0',
    })
    // The query that fails reports the error; without a listener the process would end.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      client.end().catch(() => {})
      if (!isUnavailable(error)) throw error
      if (performance.now() > deadline)
        throw new DatabaseUnavailable(
          `The database "${client.database}" at ${client.host}:${client.port} did not answer${timeoutMs === 0 ? '' : ` for ${timeoutMs / 1000} seconds`} (${reasonOf(error)}). Check that PostgreSQL runs there and that DATABASE_URL is correct.`,
          { cause: error },
        )
      if (tries === 1) options.onUnavailable(error)
      await wait(PAUSE_MS)
    }
  }
}

/** Whether the error means that there is no server, or that it is starting, stopping or out of connections. */
export function isUnavailable(error: unknown) {
  return !(error instanceof DatabaseError) || /^(08|57P0|53300)/.test(error.code ?? '')
}

/** Codes of sockets and of the lookup of names. */
const NETWORK_CODE =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/
/** What `pg`, its pool and `limitSilence` say without a code. */
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|The database was silent)/i
/** A server that was the primary before a failover refuses writes. */
const READ_ONLY = '25006'

/**
 * Whether a query failed because the database did not answer it: connections are refused, lost or silent, or the server is starting,
 * stopping, out of connections or no longer the primary. The same query may succeed soon.
 */
export function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway)
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseError) return error.code === READ_ONLY || isUnavailable(error)
  const code = 'code' in error ? String(error.code) : ''
  return NETWORK_CODE.test(code) || LOST.test(error.message)
}

/** The server is out of disk or memory, and somebody makes room. */
const NO_ROOM = /^53/

/** Whether it should be tried again instead of failing: the database is away, or has no room. */
export function mayPass(error: unknown): boolean {
  return isAway(error) || (error instanceof DatabaseError && NO_ROOM.test(error.code ?? ''))
}

function reasonOf(error: unknown) {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
