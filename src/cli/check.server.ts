import { stat } from 'node:fs/promises'
import { checkBank, countQuestions, cueFindings, questionsOf } from '../features/questions/checks/bank-checks.ts'
import type { BankCourse, BankExam, Finding } from '../features/questions/checks/bank-checks.schema.ts'
import { measureCues } from '../features/questions/checks/cues.ts'
import type { Blueprint } from '../features/questions/questions.schema.ts'
import { readContent } from '../app/server/content.server.ts'
import { counted } from '../lib/text.ts'
import { type CheckSummary, findingLines, reportLines, summaryData } from './check-report.ts'
import { readBankFile } from './check-file.server.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'

export const check: Command = {
  usage: 'check <folder|file> [--json]',
  description:
    'counts the questions in a folder of courses, or in a file of any format, measures cues, and lists problems with file and line',
  run: runCheck,
}

async function runCheck(args: string[], output: Output): Promise<number> {
  const { path, isJson } = readCheckArgs(args)
  const read = await readBankAt(path)
  const total = summarizeAll(read.courses)
  const courses = read.courses.map(summarize)
  const found = [
    ...read.findings,
    ...checkBank(read.courses, { wantsDifficulty: read.isCatalogue }),
    ...cueFindings(total.cues),
  ]
  const findings = inFileOrder(found)
  if (isJson) {
    output.print(JSON.stringify({ total: summaryData(total), courses: courses.map(dataOf), findings }, null, 2))
  } else {
    const parts = courses.flatMap(({ summary, exams }) => [summary, ...exams])
    output.print([...reportLines({ total, parts }), '', ...findingLines(findings)].join('\n'))
  }
  return findings.length > 0 ? 1 : 0
}

/** A folder is a catalogue, whose questions have a difficulty. A file is a bank of any format. */
async function readBankAt(path: string): Promise<{ courses: BankCourse[]; findings: Finding[]; isCatalogue: boolean }> {
  try {
    const isCatalogue = (await stat(path)).isDirectory()
    return { ...(isCatalogue ? await readContent(path) : await readBankFile(path)), isCatalogue }
  } catch (problem) {
    throw new WrongUsage(problem instanceof Error ? problem.message : String(problem))
  }
}

function readCheckArgs(args: string[]): { path: string; isJson: boolean } {
  const { values, positionals } = readArgs(args, { json: { type: 'boolean' } })
  const [path, ...others] = positionals
  if (path === undefined || others.length > 0) throw new WrongUsage('name one folder or file.')
  return { path, isJson: values.json === true }
}

interface CheckedCourse {
  readonly course: BankCourse
  readonly summary: CheckSummary
  readonly exams: readonly CheckSummary[]
}

function summarize(course: BankCourse): CheckedCourse {
  const { slug, exams, blueprint } = course
  return {
    course,
    summary: summaryOf(slug, exams, blueprint),
    exams: exams.map((exam) => summaryOf(`  ${exam.slug}`, [exam], blueprint)),
  }
}

function summaryOf(name: string, exams: readonly BankExam[], blueprint: Blueprint | null): CheckSummary {
  return { name, counts: countQuestions(exams), blueprint, cues: measureCues(questionsOf(exams)) }
}

function summarizeAll(courses: readonly BankCourse[]): CheckSummary {
  const exams = courses.flatMap((course) => course.exams)
  return summaryOf(`${counted(courses.length, 'course')}, ${counted(exams.length, 'exam')}`, exams, null)
}

function dataOf({ course: { slug, title, exams }, summary, exams: summaries }: CheckedCourse) {
  return {
    slug,
    title,
    ...summaryData(summary),
    examList: exams.flatMap(({ slug, title, file }, at) => {
      const summary = summaries[at]
      return summary === undefined ? [] : [{ slug, title, file, ...summaryData(summary) }]
    }),
  }
}

/** Sorts by file, then line; findings about a whole file come first. */
function inFileOrder(findings: Finding[]): Finding[] {
  return findings.toSorted((a, b) => {
    const [mine, other] = [a.file ?? '', b.file ?? '']
    return mine === other ? (a.line ?? 0) - (b.line ?? 0) : mine < other ? -1 : 1
  })
}
