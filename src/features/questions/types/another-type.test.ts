import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, expect, test } from 'vitest'
import { projectRoot } from '../../../platform/project-root.server.ts'

/*
 * What another type costs. In a copy of the sources this test adds one, 'estimate': a folder like that of the numbers, with a mark of
 * its own in our Markdown, and an entry beside that of the numbers wherever the registries list types. Nothing else is changed.
 */
const copy = mkdtempSync(join(tmpdir(), 'another-type-'))
const types = join(copy, 'src/features/questions/types')
afterAll(() => rmSync(copy, { recursive: true }))

const renamed = (text: string) =>
  text.replaceAll('numerical', 'estimate').replaceAll('Numerical', 'Estimate').replaceAll('NUMERICAL', 'ESTIMATE')

function copySources(): void {
  cpSync(join(projectRoot, 'src'), join(copy, 'src'), { recursive: true })
  for (const name of ['package.json', 'tsconfig.json']) cpSync(join(projectRoot, name), join(copy, name))
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'))
}

function addFolder(): void {
  mkdirSync(join(types, 'estimate'))
  for (const name of readdirSync(join(types, 'numerical'))) {
    if (/\.test\.|\.md$/.test(name)) continue
    const code = renamed(readFileSync(join(types, 'numerical', name), 'utf8'))
    // The mark of a part in our Markdown.
    writeFileSync(join(types, 'estimate', renamed(name)), code.replace(/(?<=[[*'])=(?=[[\]\\'])/g, '%'))
  }
}

/** Adds the entries to the registries. Returns the names of their files. */
function addEntries(): string[] {
  return readdirSync(types).filter((name) => {
    if (!/\.tsx?$/.test(name) || /\.test\./.test(name)) return false
    const path = join(types, name)
    const code = readFileSync(path, 'utf8')
    const more = withEntries(code)
    if (more !== code) writeFileSync(path, more)
    return more !== code
  })
}

/** The code with a renamed copy of each import, element, property and member of a union that names the numbers. */
function withEntries(code: string): string {
  const file = ts.createSourceFile('registry.tsx', code, ts.ScriptTarget.Latest, true)
  const entries: { readonly at: number; readonly text: string }[] = []
  const visit = (node: ts.Node): void => {
    const text = node.getText()
    if (!/numerical/i.test(text)) return
    const isProperty = ts.isPropertyAssignment(node) && node.name.getText() === 'numerical'
    if (ts.isImportDeclaration(node)) entries.push({ at: node.end, text: `\n${renamed(text)}` })
    else if (isProperty || ts.isArrayLiteralExpression(node.parent))
      entries.push({ at: node.end, text: `, ${renamed(text)}` })
    else if (ts.isUnionTypeNode(node.parent)) entries.push({ at: node.end, text: ` | ${renamed(text)}` })
    else ts.forEachChild(node, visit)
  }
  ts.forEachChild(file, visit)
  return entries.toReversed().reduce((all, { at, text }) => all.slice(0, at) + text + all.slice(at), code)
}

/** What the type checker says of the new folder and of everything beside it. */
function problems(): string[] {
  const { config } = ts.readConfigFile(join(copy, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object }
  }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, copy)
  const names = ['.', 'estimate'].flatMap((folder) =>
    readdirSync(join(types, folder)).flatMap((name) =>
      /(?<!\.test)\.tsx?$/.test(name) ? [join(types, folder, name)] : [],
    ),
  )
  const program = ts.createProgram(names, options)
  return names
    .flatMap((name) => program.getSemanticDiagnostics(program.getSourceFile(name)))
    .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}

test('another type costs its folder and an entry in each registry: with these it compiles and has every capability', () => {
  copySources()
  addFolder()
  expect(addEntries()).toEqual([
    'check-registry.ts',
    'content-registry.ts',
    'edit-registry.ts',
    'editor-registry.tsx',
    'examples.fixture.ts',
    'field-registry.ts',
    'form-registry.tsx',
    'format-registry.ts',
    'grading-registry.ts',
    'print-registry.tsx',
    'question-edit.schema.ts',
    'question-types.schema.ts',
    'review-registry.tsx',
    'statistics-registry.ts',
    'type-editing.ts',
    'type-formats.ts',
  ])
  expect(problems()).toEqual([])
  const table = join('src/features/questions/types/type-capabilities.test.tsx')
  const command = [
    join(projectRoot, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--root',
    copy,
    '--reporter',
    'json',
    table,
  ]
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(
    execFileSync(process.execPath, command, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], NODE_ENV: 'test' },
    }),
  ) as { numPassedTests: number; numFailedTests: number; testResults: { assertionResults: { title: string }[] }[] }
  const titles = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title }) => title))
  const capabilitiesOf = (type: string) => titles.filter((title) => title.startsWith(`the type ${type} `)).length
  expect([numFailedTests, capabilitiesOf('estimate')]).toEqual([0, capabilitiesOf('numerical')])
  expect(capabilitiesOf('estimate')).toBeGreaterThan(10)
  expect(numPassedTests).toBe(titles.length)
})
