import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const features = join('src', 'features')
const featureOrder = JSON.parse(readFileSync(join(import.meta.dirname, 'feature-order.json'), 'utf8')) as string[]

/** The features in src/features, in their order; one without a place in the order comes last. */
export function listFeatures(): string[] {
  const place = (feature: string) =>
    featureOrder.includes(feature) ? featureOrder.indexOf(feature) : featureOrder.length
  return readdirSync(features, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(features, entry.name)).length > 0)
    .map(({ name }) => name)
    .toSorted((a, b) => place(a) - place(b))
}

/** The features that the files of a folder import, types included, tests and fixtures excluded; in their order. */
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

/** The files of a folder that belong to the product: no tests, no fixtures. */
export function productFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|fixture)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The relative paths that follow `from`, `import` or `import(`, as paths from the project's root. */
function importedFiles(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.[^']*)'/g)
  return [...specifiers].map(([, specifier = '']) => normalize(join(dirname(file), specifier)))
}
