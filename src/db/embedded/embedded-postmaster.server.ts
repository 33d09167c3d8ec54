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

/** The content of `postmaster.pid` in the data folder, and whether that process really serves this folder. */
type PostmasterStatus =
  | { kind: 'none' }
  | { kind: 'ours'; pid: number; port: number }
  /** A dead server left the file; another program may have its process id by now. */
  | { kind: 'stale'; pid: number; port: number }

export function readPostmasterStatus(cluster: Cluster): PostmasterStatus {
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
 * A server that was started, and may not be ready yet. It survives when we are killed. Ctrl-C in our terminal does not reach it,
 * so that the application can finish its open requests.
 */
export type PostmasterProcess = {
  readonly pid: number | undefined
  readonly port: number
  /** Why the process ended; undefined while it runs. */
  exitReason(): string | undefined
  /** The log since this start, at most 100,000 bytes. */
  output(): string
}

export async function launchPostmaster(options: {
  cluster: Cluster
  binaries: string
  home: string
  preferredPort: number | undefined
  stalePid: number | undefined
}): Promise<PostmasterProcess> {
  const { cluster, binaries, home, preferredPort, stalePid } = options
  const port = await freePort(preferredPort)
  const logPath = join(home, 'postgres.log')
  const log = openLog(logPath, home)
  const logStart = fstatSync(log).size
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    // An acknowledged write is on disk, whatever postgresql.conf says.
    fsync: 'on',
    full_page_writes: 'on',
  }
  const child = spawn(
    join(binaries, 'bin', 'postgres'),
    ['-D', cluster.folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...(isRoot ? cluster.owner : {}),
      cwd: '/',
      // PostgreSQL ignores a postmaster.pid with this process id. Deleting the file instead would race with another process
      // that starts the server at the same time.
      env: { ...CLEAN_ENVIRONMENT, ...(stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(stalePid) }) },
      stdio: ['ignore', log, log],
      detached: true,
    },
  )
  closeSync(log)
  child.unref()
  let exitReason: string | undefined
  child.once('error', (error) => (exitReason = error.message))
  child.once('exit', (code, signal) => (exitReason = `postgres ended with ${code ?? signal}`))
  return { pid: child.pid, port, exitReason: () => exitReason, output: () => readFrom(logPath, logStart) }
}

/**
 * Fast shutdown: disconnects clients, writes everything to disk, and returns when the process has ended.
 * @throws Error when the process still runs after 40 seconds
 */
export async function stopPostmaster(pid: number, cluster: Cluster): Promise<void> {
  // An immediate shutdown (SIGQUIT) loses nothing either: the next start recovers from the write-ahead log.
  for (const { signal, timeoutMs } of [
    { signal: 'SIGINT', timeoutMs: 30_000 },
    { signal: 'SIGQUIT', timeoutMs: 10_000 },
  ]) {
    if (!isPostmaster(pid, cluster)) return
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (hasCode(error, 'ESRCH')) return
      throw error
    }
    const deadline = performance.now() + timeoutMs
    while (performance.now() < deadline) {
      if (!isPostmaster(pid, cluster)) return
      await wait(10)
    }
  }
  throw new Error(`The database server (process ${pid}) does not stop: end it manually`)
}

/**
 * Whether the process serves this folder and runs as the folder's owner. Checked before we send it a password or a signal:
 * after a crash, another program may have its process id or port.
 */
function isPostmaster(pid: number, cluster: Cluster) {
  if (!isAlive(pid)) return false
  try {
    return process.platform === 'linux' ? hasWorkingFolder(pid, cluster) : hasFolderArgument(pid, cluster)
  } catch {
    // The process ended meanwhile, or we may not inspect it; we may always inspect our own server.
    return false
  }
}

/** Compares the working folder by inode, because the data folder may have been moved to another path meanwhile. */
function hasWorkingFolder(pid: number, cluster: Cluster) {
  const at = statSync(`/proc/${pid}/cwd`)
  const folder = statSync(cluster.folder)
  const isThere = at.ino === folder.ino && at.dev === folder.dev
  const { uid } = statSync(`/proc/${pid}`)
  return isThere && uid === cluster.owner.uid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0-D\0')
}

function hasFolderArgument(pid: number, cluster: Cluster) {
  const processLine = execFileSync('ps', ['-o', 'uid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  return Number.parseInt(processLine, 10) === cluster.owner.uid && processLine.includes(` -D ${cluster.folder} `)
}

/** PostgreSQL fills the file right after it creates it. A file that stays empty comes from a power failure, and blocks the start. */
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
    const stats = lstatSync(path)
    // Anything but a plain file of the folder's owner may be an attack: root must not write to it.
    if (!stats.isFile() || stats.nlink !== 1 || stats.uid !== owner.uid) rmSync(path, { recursive: true })
    else if (stats.size > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`)
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

/** The preferred port if it is free, else any free port. */
async function freePort(preferred: number | undefined): Promise<number> {
  const probe = createServer()
  try {
    return await new Promise<number>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen(preferred ?? 0, '127.0.0.1', () => {
        const address = probe.address()
        if (address !== null && typeof address === 'object') resolve(address.port)
      })
    })
  } catch (error) {
    if (preferred === undefined) throw error
    return await freePort(undefined)
  } finally {
    probe.close()
  }
}
