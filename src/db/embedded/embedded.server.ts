import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { findRelease, readyBinaries, type Release } from './embedded-binaries.server.ts'
import { applicationPassword, readyCluster, type Cluster } from './embedded-cluster.server.ts'
import { openHome, USE_ANOTHER_SERVER, type Log } from './embedded-folder.server.ts'
import {
  launchPostmaster,
  sightPostmaster,
  stopPostmaster,
  type PostmasterProcess,
} from './embedded-postmaster.server.ts'

export type EmbeddedServer = {
  /** postgres://… of the database `altocert`, whose role owns it and may create further databases. */
  readonly url: string
  /** This call started the server; false: it found one running. Either way the last to stop it ends it. */
  readonly owned: boolean
  stop(): Promise<void>
}

/**
 * Starts (or joins) the PostgreSQL server whose files lie in `${dataDir}/postgres`.
 *
 * Any number of processes may share the folder, and the server ends with the last that stops (decision 0002). When the
 * server is killed under us, it is started again at the same address, with everything that it had acknowledged; every second
 * for as long as it takes, because a disk that was full may have room again.
 */
export async function startEmbedded(options: { dataDir: string; log?: Log; logError?: Log }): Promise<EmbeddedServer> {
  const { log = () => {}, logError = log } = options
  const release = findRelease()
  const home = openHome(options.dataDir, log)
  const major = release.version.split('.')[0] ?? ''
  const cluster = await readyCluster(home, major, () => readyBinaries(release, home))
  const place: Place = { release, home, cluster, log }

  let seat = await selectSeatForUpdate(place, undefined)
  const { port } = seat
  const leaving = new AbortController()
  let left: Promise<void> | undefined
  let returning: Promise<void> | undefined

  async function comeBack() {
    for (let failures = 0; ; failures += 1) {
      try {
        seat = await selectSeatForUpdate(place, port)
        if (failures > 0) log('The embedded database is back')
        break
      } catch (error) {
        // Once a minute: a disk that is full is not to be filled with the same words.
        if (failures % 60 === 0)
          logError('The embedded database does not start; it is tried again every second', { err: error })
        await wait(RETURN_MS, undefined, { ref: false, signal: leaving.signal }).catch(() => {})
        if (leaving.signal.aborted) return
      }
    }
    if (seat.port !== port) logError(`The embedded database had to move to port ${seat.port}: restart Altocert`)
    returnWhenLost()
  }

  function returnWhenLost() {
    // Outside: the connection that holds our seat broke, because the server was killed or restarted itself.
    seat.client.once('end', () => {
      if (left) return
      log('The embedded database went away: returning to it')
      returning = comeBack()
    })
  }
  returnWhenLost()

  async function leave() {
    leaving.abort()
    await returning
    await leaveSeat(place, seat)
  }

  const password = applicationPassword(cluster)
  return {
    url: `postgres://altocert:${password}@127.0.0.1:${port}/altocert`,
    owned: seat.owned,
    stop: () => (left ??= leave()),
  }
}

type Place = { release: Release; home: string; cluster: Cluster; log: Log }

/** A connection that holds a shared lock as long as this process uses the server; who gets it alone is the last. */
type Seat = { client: Client; socket: Socket; pid: number; port: number; owned: boolean }

const SEAT_LOCK = 7_413_001
const SETUP_LOCK = 7_413_002
const STEP_MS = 20
const RELAUNCH_MS = 200
const RETURN_MS = 1_000
const START_LIMIT_MS = 120_000

/**
 * Joins the running server or starts one. PostgreSQL's own locks on the data folder decide who starts it when several
 * try at once; whoever loses finds the winner's server in the next round.
 */
async function selectSeatForUpdate(place: Place, wishedPort: number | undefined): Promise<Seat> {
  const { cluster, home, release } = place
  const deadline = performance.now() + START_LIMIT_MS
  let launch: PostmasterProcess | undefined
  let binaries: string | undefined
  let lastRefusal = 'it did not start'
  while (performance.now() < deadline) {
    const sighting = sightPostmaster(cluster)
    if (sighting.kind === 'ours') {
      const { pid, port } = sighting
      const seat = await sitDown(cluster, { pid, port, owned: pid === launch?.pid })
      if ('client' in seat) return seat
      lastRefusal = seat.refusal
    } else if (launch === undefined) {
      binaries ??= readyBinaries(release, home)
      const stale = sighting.kind === 'stale' ? sighting : undefined
      launch = await launchPostmaster({
        cluster,
        home,
        binaries,
        // Others that lost the same server look for it where it was.
        wishedPort: wishedPort ?? stale?.port,
        stalePid: stale?.pid,
      })
      continue
    } else if (launch.ending() !== undefined) {
      lastRefusal = `${launch.ending()}\n${lastLines(launch.said())}`
      if (!isPassing(lastRefusal)) break
      launch = undefined
      await wait(RELAUNCH_MS)
    }
    await wait(STEP_MS)
  }
  throw new Error(`The embedded PostgreSQL in ${cluster.folder} can't be used: ${lastRefusal}\n${USE_ANOTHER_SERVER}`)
}

/** Another process was faster, a port was taken meanwhile, or children of a killed server are still ending. */
function isPassing(said: string) {
  return /lock file ".*" (already exists|is empty)|could not bind|pre-existing shared memory block/.test(said)
}

function lastLines(text: string) {
  return text.trim().split('\n').slice(-12).join('\n')
}

async function sitDown(
  cluster: Cluster,
  server: { pid: number; port: number; owned: boolean },
): Promise<Seat | { refusal: string }> {
  const socket = new Socket()
  const client = new Client({
    host: '127.0.0.1',
    port: server.port,
    user: 'postgres',
    password: cluster.password,
    database: 'postgres',
    application_name: 'altocert seat',
    connectionTimeoutMillis: 5_000,
    statement_timeout: 20_000,
    keepAlive: true,
    stream: () => socket,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_advisory_lock_shared($1)', [SEAT_LOCK])
    await setUp(client, applicationPassword(cluster))
    // A seat alone keeps no process from ending.
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

/** The application's role and database exist; made once, by whoever comes first. */
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

async function leaveSeat({ cluster, log }: Place, { client, socket, pid }: Seat) {
  socket.ref()
  let isLast: boolean
  try {
    // Given back first: of two that leave at once, at least the later one then finds itself alone.
    await client.query('select pg_advisory_unlock_shared($1)', [SEAT_LOCK])
    const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [SEAT_LOCK])
    isLast = rows[0]?.last === true
  } catch (error) {
    log('The embedded database was gone before it was stopped', { err: error })
    return
  }
  // The lock is held until the server is gone: whoever joins now waits for it, and then starts a new one.
  if (isLast) await stopPostmaster(pid, cluster)
  await client.end().catch(() => {})
}
