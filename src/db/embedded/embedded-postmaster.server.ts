import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CLEAN_ENVIRONMENT, readWithin, type Cluster } from './embedded-cluster.server.ts'
import { hasCode, isAlive, isRoot } from './embedded-folder.server.ts'

/** What `postmaster.pid` in the data folder says, and whether that process is truly the server of this folder. */
export type PostmasterStatus =
  | { kind: 'none' }
  | { kind: 'ours'; pid: number; port: number }
  /** Left by a server that died; its number may belong to another program by now. */
  | { kind: 'stale'; pid: number; port: number }

export function sightPostmaster(cluster: Cluster): PostmasterStatus {
  const lines = readWithin(cluster.folder, 'postmaster.pid')?.split('\n')
  if (lines === undefined) return { kind: 'none' }
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!Number.isInteger(pid) || pid <= 1 || !Number.isInteger(port)) {
    removeEmptyPidFile(cluster)
    return { kind: 'none' }
  }
  return { kind: isPostmaster(pid, cluster) ? 'ours' : 'stale', pid, port }
}

/**
 * A server started and not waited for. It outlives us if we are killed, and a Ctrl-C in our terminal does not reach it:
 * the application finishes its open requests first.
 */
export type PostmasterProcess = {
  readonly pid: number | undefined
  readonly port: number
  /** Why it ended, once it has. */
  ending(): string | undefined
  /** What it wrote to its log since this start. */
  said(): string
}

export async function launchPostmaster(options: {
  cluster: Cluster
  binaries: string
  home: string
  wishedPort: number | undefined
  stalePid: number | undefined
}): Promise<PostmasterProcess> {
  const { cluster, binaries, home, wishedPort, stalePid } = options
  const port = await freePort(wishedPort)
  const logPath = join(home, 'postgres.log')
  const log = openLog(logPath, home)
  const logStart = fstatSync(log).size
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    // Acknowledged means on disk, whatever postgresql.conf says.
    fsync: 'on',
    full_page_writes: 'on',
  }
  const child = spawn(
    join(binaries, 'bin', 'postgres'),
    ['-D', cluster.folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...(isRoot ? cluster.owner : {}),
      cwd: '/',
      // PostgreSQL takes this number for a dead server's, not for one in its way. Editing postmaster.pid instead would
      // race with another process that starts the server at the same instant.
      env: { ...CLEAN_ENVIRONMENT, ...(stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(stalePid) }) },
      stdio: ['ignore', log, log],
      detached: true,
    },
  )
  closeSync(log)
  child.unref()
  let ending: string | undefined
  child.once('error', (error) => (ending = error.message))
  child.once('exit', (code, signal) => (ending = `postgres ended with ${code ?? signal}`))
  return { pid: child.pid, port, ending: () => ending, said: () => readFrom(logPath, logStart) }
}

/** Fast shutdown: clients are disconnected, everything is written, the process is gone when this returns. */
export async function stopPostmaster(pid: number, cluster: Cluster): Promise<void> {
  // An immediate shutdown loses nothing either; the next start then recovers from the log.
  for (const { signal, patienceMs } of [
    { signal: 'SIGINT', patienceMs: 30_000 },
    { signal: 'SIGQUIT', patienceMs: 10_000 },
  ]) {
    if (!isPostmaster(pid, cluster)) return
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (hasCode(error, 'ESRCH')) return
      throw error
    }
    const deadline = performance.now() + patienceMs
    while (performance.now() < deadline) {
      if (!isPostmaster(pid, cluster)) return
      await wait(10)
    }
  }
  throw new Error(`The database server (process ${pid}) does not stop: end it by hand`)
}

/**
 * The process serves this very folder and runs as the folder's owner. Asked before a password is sent to its port and
 * before it gets a signal: after a crash, both numbers may be someone else's.
 */
function isPostmaster(pid: number, cluster: Cluster) {
  if (!isAlive(pid)) return false
  try {
    return process.platform === 'linux' ? worksIn(pid, cluster) : isNamedFor(pid, cluster)
  } catch {
    // It ended between two looks, or is of a kind that we may not look at, which ours is not.
    return false
  }
}

/** By the folder that it works in, which is the same one even if it was moved to another path meanwhile. */
function worksIn(pid: number, cluster: Cluster) {
  const at = statSync(`/proc/${pid}/cwd`)
  const folder = statSync(cluster.folder)
  const isThere = at.ino === folder.ino && at.dev === folder.dev
  const { uid } = statSync(`/proc/${pid}`)
  return isThere && uid === cluster.owner.uid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0-D\0')
}

function isNamedFor(pid: number, cluster: Cluster) {
  const said = execFileSync('ps', ['-o', 'uid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  return Number.parseInt(said, 10) === cluster.owner.uid && said.includes(` -D ${cluster.folder} `)
}

/** PostgreSQL writes the file's text right after it makes the file; one that stays empty is a power cut's, and blocks it. */
function removeEmptyPidFile(cluster: Cluster) {
  const path = join(cluster.folder, 'postmaster.pid')
  try {
    const { size, mtimeMs } = lstatSync(path)
    if (size === 0 && Date.now() - mtimeMs > 10_000) rmSync(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

const LOG_LIMIT_BYTES = 5_000_000

function openLog(path: string, home: string) {
  const owner = lstatSync(home)
  try {
    const found = lstatSync(path)
    // What is no plain file of the folder's owner was laid there by someone else: root must not write through it.
    if (!found.isFile() || found.nlink !== 1 || found.uid !== owner.uid) rmSync(path, { recursive: true })
    else if (found.size > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
  const log = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  if (isRoot) fchownSync(log, owner.uid, owner.gid)
  return log
}

function readFrom(path: string, start: number) {
  const log = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, Math.min(fstatSync(log).size - start, 100_000)))
    return bytes.toString('utf8', 0, readSync(log, bytes, 0, bytes.length, start))
  } finally {
    closeSync(log)
  }
}

/** The wished port if nobody listens there, else any that is free. */
async function freePort(wished: number | undefined): Promise<number> {
  const probe = createServer()
  try {
    return await new Promise<number>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen(wished ?? 0, '127.0.0.1', () => {
        const address = probe.address()
        if (address !== null && typeof address === 'object') resolve(address.port)
      })
    })
  } catch (error) {
    if (wished === undefined) throw error
    return await freePort(undefined)
  } finally {
    probe.close()
  }
}
