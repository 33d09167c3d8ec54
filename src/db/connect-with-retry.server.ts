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

function reasonOf(error: unknown) {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
