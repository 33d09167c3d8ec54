import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, expect, test } from 'vitest'
import { projectRoot } from '../../../platform/project-root.server.ts'

/*
 * What another type costs. In a copy of the sources this test adds one, 'estimate': a folder like that of the numbers, with signs of its
 * own in the files of other people's formats, and with a reason, a remark and a part that no other type has, and nothing else.
 * `npm run map` writes it into the lists of types.
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
  ["loneGap(writtenText(root))?.kind === 'number'", "loneGap(writtenText(root))?.kind === 'other'"],
  ['(?:float|integer)', '(?:duration)'],
  ["baseType: 'float'", "baseType: 'duration'"],
]

/** What only the new type finds, with its sentences. Those of the numbers stay as they are. */
const findings: readonly (readonly [numbers: string, estimates: string])[] = [
  ["'number-wrong'", "'guess-unreadable'"],
  ['is not a number.', 'cannot be read as a guess.'],
  ["'tolerance-negative'", "'guess-below-zero'"],
  ["'tolerance-wide'", "'guess-takes-zero'"],
  ["'Tolerance as great as the number'", "'A guess of zero'"],
  ['so that zero is right too', 'so that guessing zero is right too'],
  ["['unit'] as const", "['scale'] as const"],
  ["{ unit: 'unit' }", "{ scale: 'scale of the guess' }"],
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
    const own = [...signs, ...findings].reduce(
      (text, [numbers, estimates]) => text.replaceAll(numbers, estimates),
      code,
    )
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

/** Run in the copy: what is said of estimates that are wrong, odd and changed. */
const judging = `
  import { judgeQuestion } from './src/features/questions/questions.ts'
  import { Reason } from './src/features/questions/questions.schema.ts'
  import { checkBank } from './src/features/questions/checks/bank-checks.ts'
  import { checkKinds } from './src/features/questions/checks/bank-checks.copy.ts'
  import { Finding } from './src/features/questions/checks/bank-checks.schema.ts'
  import { changedParts } from './src/features/authoring/drafts/drafts.ts'
  import { changedPartNames } from './src/features/authoring/drafts/drafts.copy.ts'
  import { exampleEstimate } from './src/features/questions/types/estimate/any-estimate.fixture.ts'
  const judged = (body) => judgeQuestion({ ...exampleEstimate, url: 'https://example.com', difficulty: 'easy', body })
  const wrong = judged({ value: 'many' })
  const odd = judged({ value: '5', tolerance: '5', unit: 'GiB' }).question
  const exams = [{ slug: 'exam', title: 'Exam', questions: [{ question: odd }] }]
  const found = checkBank([{ slug: 'course', title: 'Course', blueprint: null, exams }])
  const parts = changedParts(odd, { ...odd, unit: 'MiB' })
  console.log(JSON.stringify({
    reasons: wrong.reasons.map((one) => Reason.parse(one)).map(({ code, sentence }) => [wrong.verdict, code, sentence]),
    remarks: found.map((one) => Finding.parse(one)).map(({ code, severity, sentence }) => [severity, checkKinds[code].name, sentence]),
    parts: parts.map((part) => changedPartNames[part]),
  }))`

test('a reason, a remark and a part that only the new type has come with its folder', () => {
  expect(JSON.parse(node('--import', 'tsx', '--input-type=module', '--eval', judging))).toEqual({
    reasons: [['refused', 'guess-unreadable', '"many" cannot be read as a guess.']],
    remarks: [
      [
        'warning',
        'A guess of zero',
        'The tolerance is as great as the number, so that guessing zero is right too: 5 ± 5 GiB',
      ],
    ],
    parts: ['scale of the guess'],
  })
})

test('a folder that lacks something is told what', () => {
  rmSync(join(types, 'estimate', 'estimate-print.tsx'))
  expect(() => node('--import', 'tsx', 'scripts/map.ts')).toThrow('estimate: estimatePrint')
})
