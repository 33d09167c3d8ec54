import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const features = join('src', 'features')
const featureOrder = JSON.parse(readFileSync(join(import.meta.dirname, 'feature-order.json'), 'utf8')) as string[]

/** The features in src/features, in the order of feature-order.json; unlisted ones come last. */
export function listFeatures(): string[] {
  const place = (feature: string) =>
    featureOrder.includes(feature) ? featureOrder.indexOf(feature) : featureOrder.length
  return readdirSync(features, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(features, entry.name)).length > 0)
    .map(({ name }) => name)
    .toSorted((a, b) => place(a) - place(b))
}

/** The features that a folder imports, in the order of `listFeatures`. Counts type imports, but not tests and fixtures. */
export function featuresUsedBy(folder: string): string[] {
  const own = folder.split('/')[2]
  const used = new Set(
    productFiles(folder)
      .flatMap(importedFiles)
      .filter((path) => path.startsWith(features))
      .map((path) => path.split(/[\\/]/)[2]),
  )
  return listFeatures().filter((feature) => feature !== own && used.has(feature))
}

/** The source files below a folder, without tests and fixtures. */
export function productFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|fixture)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The relative imports of a file, static and dynamic, as paths from the project's root. */
function importedFiles(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.[^']*)'/g)
  return [...specifiers].map(([, specifier = '']) => normalize(join(dirname(file), specifier)))
}
