import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

export const USE_ANOTHER_SERVER = 'Or set DATABASE_URL to a PostgreSQL server (15 or newer) of your own.'
export const SYSTEM_FOLDER = '/var/lib/altocert'

export type Owner = { readonly uid: number; readonly gid: number }
export type Log = (message: string, detail?: Record<string, unknown>) => void

export const isRoot = process.getuid?.() === 0

/**
 * The server's user when we are root, because PostgreSQL refuses to run as root. The id comes from the range that Linux
 * distributions leave unused; other daemons also run as `nobody` and could read the shop's data.
 */
export const SERVER_USER: Owner = { uid: 60743, gid: 60743 }

/**
 * The folder with the database's files: `postgres` in the data folder. When the server's user can't enter the data folder, it
 * is a folder below /var/lib/altocert, and `postgres.location` names it. Existing folders are not altered.
 * @throws Error when a folder can't be created or is not safe
 */
export function ensureHome(dataDir: string, log: Log): string {
  mkdirSync(dataDir, { recursive: true })
  const data = realpathSync(dataDir)
  const near = join(data, 'postgres')
  const location = join(data, 'postgres.location')
  if (existsSync(location)) return readLocation(location)
  // Existing files stay in use, even when root finds those of an ordinary user; the server then runs as that user.
  if (existsSync(join(near, 'cluster'))) return near
  if (isRoot && !canEnter(existsSync(near) ? near : data, SERVER_USER)) {
    const far = join(SYSTEM_FOLDER, createHash('sha256').update(data).digest('hex').slice(0, 16))
    makeFolder(SYSTEM_FOLDER, 0o755)
    makeFolder(far, 0o711)
    const fresh = `${location}.${process.pid}`
    writeFileSync(fresh, `${far}\n`)
    renameSync(fresh, location)
    log(`The database lies in ${far}, because only the owner of ${data} may enter it`)
    return far
  }
  makeFolder(near, isRoot ? 0o711 : 0o700)
  return near
}

/**
 * Creates a folder with this mode. An existing folder stays as it is.
 * @throws Error when other users could alter an existing folder
 */
export function makeFolder(path: string, mode: number) {
  const made = withContext(`The folder ${path} can't be made`, () => mkdirSync(path, { recursive: true, mode }))
  // A strict umask would lock the server's user out of its own folder.
  if (made !== undefined) return chmodSync(path, mode)
  const stats = lstatSync(path)
  if (!stats.isDirectory()) throw new Error(`${path} is in the way: it is not a folder. ${USE_ANOTHER_SERVER}`)
  if (stats.uid !== process.getuid?.())
    throw new Error(`${path} belongs to another user (${stats.uid}): start as that user. ${USE_ANOTHER_SERVER}`)
  if ((stats.mode & 0o022) !== 0)
    throw new Error(`${path} is open for others to write in, so it is not trusted: run chmod go-w on it.`)
}

/** Whether this user may enter the folder, judged by the modes of the folder and of all its parents. */
export function canEnter(folder: string, user: Owner): boolean {
  const { uid, gid, mode } = statSync(folder)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  return dirname(folder) === folder || canEnter(dirname(folder), user)
}

/** Removes the temporary folders of dead processes; their names contain the process id. */
export function removeLeftovers(folder: string, prefix: string) {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN
    if (!(pid > 0) || pid === process.pid || isAlive(pid)) continue
    try {
      rmSync(join(folder, name), { recursive: true, force: true })
    } catch (error) {
      // A child of the dead process may still be writing; the next start removes the rest.
      if (!hasCode(error, 'ENOTEMPTY')) throw error
    }
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}

function readLocation(location: string) {
  const home = readFileSync(location, 'utf8').trim()
  if (dirname(home) !== SYSTEM_FOLDER || !/^[0-9a-f]{16}$/.test(basename(home)))
    throw new Error(
      `${location} names ${home}, which is not a folder of Altocert: correct it, or remove it to begin anew.`,
    )
  if (!existsSync(home))
    throw new Error(
      `${location} says that the database lies in ${home}, which is gone: bring it back, or remove that file to begin with an empty database.`,
    )
  return home
}

function withContext<T>(what: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : error}. ${USE_ANOTHER_SERVER}`, {
      cause: error,
    })
  }
}
