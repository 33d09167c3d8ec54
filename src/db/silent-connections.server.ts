import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** What `pg` has and its types lack. */
type OpenClient = {
  readonly connection: { readonly stream: Socket }
  readonly readyForQuery: boolean
  readonly processID: number | null
  readonly _getActiveQuery: () => { readonly text?: string } | null
}

const open = (client: pg.ClientBase) => client as unknown as OpenClient

/** Ends a connection without waiting for the server; a query under way fails. */
export function destroyConnection(client: pg.ClientBase): void {
  open(client).connection.stream.destroy()
}

/** A connection that is silent for longer is doubted: before a request ends by its limit. */
const DOUBT_MS = 4_000
/** Behind a pooler a query may first wait 8 seconds for a connection (`query_wait_timeout`), which looks the same. */
const POOLED_DOUBT_MS = 9_000
/** So much of a query's text is compared. PostgreSQL keeps its first 1,024 bytes. */
const COMPARED_CHARACTERS = 250
const ASK_EACH_MS = 2_000
/** When the database did not answer, it is asked again soon: a request that waits must end before its caller gives up. */
const RETRY_MS = 250
/** How long the database may take to say what it does for the doubted ones. */
const ANSWER_MS = 1_000

/** Finds out which of the connections that are silent with a query under way are lost. */
export type Doubts = {
  /** After so long without a byte a connection is doubted. */
  readonly afterMs: number
  /** `longestMs` is how long it may be silent in any case. */
  doubt(client: pg.ClientBase, longestMs: number): void
  /** With one lost connection of this pool, those that are idle are ended too: the network that lost it has lost them as well. */
  follow(pool: pg.Pool): void
  stop(): void
}

/**
 * Destroys the connection when nothing arrives for `ms` (0 for no limit) while a query is under way. After a network has swallowed
 * a connection, no error ever comes. `query_timeout` would not do: it fails the query and gives the dead connection back to the pool.
 * With `doubts` it is destroyed earlier if it is lost.
 */
export function limitSilence(client: pg.ClientBase, ms: number, doubts: Doubts | null = null): void {
  const { stream } = open(client).connection
  stream.removeAllListeners('timeout')
  // Each time anew: a listener that is passed to `setTimeout` is called only once.
  stream.on('timeout', () => {
    if (open(client).readyForQuery) return
    if (doubts === null) stream.destroy(silentFor(ms))
    else doubts.doubt(client, ms)
  })
  stream.setTimeout(doubts === null ? ms : Math.min(ms, doubts.afterMs))
}

const LOST_WITH_OTHERS = 'Connection terminated: another one was lost.'
const silentFor = (ms: number) => new Error(`The database was silent for ${ms / 1000} seconds.`)

type Doubted = {
  readonly client: pg.ClientBase
  readonly stream: Socket
  readonly bytesRead: number
  readonly silentSince: number
  readonly longestMs: number
}

/**
 * Asks the database, by a connection of its own, what it does for the doubted ones. One whose session works on a query is slow and lives on;
 * one whose session waits for a query never gets its answer. It is destroyed, and its session ended, which may hold locks. With `isPooled`
 * the connections lead to a pooler and `url` to the database behind it: then one is lost when no session at all works on its query.
 */
export function createDoubts(
  url: string,
  { isPooled = false, afterMs = isPooled ? POOLED_DOUBT_MS : DOUBT_MS }: { isPooled?: boolean; afterMs?: number } = {},
): Doubts {
  const findLost = isPooled ? findUnworked : findIdle
  const idle = new Set<pg.ClientBase>()
  const doubted = new Map<pg.ClientBase, Doubted>()
  let isAsking = false
  const stopped = new AbortController()

  const isSilent = ({ client, stream, bytesRead }: Doubted) =>
    !stream.destroyed && !open(client).readyForQuery && stream.bytesRead === bytesRead
  const destroy = ({ client, stream, silentSince }: Doubted) => {
    doubted.delete(client)
    stream.destroy(silentFor(1000 * Math.round((performance.now() - silentSince) / 1000)))
  }

  async function ask() {
    while (!stopped.signal.aborted && doubted.size > 0) {
      const asked = [...doubted.values()].filter(isSilent)
      const clients = asked.map(({ client }) => client)
      const lost = asked.length === 0 ? [] : await asking(url, (database) => findLost(database, clients))
      for (const one of doubted.values()) {
        if (!isSilent(one)) doubted.delete(one.client)
        else if (performance.now() - one.silentSince >= one.longestMs) destroy(one)
      }
      const found = asked.filter((one) => isSilent(one) && lost?.includes(one.client))
      // First, and with an error, which the pool hears before anybody takes one of them.
      if (found.length > 0)
        for (const client of idle) open(client).connection.stream.destroy(new Error(LOST_WITH_OTHERS))
      found.forEach(destroy)
      await wait(lost === null ? RETRY_MS : ASK_EACH_MS, undefined, { ref: false })
    }
  }

  return {
    afterMs,
    doubt(client, longestMs) {
      const { stream } = open(client).connection
      const silentSince = performance.now() - afterMs
      doubted.set(client, { client, stream, bytesRead: stream.bytesRead, silentSince, longestMs })
      if (isAsking) return
      isAsking = true
      void ask().finally(() => (isAsking = false))
    },
    follow(pool) {
      pool.on('acquire', (client) => void idle.delete(client))
      pool.on('release', (_error, client) => void idle.add(client))
      pool.on('remove', (client) => void idle.delete(client))
    },
    stop: () => stopped.abort(),
  }
}

/** Null while the database does not answer. */
async function asking<Result>(url: string, ask: (database: pg.Client) => Promise<Result>): Promise<Result | null> {
  const database = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  database.on('error', () => {})
  try {
    await database.connect()
    return await ask(database)
  } catch {
    return null
  } finally {
    destroyConnection(database)
  }
}

/** Those whose sessions have no query under way. Ends these sessions. */
async function findIdle(database: pg.Client, clients: readonly pg.ClientBase[]): Promise<pg.ClientBase[]> {
  const pidOf = (client: pg.ClientBase) => open(client).processID ?? 0
  const { rows } = await database.query<{ own: number; busy: number[] }>(
    `select pg_backend_pid() as own,
       array(select pid from pg_stat_activity where pid = any($1) and state not like 'idle%') as busy`,
    [clients.map(pidOf)],
  )
  // Behind a pooler the number of a session is the pooler's.
  if (rows[0]?.own !== pidOf(database)) return []
  const lost = clients.filter((client) => !rows[0]!.busy.includes(pidOf(client)))
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid = any($1) and state like 'idle%' and usename = current_user and datname = current_database()`,
    [lost.map(pidOf)],
  )
  return lost
}

/** Those on whose query no session works. The pooler then ends its own connection. */
async function findUnworked(database: pg.Client, clients: readonly pg.ClientBase[]): Promise<pg.ClientBase[]> {
  const start = (text: string) => text.slice(0, COMPARED_CHARACTERS)
  // A session that may not be seen works on anything.
  const { rows } = await database.query<{ text: string; isSeen: boolean }>(
    `select query as text, state is not null and state <> 'disabled' as "isSeen" from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
       and (state is null or state not like 'idle%')`,
  )
  if (rows.some(({ isSeen }) => !isSeen)) return []
  const worked = new Set(rows.map(({ text }) => start(text)))
  return clients.filter((client) => {
    const text = open(client)['_getActiveQuery']()?.text
    return text !== undefined && !worked.has(start(text))
  })
}
