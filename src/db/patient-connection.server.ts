import { setTimeout as wait } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'

const PATIENCE_MS = 60_000
const PAUSE_MS = 500
const ANSWER_MS = 5_000

/** The database did not come in time. The message is a sentence for whoever starts the product. */
export class DatabaseAway extends Error {}

/**
 * A connection outside the pool, made as soon as the database answers; `onAway` hears once that it does not answer yet.
 * What the database itself refuses, such as a wrong password, is thrown at once.
 * @throws DatabaseAway when it does not answer for a minute
 */
export async function connectPatiently(
  url: string,
  options: { readonly onAway: (error: unknown) => void; readonly patienceMs?: number },
): Promise<Client> {
  const patienceMs = options.patienceMs ?? PATIENCE_MS
  const deadline = performance.now() + patienceMs
  for (let tries = 1; ; tries += 1) {
    const client = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      // It may wait for a lock and then be idle for as long as the work under that lock takes.
      options: '-c timezone=UTC -c statement_timeout=0 -c lock_timeout=0',
    })
    // Whoever uses the connection gets the error from the query; without a listener the process would end.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      client.end().catch(() => {})
      if (!isAway(error)) throw error
      if (performance.now() > deadline)
        throw new DatabaseAway(
          `The database "${client.database}" at ${client.host}:${client.port} did not answer${patienceMs === 0 ? '' : ` for ${patienceMs / 1000} seconds`} (${reasonOf(error)}). See that PostgreSQL runs there and that DATABASE_URL names it.`,
          { cause: error },
        )
      if (tries === 1) options.onAway(error)
      await wait(PAUSE_MS)
    }
  }
}

/** Nobody answered, or a server that is starting, stopping or full. */
export function isAway(error: unknown) {
  return !(error instanceof DatabaseError) || /^(08|57P0|53300)/.test(error.code ?? '')
}

function reasonOf(error: unknown) {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
