import pg from 'pg'
import { Failure } from '../lib/failure.ts'
import { createPool, databaseOn, type Db, type OpenDatabase } from './open.server.ts'
import { destroyConnection } from './silent-connections.server.ts'

const ASK_EACH_MS = 250
const RETRY_MS = 500
/** A replica that does not answer for so long is away, and what was reading from it reads from the primary. */
const ANSWER_MS = 700
/** Nothing that is read from the replica is older than about twice this. */
const FLOOR_EACH_MS = 5_000
const CONNECTIONS = 8
/** The code of a statement that ended by `statement_timeout`. The primary would not be faster. */
const QUERY_CANCELED = '57014'

/** The server, the newest catalogue change that it has replayed, and its position in the log in bytes. */
type Known = { readonly server: string; readonly changes: number; readonly position: number }

const STATE = `select pg_postmaster_start_time()::text as server,
  (select coalesce(max(number), 0) from catalogue_changes)::float8 as changes,
  pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0')::float8 as position`
const POSITION = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as position"

export type ReplicaState = 'ok' | 'behind' | 'away'

/** A copy of the database that follows it by streaming, for reads that need not see the newest of all writes (decision 0048). */
export type Replica = {
  readonly url: string
  /**
   * Calls `read` with the replica when that has replayed the log up to `position` and every catalogue change that this process knows.
   * Otherwise, and again when the replica fails meanwhile, with the primary. So `read` changes nothing.
   */
  read<Result>(position: number, read: (db: Db) => Promise<Result>): Promise<Result>
  state(): ReplicaState
  /** After a write in this process: nothing reads from the replica before that has it. Returns the primary's position in the log. */
  noteWrite(): Promise<number>
  /** `newest` has the number of the newest catalogue change, null while a newer one may be unread. Until then the replica is not used. */
  compareWith(newest: () => number | null): void
  /** Called when the replica is away, or another server has its address. */
  onLost(listener: () => void): void
  /** How many reads were answered by each server. */
  readonly reads: { primary: number; replica: number }
  close(): Promise<void>
}

const replicas = new WeakSet<Db>()

export function isOnReplica(db: Db): boolean {
  return replicas.has(db)
}

class ReplicaUnusable extends Error {}

type OnPool = (pool: pg.Pool) => void
type Log = { warn(facts: object, message: string): void; info(facts: object, message: string): void }

/** Follows the replica at `url`, which may be away and come back. `onPool` gets the pool for reads before it is used. */
export async function openReplica(url: string, primary: OpenDatabase, log: Log, onPool?: OnPool): Promise<Replica> {
  const connections = openConnections(url, onPool)
  const underWay = createUnderWay()
  const lostListeners = [underWay.stopAll, connections.destroyAll]
  const reads = { primary: 0, replica: 0 }
  let newest: () => number | null = () => null

  const lose = () => {
    for (const listener of lostListeners) listener()
  }
  const prober = await followState(url, {
    onLost(error) {
      log.warn({ err: error }, 'the replica is away; everything is read from the primary')
      lose()
    },
    onOtherServer: lose,
    onFound: () => log.info({}, 'the replica is there'),
  })
  const floor = await followFloor(primary.pool)

  const hasReplayed = (position: number) => {
    const known = prober.known()
    const change = newest()
    if (known === null || change === null) return false
    return known.changes >= change && known.position >= position && known.position >= floor.position()
  }
  return {
    url,
    reads,
    noteWrite: floor.raise,
    async read(position, read) {
      if (hasReplayed(position))
        try {
          // Asks again for each query: the catalogue may have changed since the last one, and a cached result must not be older.
          const db = replicaDatabase(() => {
            if (!hasReplayed(position)) throw new ReplicaUnusable('The replica is behind.')
            return connections.open(prober.known()?.server)
          })
          const result = await underWay.run(read(db))
          reads.replica += 1
          return result
        } catch (error) {
          if (!isReplicasFault(error)) throw error
        }
      reads.primary += 1
      return read(primary.db)
    },
    state: () => (prober.known() === null ? 'away' : hasReplayed(0) ? 'ok' : 'behind'),
    compareWith: (read) => (newest = read),
    onLost: (listener) => lostListeners.push(listener),
    async close() {
      prober.stop()
      floor.stop()
      await connections.close()
    },
  }
}

function replicaDatabase(open: () => Promise<pg.PoolClient>): Db {
  const connect = async () => open()
  const db = databaseOn({ connect, end: () => Promise.resolve() }, true)
  replicas.add(db)
  return db
}

/** Reads that can be stopped: a server that stands still would not end them. */
function createUnderWay() {
  const all = new Set<(error: Error) => void>()
  return {
    run<Result>(reading: Promise<Result>): Promise<Result> {
      let stop: (error: Error) => void = () => {}
      const result = new Promise<Result>((resolve, reject) => {
        stop = reject
        all.add(stop)
        reading.then(resolve, reject)
      })
      return result.finally(() => all.delete(stop))
    },
    stopAll() {
      for (const stop of all) stop(new ReplicaUnusable('The replica was lost.'))
    },
  }
}

/** Anything else than what the product itself replies with: the primary then answers, or fails alike. */
function isReplicasFault(error: unknown): boolean {
  const isReply = error instanceof Failure || error instanceof Response
  return !isReply && !(error instanceof pg.DatabaseError && error.code === QUERY_CANCELED)
}

/** The pool's connections. The address may lead to several servers: only those to the server that was asked are used. */
function openConnections(url: string, onPool: OnPool = () => {}) {
  const pool = createPool(url, {
    connections: CONNECTIONS,
    connectMs: ANSWER_MS,
    isPooled: false,
    preparesStatements: true,
    onError: () => {},
  })
  onPool(pool)
  const all = new Set<pg.PoolClient>()
  const servers = new WeakMap<pg.PoolClient, string>()
  pool.on('connect', (client) => void all.add(client))
  pool.on('remove', (client) => void all.delete(client))
  const serverOf = async (client: pg.PoolClient) => {
    const { rows } = await client.query<{ server: string }>('select pg_postmaster_start_time()::text as server')
    servers.set(client, rows[0]!.server)
    return rows[0]!.server
  }
  const destroyAll = () => {
    for (const client of all) destroyConnection(client)
  }
  return {
    async open(server: string | undefined): Promise<pg.PoolClient> {
      const client = await pool.connect()
      try {
        if ((servers.get(client) ?? (await serverOf(client))) === server) return client
      } catch (error) {
        client.release(true)
        throw error
      }
      client.release(true)
      throw new ReplicaUnusable('The connection leads to another server.')
    },
    destroyAll,
    close() {
      destroyAll()
      return pool.end()
    },
  }
}

/** Asks the server all the time, so that no request waits for one that is away. */
async function followState(
  url: string,
  events: { onLost(error: unknown): void; onOtherServer(): void; onFound(): void },
) {
  let client: pg.Client | null = null
  let known: Known | null = null
  let isLost = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    })
    next.on('error', () => {})
    client = next
    await next.connect()
    return next
  }
  async function ask(): Promise<void> {
    try {
      const asked = client ?? (await connect())
      const { rows } = await asked.query<Known>(STATE)
      if (isStopped) return
      const before = known
      known = rows[0]!
      if (before !== null && before.server !== known.server) events.onOtherServer()
      if (before === null) events.onFound()
      isLost = false
    } catch (error) {
      if (client !== null) destroyConnection(client)
      client = null
      known = null
      if (!isLost && !isStopped) events.onLost(error)
      isLost = true
    }
  }
  async function askAgain() {
    await ask()
    if (!isStopped) timer = setTimeout(() => void askAgain(), isLost ? RETRY_MS : ASK_EACH_MS)
  }
  await askAgain()
  return {
    known: () => known,
    stop() {
      isStopped = true
      clearTimeout(timer)
      if (client !== null) destroyConnection(client)
    },
  }
}

/** A position that the primary had some seconds ago, or at a write of this process: whatever a replica shows is newer. */
async function followFloor(primary: pg.Pool) {
  const ask = async () => (await primary.query<{ position: number }>(POSITION)).rows[0]!.position
  let latest = await ask()
  let floor = latest
  const raiseTo = (position: number) => (floor = Math.max(floor, position))
  async function move() {
    const position = await ask()
    raiseTo(latest)
    latest = position
  }
  // While the primary is away no change is known, and so the replica is not used.
  const timer = setInterval(() => void move().catch(() => undefined), FLOOR_EACH_MS)
  return {
    position: () => floor,
    async raise() {
      const position = await ask()
      raiseTo(position)
      return position
    },
    stop: () => clearInterval(timer),
  }
}
