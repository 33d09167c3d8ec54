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

/** An initialised PostgreSQL data folder, whom its server runs as, and the secret that opens it. */
export type Cluster = { readonly folder: string; readonly owner: Owner; readonly password: string }

/** Goes with the data folder, so that a moved or restored one keeps its password. */
const Passport = z.object({ architecture: z.string(), password: z.string().min(20) })
const PASSPORT = 'altocert.json'

/**
 * The data folder in `home`, made at the first start. It appears whole or not at all: a crash while it is made, or two
 * processes that make it at once, leave at most a temporary folder that the next start removes.
 */
export async function readyCluster(home: string, major: string, binaries: () => string): Promise<Cluster> {
  const folder = join(home, 'cluster')
  if (!existsSync(folder)) await makeCluster(home, folder, binaries())
  const cluster = readCluster(home, folder, major)
  removeLeftovers(home, 'init-')
  return cluster
}

/** The application's own password: whoever learns it has the shop's database, but not the server's superuser. */
export function applicationPassword(cluster: Cluster): string {
  return createHmac('sha256', cluster.password).update('altocert').digest('base64url')
}

/** What the server and initdb get to see: none of our secrets, and messages in the language that we look for words in. */
export const CLEAN_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

function readCluster(home: string, folder: string, major: string): Cluster {
  const { uid, gid } = lstatSync(folder)
  if (!isRoot && uid !== process.getuid?.())
    throw new Error(
      `The database in ${folder} belongs to another user (${uid}): start as that user or as root. ${USE_ANOTHER_SERVER}`,
    )
  if (uid === 0)
    throw new Error(
      `The database in ${folder} belongs to root, as whom PostgreSQL refuses to run: give the folder to user ${SERVER_USER.uid}. ${USE_ANOTHER_SERVER}`,
    )
  if (isRoot && !canEnter(home, { uid, gid }))
    throw new Error(
      `User ${uid}, whom the database in ${folder} belongs to, may no longer enter ${home}: allow that again, for ${home} and the folders above it. ${USE_ANOTHER_SERVER}`,
    )
  const version = readWithin(folder, 'PG_VERSION')?.trim()
  const passport = Passport.safeParse(parseJson(readWithin(folder, PASSPORT)))
  if (version === undefined || !passport.success)
    throw new Error(
      `${folder} is not a database of Altocert: ${version === undefined ? 'PG_VERSION' : PASSPORT} is missing or damaged. Restore the folder from a backup, or move it away to begin with an empty database.`,
    )
  if (version !== major)
    throw new Error(
      `The database in ${folder} was made by PostgreSQL ${version}, and this release brings ${major}: start the release that made it, dump it, and load it here. ${USE_ANOTHER_SERVER}`,
    )
  if (passport.data.architecture !== process.arch)
    throw new Error(
      `The database in ${folder} was made on ${passport.data.architecture}, and this machine is ${process.arch}: dump it there, and load it here. ${USE_ANOTHER_SERVER}`,
    )
  return { folder, owner: { uid, gid }, password: passport.data.password }
}

/** What a small machine can bear. They are written to postgresql.conf once, so an operator can change them there. */
const SETTINGS = {
  shared_buffers: '128MB',
  max_connections: '100',
  max_wal_size: '512MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
}

async function makeCluster(home: string, folder: string, binaries: string) {
  const work = mkdtempSync(join(home, `init-${process.pid}-`))
  const made = join(work, 'cluster')
  const password = randomBytes(24).toString('base64url')
  try {
    const maker = isRoot ? someNamedUser() : undefined
    const passwordFile = join(work, 'password')
    // The verifier and not the password: other processes of the named user may read along.
    writeFileSync(passwordFile, scramVerifier(password), { mode: 0o600 })
    if (maker) {
      chownSync(passwordFile, maker.uid, maker.gid)
      chownSync(work, maker.uid, maker.gid)
    }
    await initialise(binaries, maker, { into: made, passwordFile })
    if (maker) {
      chownSync(work, 0, 0)
      changeOwner(made, maker, SERVER_USER)
    }
    writePassport(made, password)
    renameSync(made, folder)
    syncFolder(home)
  } catch (error) {
    // Another process was first; its data folder is as good.
    if (existsSync(folder)) return
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The database could not be made in ${home}: ${why}\n${USE_ANOTHER_SERVER}`, { cause: error })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function writePassport(made: string, password: string) {
  const file = openSync(join(made, PASSPORT), 'wx', 0o600)
  writeFileSync(file, JSON.stringify({ architecture: process.arch, password } satisfies z.infer<typeof Passport>))
  if (isRoot) fchownSync(file, SERVER_USER.uid, SERVER_USER.gid)
  fsyncSync(file)
  closeSync(file)
  syncFolder(made)
}

/** What PostgreSQL keeps of a password (RFC 5803): enough to check it, not enough to sign in with. */
function scramVerifier(password: string) {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, 4096, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$4096:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`
}

/** initdb refuses a user number without a name, so a named user makes the files, and they are handed over afterwards. */
function someNamedUser(): Owner {
  const nobody = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(-?\d+):(-?\d+):/m)
  if (!nobody) throw new Error('as root, the user "nobody" is needed once for it, and this system has none')
  return { uid: Number(nobody[1]), gid: Number(nobody[2]) }
}

/**
 * From the top down, and through open files: another process of the same named user can neither reach below what is
 * handed over already, nor have a file that lies elsewhere handed over through a link.
 */
function changeOwner(path: string, from: Owner, to: Owner) {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = fstatSync(file)
    const isPlain = found.isDirectory() || (found.isFile() && found.nlink === 1)
    if (!isPlain || found.uid !== from.uid >>> 0)
      throw new Error(`${path} was altered while the database was being made`)
    fchownSync(file, to.uid, to.gid)
    if (found.isDirectory()) for (const name of readdirSync(path)) changeOwner(join(path, name), from, to)
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
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`initdb ended with ${code ?? signal}\n${said.trim()}`))
    })
  })
}

/** The text of a file in the data folder; root does not follow a link that the folder's owner may have laid there. */
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
