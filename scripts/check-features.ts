// npm run features: checks that folders have a correct README and a limited size, that file names follow the rules, that functions fit
// a screen, and that no two migrations or promises have the same number.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { featuresUsedBy, listFeatures, productFiles } from './feature-imports.ts'
import { listFunctions } from './function-lengths.ts'

const README_LINES = 20
/** The column where the text of a label begins, so that a README reads as a table. */
const TEXT_COLUMN = 10
/** Maximum lines of code in a folder with a README, including its `ui` folder and without tests. */
const FOLDER_LINES = 2500
/** A function fits a screen. */
const FUNCTION_LINES = { most: 100, usual: 60 }
/** How many functions may be longer than usual. */
const LONG_FUNCTIONS = 12
/** Two migrations got this number side by side. Databases know both by name, so neither can be renamed. */
const SHARED_MIGRATION_NUMBER = '0062'
const labels = ['Owns', 'Promises', 'Exports', 'Uses', 'Screens', 'Not here']
/** Subfolders that need no README. */
const withoutReadme = ['ui', 'fixtures']
/** A file name states its subject, then where the file runs (docs/architecture.md). */
const fileName =
  /^(README\.md|[a-z][a-z0-9-]*\.txt|(use-)?[a-z][a-z0-9-]*(\.schema|\.copy|-client|-worker)?\.ts|[a-z][a-z0-9-]*-(queries|commands|endpoints|emails|gateway)\.server\.ts|[a-z][a-z0-9-]*\.tsx|[a-z][a-z0-9.-]*\.(test|fixture)\.tsx?)$/
/** The framework empties files with this suffix on the server; tests without a build would not notice. */
const emptiedByFramework = /\.client\.tsx?$/
/** The framework's own file for the browser. */
const entry = join('src', 'app', 'entry.client.tsx')

const features = listFeatures().map((feature) => join('src', 'features', feature))
const folders = features.flatMap(foldersOf)
const problems = [
  ...folders.flatMap((folder) => [...readmeProblems(folder), ...sizeProblems(folder), ...nameProblems(folder)]),
  ...['app', 'cli', 'emulators'].flatMap((name) => foldersOf(join('src', name))).flatMap(otherFolderProblems),
  ...lonelyFiles(),
  ...sharedNames(),
  ...longFunctions(),
  ...sharedMigrationNumbers(),
  ...sharedPromiseNumbers(),
]
for (const problem of problems) console.error(problem)
if (problems.length === 0)
  console.log(`${folders.length} folders in ${features.length} features, each as its README says.`)
process.exitCode = problems.length > 0 ? 1 : 0

/** A folder and all folders below it, except `ui` and `fixtures`. */
function foldersOf(folder: string): string[] {
  const below = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !withoutReadme.includes(entry.name))
    .flatMap(({ name }) => foldersOf(join(folder, name)))
  return [folder, ...below]
}

function readmeProblems(folder: string): string[] {
  const path = join(folder, 'README.md')
  if (!existsSync(path)) return [`${path}: is missing.`]
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('```'))
  const starts = labels.map((label) => lines.findIndex((line) => line.startsWith(label.padEnd(TEXT_COLUMN))))
  const usesLine = lines[starts[labels.indexOf('Uses')] ?? -1] ?? ''
  const stated = usesLine.slice('Uses'.length).trim()
  const used = featuresUsedBy(folder).join(', ') || 'nothing'
  const name = folder.split('/').slice(2).join('/')
  return [
    ...(lines[0] === `# ${name}` ? [] : [`${path}:1: does not begin with "# ${name}".`]),
    ...(lines.length <= README_LINES
      ? []
      : [`${path}: has ${lines.length} lines, at most ${README_LINES} fit a screen.`]),
    ...labels
      .filter((_, index) => starts[index] === -1)
      .map((label) => `${path}: no line begins with "${label.padEnd(TEXT_COLUMN)}" and a text.`),
    ...(starts.every((start, index) => index === 0 || start === -1 || start > (starts[index - 1] ?? -1))
      ? []
      : [`${path}: the order is ${labels.join(', ')}.`]),
    ...(usesLine === '' || stated === used ? [] : [`${path}: says it uses ${stated}; its files import ${used}.`]),
  ]
}

/** The app, the command line and the emulators also need a README and a limited size; the form of their README is free. */
function otherFolderProblems(folder: string): string[] {
  const path = join(folder, 'README.md')
  return [...(existsSync(path) ? [] : [`${path}: is missing.`]), ...sizeProblems(folder)]
}

function sizeProblems(folder: string): string[] {
  const own = productFiles(folder).filter((file) => ownerOf(file) === folder)
  const lines = own.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)
  return lines <= FOLDER_LINES ? [] : [`${folder}: has ${lines} lines, at most ${FOLDER_LINES}; make a sub-feature.`]
}

/** The nearest folder with a README of its own. */
function ownerOf(file: string): string {
  let folder = dirname(file)
  while (withoutReadme.includes(basename(folder))) folder = dirname(folder)
  return folder
}

function nameProblems(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'ui' ? nameProblems(path) : []
    return fileName.test(entry.name) ? [] : [`${path}: does not say where it runs (docs/architecture.md).`]
  })
}

/** Folders with a single file. */
function lonelyFiles(): string[] {
  const folders = new Set(productFiles('src').map((file) => dirname(file)))
  return [...folders].flatMap((folder) => {
    const inside = readdirSync(folder, { withFileTypes: true })
    const files = inside.filter((entry) => entry.isFile() && /\.(tsx?|css)$/.test(entry.name))
    const product = files.filter(({ name }) => !/\.(test|fixture)\.tsx?$/.test(name))
    const isAlone = product.length === 1 && !inside.some((entry) => entry.isDirectory())
    return isAlone && folder !== 'src' ? [`${folder}: contains one file; move it to the parent folder.`] : []
  })
}

/** Files that share a name, except those that the framework names in a second small app. Editor tabs, stack traces and searches show names without folders. */
function sharedNames(): string[] {
  const byName = new Map<string, string[]>()
  for (const folder of ['src', 'scripts', 'tests', 'bench'])
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (
        !file.isFile() ||
        !/\.(tsx?|mjs|json)$/.test(file.name) ||
        /fixtures|migrations|hello-page/.test(file.parentPath)
      )
        continue
      byName.set(file.name, [...(byName.get(file.name) ?? []), join(file.parentPath, file.name)])
    }
  return [...byName].flatMap(([name, files]) => [
    ...(files.length > 1 ? [`${name}: ${files.length} files have this name: ${files.join(', ')}.`] : []),
    ...(files.some((file) => emptiedByFramework.test(file) && file !== entry)
      ? [`${files.join(', ')}: the framework empties files named .client; name it -client.`]
      : []),
  ])
}

function longFunctions(): string[] {
  const long = productFiles('src')
    .flatMap(listFunctions)
    .filter(({ lines }) => lines > FUNCTION_LINES.usual)
    .toSorted((a, b) => b.lines - a.lines)
  const refused = long.length > LONG_FUNCTIONS ? long : long.filter(({ lines }) => lines > FUNCTION_LINES.most)
  return [
    ...refused.map(({ file, line, name, lines }) => `${file}:${line}: ${name} has ${lines} lines.`),
    ...(long.length > LONG_FUNCTIONS
      ? [
          `${long.length} functions have more than ${FUNCTION_LINES.usual} lines, at most ${LONG_FUNCTIONS} may; split one by its parts.`,
        ]
      : []),
  ]
}

/** Migrations run in the order of their names, so each needs a number of its own. */
function sharedMigrationNumbers(): string[] {
  const folder = join('src', 'db', 'migrations')
  const numbers = readdirSync(folder).flatMap((name) => /^(\d{4})_.*\.sql$/.exec(name)?.[1] ?? [])
  return numbers
    .filter((number, index) => numbers.indexOf(number) !== index && number !== SHARED_MIGRATION_NUMBER)
    .map((number) => `${folder}: two migrations have the number ${number}; give the one that is not released the next.`)
}

/** Comments and tests cite promises by their numbers. */
function sharedPromiseNumbers(): string[] {
  const path = join('docs', 'product.md')
  const numbers = [...readFileSync(path, 'utf8').matchAll(/^- (\d+\.\d+) /gm)].map(([, number]) => number)
  return numbers
    .filter((number, index) => numbers.indexOf(number) !== index)
    .map((number) => `${path}: two promises have the number ${number}.`)
}
