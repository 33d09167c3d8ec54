import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const features = join('src', 'features')
const roomOrder = JSON.parse(readFileSync(join(import.meta.dirname, 'room-order.json'), 'utf8')) as string[]

/** The rooms that stand in src/features, in their order; a room without a place in it comes last. */
export function listRooms(): string[] {
  const place = (room: string) => (roomOrder.includes(room) ? roomOrder.indexOf(room) : roomOrder.length)
  return readdirSync(features, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(features, entry.name)).length > 0)
    .map(({ name }) => name)
    .toSorted((a, b) => place(a) - place(b))
}

/** The rooms that a room's files import, types included, its tests and fixtures not; in the rooms' order. */
export function roomsUsedBy(room: string): string[] {
  const used = new Set(
    productFiles(join(features, room))
      .flatMap(importedFiles)
      .filter((path) => path.startsWith(features))
      .map((path) => path.split(/[\\/]/)[2]),
  )
  return listRooms().filter((other) => other !== room && used.has(other))
}

/** The rooms that the shell's files import. */
export function roomsUsedByShell(): string[] {
  const imported = productFiles(join('src', 'app')).flatMap(importedFiles)
  return listRooms().filter((room) => imported.some((path) => path.startsWith(join(features, room))))
}

function productFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|fixture)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** What follows `from`, `import` or `import(`, as paths from the project's root. */
function importedFiles(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.[^']*)'/g)
  return [...specifiers].map(([, specifier = '']) => normalize(join(dirname(file), specifier)))
}
