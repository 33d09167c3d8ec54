import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/open.server.ts'
import { exportQuestions } from '../../features/exchange/exports/read.server.ts'
import { groupLosses } from '../../features/exchange/exports/rules.ts'
import { ExportFormat, ExportWanted } from '../../features/exchange/exports/schema.ts'
import { findCourseBySlug, findFamilyBySlug } from '../../features/exchange/imports/storing/read.server.ts'
import { Failure } from '../../lib/failure.ts'
import { withDatabase } from './database.server.ts'
import { type Output, readArgs, type Verb, WrongUsage } from './verb.server.ts'

export const exportVerb: Verb = {
  usage: 'export <course-or-exam-slug> --format <format> --out <file|folder> [--draft] [--json]',
  does: 'writes a course or an exam, published or as its drafts have it, and says what the format cannot carry',
  run: runExport,
}

async function runExport(args: string[], output: Output): Promise<number> {
  const { slug, format, version, out, isJson } = readAsked(args)
  return withDatabase(async ({ db }) => {
    const wanted = ExportWanted.parse({ format, version, ...(await subjectOf(db, slug)) })
    const { chunks, fileName, questionCount, losses } = await exportQuestions(db, wanted).catch(asUsage)
    const file = (await isFolder(out)) ? join(out, fileName) : out
    await writeFile(file, Buffer.concat([...chunks])).catch(asUsage)
    const groups = groupLosses(losses)
    if (isJson) output.print(JSON.stringify({ file, questionCount, losses }, null, 2))
    else
      output.print(
        [
          ...groups.map(({ sentence, count }) => (count === 0 ? sentence : `in ${count}: ${sentence}`)),
          `${questionCount} questions written to ${file}`,
        ].join('\n'),
      )
    return 0
  })
}

function readAsked(args: string[]) {
  const { values, positionals } = readArgs(args, {
    format: { type: 'string' },
    out: { type: 'string' },
    draft: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  const [slug, ...others] = positionals
  if (slug === undefined || others.length > 0) throw new WrongUsage('name one course or exam by its slug.')
  if (values.out === undefined) throw new WrongUsage('say where to: --out.')
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
