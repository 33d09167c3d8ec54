import { type BankCounts, checkBank, countQuestions } from '../features/questions/checks/bank-checks.ts'
import type { Finding } from '../features/questions/checks/bank-checks.schema.ts'
import { type ContentCourse, readContent } from '../app/server/content.server.ts'
import { counted } from '../lib/text.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'

export const check: Command = {
  usage: 'check <folder> [--json]',
  description: 'counts the questions in a folder of courses, and lists problems with file and line',
  run: runCheck,
}

async function runCheck(args: string[], output: Output): Promise<number> {
  const { folder, isJson } = readCheckArgs(args)
  const read = await readContent(folder).catch((problem: unknown) => {
    throw new WrongUsage(problem instanceof Error ? problem.message : String(problem))
  })
  const findings = inFileOrder([...read.findings, ...checkBank(read.courses, { wantsDifficulty: true })])
  if (isJson) output.print(JSON.stringify({ ...countsOf(read.courses), findings }, null, 2))
  else output.print([...reportLines(read.courses), '', ...findingLines(findings)].join('\n'))
  return findings.length > 0 ? 1 : 0
}

function readCheckArgs(args: string[]): { folder: string; isJson: boolean } {
  const { values, positionals } = readArgs(args, { json: { type: 'boolean' } })
  const [folder, ...others] = positionals
  if (folder === undefined || others.length > 0) throw new WrongUsage('name one folder.')
  return { folder, isJson: values.json === true }
}

function countsOf(courses: ContentCourse[]) {
  return {
    total: countQuestions(courses.flatMap(({ exams }) => exams)),
    courses: courses.map(({ slug, title, exams }) => ({
      slug,
      title,
      ...countQuestions(exams),
      examList: exams.map((exam) => ({
        slug: exam.slug,
        title: exam.title,
        file: exam.file,
        ...countQuestions([exam]),
      })),
    })),
  }
}

function reportLines(courses: ContentCourse[]): string[] {
  const widest = Math.max(
    30,
    ...courses
      .flatMap(({ slug, exams }) => [slug, ...exams.map((exam) => `  ${exam.slug}`)])
      .map((name) => name.length),
  )
  const row = (name: string, counts: BankCounts) => tableRow(name.padEnd(widest), numbersOf(counts))
  return [
    tableRow(''.padEnd(widest), ['questions', 'single', 'multiple', 'easy', 'medium', 'hard', 'none']),
    ...courses.flatMap((course) => [
      row(course.slug, countQuestions(course.exams)),
      ...course.exams.flatMap((exam) => [row(`  ${exam.slug}`, countQuestions([exam])), ...domainLines(course, exam)]),
    ]),
    row(
      `${counted(courses.length, 'course')}, ${counted(courses.flatMap(({ exams }) => exams).length, 'exam')}`,
      countQuestions(courses.flatMap(({ exams }) => exams)),
    ),
  ]
}

function domainLines(course: ContentCourse, exam: ContentCourse['exams'][number]): string[] {
  const { domains, questions } = countQuestions([exam])
  const weights = new Map(course.blueprint?.domains.map(({ name, weight }) => [name, weight]))
  const names = [...new Set([...weights.keys(), ...Object.keys(domains)])]
  return names.map((name) => {
    const count = domains[name] ?? 0
    const weight = weights.get(name)
    const share = `${((100 * count) / (questions || 1)).toFixed(1)}%`
    return `${String(count).padStart(8)}  ${share.padStart(6)}${weight === undefined ? '' : ` of ${weight}%`}  ${name}`
  })
}

function numbersOf({ questions, kinds, difficulties }: BankCounts): string[] {
  const { easy = 0, medium = 0, hard = 0, none = 0 } = difficulties
  return [questions, kinds.single, kinds.multiple, easy, medium, hard, none].map(String)
}

function tableRow(name: string, cells: string[]): string {
  return [name, ...cells.map((cell) => cell.padStart(9))].join(' ').trimEnd()
}

function findingLines(findings: Finding[]): string[] {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return [
    ...findings.map(({ file, line, severity, code, questionId, sentence }) => {
      const where = `${file ?? ''}${line === undefined ? '' : `:${line}`}`
      return `${where}: ${severity} ${code}${questionId === '' ? '' : ` ${questionId}`}: ${sentence}`
    }),
    findings.length === 0
      ? 'No findings.'
      : `${counted(errors, 'error')}, ${counted(findings.length - errors, 'warning')}.`,
  ]
}

/** Sorts by file, then line; findings about a whole file come first. */
function inFileOrder(findings: Finding[]): Finding[] {
  return findings.toSorted((a, b) => {
    const [mine, other] = [a.file ?? '', b.file ?? '']
    return mine === other ? (a.line ?? 0) - (b.line ?? 0) : mine < other ? -1 : 1
  })
}
