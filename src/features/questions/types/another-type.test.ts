import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, expect, test } from 'vitest'
import { projectRoot } from '../../../platform/project-root.server.ts'

/*
 * What another type costs. In a copy of the sources this test adds one, 'estimate': a folder like that of the numbers, with signs of its
 * own in the files of other people's formats, and nothing else. `npm run map` writes it into the lists of types.
 */
const copy = mkdtempSync(join(tmpdir(), 'another-type-'))
const types = join(copy, 'src/features/questions/types')
afterAll(() => rmSync(copy, { recursive: true }))

const renamed = (text: string) =>
  text.replaceAll('numerical', 'estimate').replaceAll('Numerical', 'Estimate').replaceAll('NUMERICAL', 'ESTIMATE')

/** The signs by which formats know the type. Those of the numbers belong to these. */
const signs: readonly (readonly [numbers: string, estimates: string])[] = [
  ["mark: '='", "mark: '%'"],
  ["'- [=]'", "'- [%]'"],
  ['\\[=\\]', '\\[%\\]'],
  ['*=[', '*%['],
  ["content.startsWith('#')", "content.startsWith('##')"],
  ['content.slice(1)', 'content.slice(2)'],
  ['  #=', '  ##='],
  ['isLoneGap(writtenText(root)', '!isLoneGap(writtenText(root)'],
  ['(?:float|integer)', '(?:duration)'],
  ['base-type="float"', 'base-type="duration"'],
]

function copySources(): void {
  for (const name of ['src', 'scripts', 'package.json', 'tsconfig.json', '.prettierrc.json', 'docs/architecture.md'])
    cpSync(join(projectRoot, name), join(copy, name), { recursive: true })
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'))
}

function addFolder(): void {
  mkdirSync(join(types, 'estimate'))
  for (const name of readdirSync(join(types, 'numerical'))) {
    if (/\.test\.|\.md$/.test(name)) continue
    const code = renamed(readFileSync(join(types, 'numerical', name), 'utf8'))
    const own = signs.reduce((text, [numbers, estimates]) => text.replaceAll(numbers, estimates), code)
    writeFileSync(join(types, 'estimate', renamed(name)), own)
  }
}

const node = (...words: string[]) =>
  execFileSync(process.execPath, words, {
    cwd: copy,
    stdio: 'pipe',
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NODE_ENV: 'test' },
  })

/** The files that are not as they were, without the new folder. */
function changedFiles(): string[] {
  const paths = readdirSync(join(copy, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  )
  return paths.filter((path) => {
    const before = join(projectRoot, 'src', path)
    return (
      !path.includes('/types/estimate/') &&
      readFileSync(join(copy, 'src', path), 'utf8') !== readFileSync(before, 'utf8')
    )
  })
}

/** What the type checker says of the new folder and of everything beside it. */
function problems(): string[] {
  const { config } = ts.readConfigFile(join(copy, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object }
  }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, copy)
  const names = ['.', 'registered', 'estimate'].flatMap((folder) =>
    readdirSync(join(types, folder)).flatMap((name) =>
      /(?<!\.test)\.tsx?$/.test(name) ? [join(types, folder, name)] : [],
    ),
  )
  const program = ts.createProgram(names, options)
  return names
    .flatMap((name) => program.getSemanticDiagnostics(program.getSourceFile(name)))
    .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}

test('another type costs its folder alone: with it the project compiles, and the type has every capability', () => {
  copySources()
  addFolder()
  node('--import', 'tsx', 'scripts/map.ts')
  const lists = join('features', 'questions', 'types', 'registered')
  expect(changedFiles().filter((path) => !path.startsWith(lists))).toEqual([])
  expect(problems()).toEqual([])

  const table = join('src', 'features', 'questions', 'types', 'type-capabilities.test.tsx')
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(
    node(join(projectRoot, 'node_modules/vitest/vitest.mjs'), 'run', '--root', copy, '--reporter', 'json', table),
  ) as { numPassedTests: number; numFailedTests: number; testResults: { assertionResults: { title: string }[] }[] }
  const titles = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title }) => title))
  const capabilitiesOf = (type: string) => titles.filter((title) => title.startsWith(`the type ${type} `)).length
  expect([numFailedTests, capabilitiesOf('estimate')]).toEqual([0, capabilitiesOf('numerical')])
  expect(capabilitiesOf('estimate')).toBeGreaterThan(10)
  expect(numPassedTests).toBe(titles.length)
})

test('a folder that lacks something is told what', () => {
  rmSync(join(types, 'estimate', 'estimate-print.tsx'))
  expect(() => node('--import', 'tsx', 'scripts/map.ts')).toThrow('estimate: estimatePrint')
})
