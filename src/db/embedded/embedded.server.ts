import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { findRelease, ensureBinaries, type Release } from './embedded-binaries.server.ts'
import { applicationPassword, ensureCluster, type Cluster } from './embedded-cluster.server.ts'
import { ensureHome, USE_ANOTHER_SERVER, type Log } from './embedded-folder.server.ts'
import { announceUser, type User } from './embedded-users.server.ts'
import {
  launchPostmaster,
  readPostmasterStatus,
  stopPostmaster,
  type PostmasterProcess,
} from './embedded-postmaster.server.ts'

export type EmbeddedServer = {
  /** postgres://… of the database `altocert`. Its role owns the database and may create more. */
  readonly url: string
  /** Whether this call started the server; false when one was running. Either way, the last process to stop ends it. */
  readonly owned: boolean
  stop(): Promise<void>
}

/**
 * Starts (or joins) the PostgreSQL server whose files lie in `${dataDir}/postgres`.
 *
 * Any number of processes may share the folder; the server ends when the last of them stops (decision 0002). When the server
 * dies, it is restarted on the same port with every acknowledged write. A restart that fails is tried again every
 * second, without a limit: a full disk may get space again.
 * @throws Error when the server can't be used; the message says what to do
 */
export async function startEmbedded(options: { dataDir: string; log?: Log; logError?: Log }): Promise<EmbeddedServer> {
  const { log = () => {}, logError = log } = options
  const release = findRelease()
  const home = ensureHome(options.dataDir, log)
  const major = release.version.split('.')[0] ?? ''
  const cluster = await ensureCluster(home, major, () => ensureBinaries(release, home))
  const installation: Installation = { release, home, cluster, log }
  const user = announceUser(home)

  let lease = await acquireLease(installation, undefined).catch((error: unknown) => {
    user.leave()
    throw error
  })
  const { port } = lease
  const stopping = new AbortController()
  let stopped: Promise<void> | undefined
  let reconnecting: Promise<void> | undefined

  async function reconnect() {
    for (let failures = 0; ; failures += 1) {
      try {
        lease = await acquireLease(installation, port)
        if (failures > 0) log('The embedded database is back')
        break
      } catch (error) {
        // Log once a minute only: the disk may be full.
        if (failures % 60 === 0)
          logError('The embedded database does not start; it is tried again every second', { err: error })
        await wait(RECONNECT_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
        if (stopping.signal.aborted) return
      }
    }
    if (lease.port !== port) logError(`The embedded database had to move to port ${lease.port}: restart Altocert`)
    reconnectWhenLost()
  }

  function reconnectWhenLost() {
    // The connection that holds our lease ends when the server is killed or restarts itself.
    lease.client.once('end', () => {
      if (stopped) return
      log('Lost the embedded database: reconnecting')
      reconnecting = reconnect()
    })
  }
  reconnectWhenLost()

  async function leave() {
    stopping.abort()
    await reconnecting
    await releaseLease(installation, lease, user)
  }

  const password = applicationPassword(cluster)
  return {
    url: `postgres://altocert:${password}@127.0.0.1:${port}/altocert`,
    owned: lease.owned,
    stop: () => (stopped ??= leave()),
  }
}

type Installation = { release: Release; home: string; cluster: Cluster; log: Log }

/** A connection that holds a shared lock while this process uses the server. The process that gets the lock exclusively is the last user. */
type Lease = { client: Client; socket: Socket; pid: number; port: number; owned: boolean }

const LEASE_LOCK = 7_413_001
const SETUP_LOCK = 7_413_002
const STEP_MS = 20
const RELAUNCH_MS = 200
const RECONNECT_MS = 1_000
const START_LIMIT_MS = 120_000

/**
 * Joins the running server or starts one. When several processes start it at once, PostgreSQL's own locks on the data folder
 * let one of them succeed; the others find its server in the next round.
 */
async function acquireLease(installation: Installation, preferredPort: number | undefined): Promise<Lease> {
  const { cluster, home, release } = installation
  const deadline = performance.now() + START_LIMIT_MS
  let postmaster: PostmasterProcess | undefined
  let binaries: string | undefined
  let lastRefusal = 'it did not start'
  while (performance.now() < deadline) {
    const status = readPostmasterStatus(cluster)
    if (status.kind === 'ours') {
      const { pid, port } = status
      const attempt = await openLease(cluster, { pid, port, owned: pid === postmaster?.pid })
      if ('client' in attempt) return attempt
      lastRefusal = attempt.refusal
    } else if (postmaster === undefined) {
      binaries ??= ensureBinaries(release, home)
      const stale = status.kind === 'stale' ? status : undefined
      postmaster = await launchPostmaster({
        cluster,
        home,
        binaries,
        // Other processes that lost the same server expect it on its old port.
        preferredPort: preferredPort ?? stale?.port,
        stalePid: stale?.pid,
      })
      continue
    } else if (postmaster.exitReason() !== undefined) {
      lastRefusal = `${postmaster.exitReason()}\n${lastLines(postmaster.output())}`
      if (!isTransient(lastRefusal)) break
      postmaster = undefined
      await wait(RELAUNCH_MS)
    }
    await wait(STEP_MS)
  }
  throw new Error(`The embedded PostgreSQL in ${cluster.folder} can't be used: ${lastRefusal}\n${USE_ANOTHER_SERVER}`)
}

/** Whether another attempt may succeed: another process was faster, the port was taken, or children of a killed server are still ending. */
function isTransient(reason: string) {
  return /lock file ".*" (already exists|is empty)|could not bind|pre-existing shared memory block/.test(reason)
}

function lastLines(text: string) {
  return text.trim().split('\n').slice(-12).join('\n')
}

async function openLease(
  cluster: Cluster,
  server: { pid: number; port: number; owned: boolean },
): Promise<Lease | { refusal: string }> {
  const socket = new Socket()
  const client = new Client({
    host: '127.0.0.1',
    port: server.port,
    user: 'postgres',
    password: cluster.password,
    database: 'postgres',
    application_name: 'altocert lease',
    connectionTimeoutMillis: 5_000,
    statement_timeout: 20_000,
    keepAlive: true,
    stream: () => socket,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_advisory_lock_shared($1)', [LEASE_LOCK])
    await setUp(client, applicationPassword(cluster))
    // The lease alone does not keep the process alive.
    socket.unref()
    return { client, socket, ...server }
  } catch (error) {
    client.end().catch(() => {})
    socket.destroy()
    if (error instanceof DatabaseError && error.code === '28P01')
      throw new Error(`The PostgreSQL server in ${cluster.folder} does not know the password in altocert.json there`, {
        cause: error,
      })
    return { refusal: error instanceof Error ? error.message : String(error) }
  }
}

/** Creates the application's role and database unless they exist. */
async function setUp(client: Client, password: string) {
  await client.query('select pg_advisory_lock($1)', [SETUP_LOCK])
  const { rows } = await client.query<{ role: boolean; database: boolean }>(
    `select exists (select from pg_roles where rolname = 'altocert') as role,
            exists (select from pg_database where datname = 'altocert') as database`,
  )
  if (!rows[0]?.role) await client.query(`create role altocert login createdb password '${password}'`)
  if (!rows[0]?.database) await client.query('create database altocert owner altocert')
  await client.query('select pg_advisory_unlock($1)', [SETUP_LOCK])
}

async function releaseLease({ cluster, log }: Installation, { client, socket, pid }: Lease, user: User) {
  socket.ref()
  let isLast: boolean
  try {
    // Release the shared lock first: when two processes stop at once, at least the later one then gets the exclusive lock.
    await client.query('select pg_advisory_unlock_shared($1)', [LEASE_LOCK])
    user.leave()
    // A process that has lost its lease with the connection, and has not got a new one yet, still needs the server.
    if (user.hasOthers()) return void (await client.end().catch(() => {}))
    const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [LEASE_LOCK])
    isLast = rows[0]?.last === true
  } catch (error) {
    user.leave()
    log('The embedded database was gone before it was stopped', { err: error })
    return
  }
  // Hold the lock until the server has ended: a process that joins now waits for it, and then starts a new server.
  if (isLast) await stopPostmaster(pid, cluster)
  await client.end().catch(() => {})
}
