import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../db/open.server.ts'
import { exportQuestions } from '../features/exchange/exports/exports-queries.server.ts'
import { groupLosses } from '../features/exchange/exports/exports.ts'
import { ExportFormat, ExportSelection } from '../features/exchange/exports/exports.schema.ts'
import { findCourseBySlug, findFamilyBySlug } from '../features/exchange/storing/store-import-queries.server.ts'
import { Failure } from '../lib/failure.ts'
import { systemClock } from '../platform/clock.server.ts'
import { withDatabase } from './cli-database.server.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'
import { counted } from '../lib/text.ts'

export const exportCommand: Command = {
  usage: 'export <course-or-exam-slug> --format <format> --out <file|folder> [--draft] [--json]',
  description: 'exports a course or an exam, published or as a draft, and lists what the format cannot express',
  run: runExport,
}

async function runExport(args: string[], output: Output): Promise<number> {
  const { slug, format, version, out, isJson } = readArguments(args)
  return withDatabase(async ({ db }) => {
    const selection = ExportSelection.parse({ format, version, ...(await subjectOf(db, slug)) })
    const { chunks, fileName, questionCount, losses } = await exportQuestions(db, selection, systemClock.now()).catch(
      asUsage,
    )
    const file = (await isFolder(out)) ? join(out, fileName) : out
    await writeFile(file, Buffer.concat([...chunks])).catch(asUsage)
    const groups = groupLosses(losses)
    if (isJson) output.print(JSON.stringify({ file, questionCount, losses }, null, 2))
    else
      output.print(
        [
          ...groups.map(({ sentence, count }) => (count === 0 ? sentence : `in ${count}: ${sentence}`)),
          `${counted(questionCount, 'question')} written to ${file}`,
        ].join('\n'),
      )
    return 0
  })
}

function readArguments(args: string[]) {
  const { values, positionals } = readArgs(args, {
    format: { type: 'string' },
    out: { type: 'string' },
    draft: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  const [slug, ...others] = positionals
  if (slug === undefined || others.length > 0) throw new WrongUsage('name one course or exam by its slug.')
  if (values.out === undefined) throw new WrongUsage('name the target file or folder: --out.')
  const format = ExportFormat.safeParse(values.format)
  if (!format.success) throw new WrongUsage(`the formats are ${ExportFormat.options.join(', ')}.`)
  const version = values.draft === true ? 'draft' : 'published'
  return { slug, format: format.data, version, out: values.out, isJson: values.json === true }
}

async function subjectOf(db: Db, slug: string): Promise<{ course: string } | { exam: string }> {
  const course = await findCourseBySlug(db, slug)
  if (course !== null) return { course }
  const exam = await findFamilyBySlug(db, slug)
  if (exam !== null) return { exam }
  throw new WrongUsage(`there is no course and no exam "${slug}".`)
}

function asUsage(problem: unknown): never {
  if (problem instanceof Failure || (problem instanceof Error && 'code' in problem))
    throw new WrongUsage(problem.message)
  throw problem
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
}
