import { spawn } from 'node:child_process'
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import {
  canEnter,
  hasCode,
  isRoot,
  removeLeftovers,
  SERVER_USER,
  USE_ANOTHER_SERVER,
  type Owner,
} from './embedded-folder.server.ts'

/** An initialised PostgreSQL data folder, the user its server runs as, and the superuser's password. */
export type Cluster = { readonly folder: string; readonly owner: Owner; readonly password: string }

/** Stored inside the data folder, so that a moved or restored folder keeps its password. */
const ClusterInfo = z.object({ architecture: z.string(), password: z.string().min(20) })
const INFO_FILE = 'altocert.json'

/**
 * The data folder in `home`, created at the first start. It appears complete or not at all: after a crash, or when two
 * processes create it at once, at most a temporary folder remains, and the next start removes it.
 * @throws Error when the folder belongs to another user, PostgreSQL version or architecture
 */
export async function ensureCluster(home: string, major: string, binaries: () => string): Promise<Cluster> {
  const folder = join(home, 'cluster')
  if (!existsSync(folder)) await createCluster(home, folder, binaries())
  const cluster = readCluster(home, folder, major)
  removeLeftovers(home, 'init-')
  return cluster
}

/** The application's own password. It opens the shop's database, but not the server as a superuser. */
export function applicationPassword(cluster: Cluster): string {
  return createHmac('sha256', cluster.password).update('altocert').digest('base64url')
}

/** The environment of the server and initdb: none of our secrets, and messages in English, because we search them for phrases. */
export const CLEAN_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

function readCluster(home: string, folder: string, major: string): Cluster {
  const { uid, gid } = lstatSync(folder)
  if (!isRoot && uid !== process.getuid?.())
    throw new Error(
      `The database in ${folder} belongs to another user (${uid}): start as that user or as root. ${USE_ANOTHER_SERVER}`,
    )
  if (uid === 0)
    throw new Error(
      `The database in ${folder} belongs to root, and PostgreSQL refuses to run as root: give the folder to user ${SERVER_USER.uid}. ${USE_ANOTHER_SERVER}`,
    )
  if (isRoot && !canEnter(home, { uid, gid }))
    throw new Error(
      `User ${uid}, the owner of the database in ${folder}, may no longer enter ${home}: allow that again, for ${home} and the folders above it. ${USE_ANOTHER_SERVER}`,
    )
  const version = readWithin(folder, 'PG_VERSION')?.trim()
  const info = ClusterInfo.safeParse(parseJson(readWithin(folder, INFO_FILE)))
  if (version === undefined || !info.success)
    throw new Error(
      `${folder} is not a database of Altocert: ${version === undefined ? 'PG_VERSION' : INFO_FILE} is missing or damaged. Restore the folder from a backup, or move it away to begin with an empty database.`,
    )
  if (version !== major)
    throw new Error(
      `The database in ${folder} was made by PostgreSQL ${version}, and this release brings ${major}: start the release that made it, dump it, and load it here. ${USE_ANOTHER_SERVER}`,
    )
  if (info.data.architecture !== process.arch)
    throw new Error(
      `The database in ${folder} was made on ${info.data.architecture}, and this machine is ${process.arch}: dump it there, and load it here. ${USE_ANOTHER_SERVER}`,
    )
  return { folder, owner: { uid, gid }, password: info.data.password }
}

/** Defaults for a small machine. They are written to postgresql.conf once, so an operator can change them there. */
const SETTINGS = {
  shared_buffers: '128MB',
  max_connections: '100',
  max_wal_size: '512MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
}

async function createCluster(home: string, folder: string, binaries: string) {
  const work = mkdtempSync(join(home, `init-${process.pid}-`))
  const newCluster = join(work, 'cluster')
  const password = randomBytes(24).toString('base64url')
  try {
    const initUser = isRoot ? findNobody() : undefined
    const passwordFile = join(work, 'password')
    // The verifier instead of the password: other processes of this user may read the file.
    writeFileSync(passwordFile, scramVerifier(password), { mode: 0o600 })
    if (initUser) {
      chownSync(passwordFile, initUser.uid, initUser.gid)
      chownSync(work, initUser.uid, initUser.gid)
    }
    await initialise(binaries, initUser, { into: newCluster, passwordFile })
    if (initUser) {
      chownSync(work, 0, 0)
      changeOwner(newCluster, initUser, SERVER_USER)
    }
    writeInfo(newCluster, password)
    renameSync(newCluster, folder)
    syncFolder(home)
  } catch (error) {
    // Another process created the folder first; use that one.
    if (existsSync(folder)) return
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The database could not be created in ${home}: ${why}\n${USE_ANOTHER_SERVER}`, { cause: error })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function writeInfo(folder: string, password: string) {
  const file = openSync(join(folder, INFO_FILE), 'wx', 0o600)
  writeFileSync(file, JSON.stringify({ architecture: process.arch, password } satisfies z.infer<typeof ClusterInfo>))
  if (isRoot) fchownSync(file, SERVER_USER.uid, SERVER_USER.gid)
  fsyncSync(file)
  closeSync(file)
  syncFolder(folder)
}

/** The form in which PostgreSQL stores a password (RFC 5803): enough to check the password, not enough to sign in. */
function scramVerifier(password: string) {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, 4096, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$4096:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`
}

/** initdb refuses a user id without a name, so `nobody` creates the files, and `changeOwner` then passes them on. */
function findNobody(): Owner {
  const nobody = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(-?\d+):(-?\d+):/m)
  if (!nobody) throw new Error('as root, it takes the user "nobody", and this system has none')
  return { uid: Number(nobody[1]), gid: Number(nobody[2]) }
}

/**
 * Works from the top down and on open files, so that another process of `nobody` can neither enter folders that have already
 * changed owner, nor use a link to have a file elsewhere change owner.
 */
function changeOwner(path: string, from: Owner, to: Owner) {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    const isPlain = stats.isDirectory() || (stats.isFile() && stats.nlink === 1)
    if (!isPlain || stats.uid !== from.uid >>> 0)
      throw new Error(`${path} was altered while the database was being created`)
    fchownSync(file, to.uid, to.gid)
    if (stats.isDirectory()) for (const name of readdirSync(path)) changeOwner(join(path, name), from, to)
  } finally {
    closeSync(file)
  }
}

async function initialise(
  binaries: string,
  as: Owner | undefined,
  { into, passwordFile }: { into: string; passwordFile: string },
) {
  const options = {
    pgdata: into,
    username: 'postgres',
    pwfile: passwordFile,
    auth: 'scram-sha-256',
    encoding: 'UTF8',
    locale: 'C',
    'locale-provider': 'builtin',
    'builtin-locale': 'C.UTF-8',
  }
  const child = spawn(
    join(binaries, 'bin', 'initdb'),
    [
      '--data-checksums',
      '--no-instructions',
      ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
      ...Object.entries(SETTINGS).map(([name, value]) => `--set=${name}=${value}`),
    ],
    { ...as, cwd: '/', env: CLEAN_ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`initdb ended with ${code ?? signal}\n${output.trim()}`))
    })
  })
}

/** The text of a file in the data folder, or undefined. Symbolic links are not followed: the owner could point root to another file. */
export function readWithin(folder: string, name: string): string | undefined {
  let file: number | undefined
  try {
    file = openSync(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'ENOTDIR')) return undefined
    throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

function syncFolder(path: string) {
  const folder = openSync(path, constants.O_RDONLY)
  fsyncSync(folder)
  closeSync(folder)
}
