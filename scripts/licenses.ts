// npm run licenses: reports the licences of every production dependency; fails on one that is not allowed.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Licences under which a package may be part of the product, and why the less usual ones are. */
const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  // The text of PostgreSQL itself, much like MIT.
  'PostgreSQL',
  // libvips, a shared library of its own beside sharp, which anybody may replace.
  'LGPL-3.0-or-later',
  // lightningcss, which the build runs and which is not part of its output.
  'MPL-2.0',
])

type Entry = { readonly version?: string; readonly dev?: boolean; readonly license?: string }
type Manifest = { readonly license?: string | { type?: string }; readonly licenses?: readonly { type?: string }[] }

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> }
const found = Object.entries(lock.packages)
  .filter(([path, { dev }]) => path !== '' && dev !== true)
  .map(([path, entry]) => ({
    name: `${path.replace(/^.*node_modules\//, '')} ${entry.version ?? ''}`,
    license: licenseOf(path, entry),
  }))

/** As the installed package says, or the lock file for packages of other platforms, which are not installed. */
function licenseOf(path: string, { license }: Entry): string {
  const file = findUp(join(path, 'package.json'))
  if (file === null) return license ?? 'none'
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  if (typeof manifest.license === 'string') return manifest.license
  return manifest.license?.type ?? manifest.licenses?.map(({ type }) => type).join(' OR ') ?? license ?? 'none'
}

function findUp(path: string): string | null {
  for (let folder = resolve('.'); ; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return join(folder, path)
    if (folder === dirname(folder)) return null
  }
}

/** Reads an SPDX expression: each part of an AND must be allowed, one of an OR is enough. */
function isAllowed(expression: string): boolean {
  const parts = expression.replaceAll(/[()]/g, ' ').trim()
  if (parts.includes(' AND ')) return parts.split(' AND ').every(isAllowed)
  return parts.split(' OR ').some((license) => ALLOWED.has(license.trim()))
}

const counts = new Map<string, number>()
for (const { license } of found) counts.set(license, (counts.get(license) ?? 0) + 1)
for (const [license, count] of [...counts].toSorted((a, b) => b[1] - a[1]))
  console.log(`${String(count).padStart(5)}  ${license}`)
const refused = found.filter(({ license }) => !isAllowed(license))
for (const { name, license } of refused)
  console.error(`${name}: the licence "${license}" is not on the list in scripts/licenses.ts.`)
if (refused.length > 0) process.exitCode = 1
