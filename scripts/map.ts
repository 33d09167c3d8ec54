// npm run map: writes the graph of features into docs/architecture.md and the lists of question types; with --check, fails when they
// are stale.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { featuresUsedBy, listFeatures } from './feature-imports.ts'
import { registeredTypes } from './registered-types.ts'

const path = 'docs/architecture.md'
const [begin, end] = ['<!-- features: written by `npm run map` -->', '<!-- /features -->']

const page = readFileSync(path, 'utf8')
const from = page.indexOf(begin)
const to = page.indexOf(end)
if (from === -1 || to < from) throw new Error(`${path} has no place for the features: ${begin} … ${end}`)
const expected = new Map([
  [path, `${page.slice(0, from)}${begin}\n${drawFeatures()}\n${page.slice(to)}`],
  ...(await registeredTypes()),
])

for (const [file, text] of expected) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  if (process.argv.includes('--check')) {
    console.error(`${file} is stale: run \`npm run map\`.`)
    process.exitCode = 1
  } else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

function drawFeatures(): string {
  const features = listFeatures()
  const unseen = features.filter((feature) => !featuresUsedBy(join('src', 'app')).includes(feature))
  const arrows = features.flatMap((feature) =>
    featuresUsedBy(join('src', 'features', feature)).map((used) => `  ${feature} --> ${used}`),
  )
  return [
    '```mermaid',
    'graph LR',
    ...features.map((feature) => `  ${feature}`),
    ...arrows,
    '```',
    '',
    unseen.length === 0
      ? 'The app (`src/app`) uses every feature.'
      : `The app (\`src/app\`) uses every feature but ${unseen.join(', ')}.`,
  ].join('\n')
}
