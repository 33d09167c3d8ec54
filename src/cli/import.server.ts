import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { zipSync, type Zippable } from 'fflate'
import type { Db } from '../db/open.server.ts'
import { getImport, listImported, listLost } from '../features/exchange/imports/imports-queries.server.ts'
import { readImport } from '../features/exchange/dry-run/dry-run-commands.server.ts'
import { MAX_IMPORT_BYTES } from '../features/exchange/imports/imports.ts'
import {
  Format,
  IMPORT_VERDICTS,
  type ImportedQuestion,
  type ImportView,
  type Stored,
  Target,
} from '../features/exchange/imports/imports.schema.ts'
import { findCourseBySlug, findFamilyBySlug } from '../features/exchange/storing/store-import-queries.server.ts'
import { storeImport } from '../features/exchange/storing/store-import-commands.server.ts'
import { deleteImport, storeUpload, readAgain } from '../features/exchange/imports/imports-commands.server.ts'
import { Failure } from '../lib/failure.ts'
import { systemClock } from '../platform/clock.server.ts'
import { withDatabase } from './cli-database.server.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'

export const importVerb: Command = {
  usage:
    'import <files|folder|zip> --into <exam-slug> | --course <slug> --exam <title> | --new-course <title> --exam <title> | --own-courses [--format <format>] [--with-review] [--dry-run] [--json]',
  does: 'reads questions, says of each what it is worth, and puts the good ones into an exam; a dry run stores nothing',
  run: runImport,
}

async function runImport(args: string[], output: Output): Promise<number> {
  const asked = readAsked(args)
  const source = await readSource(asked.paths)
  return withDatabase(async ({ db }) => {
    const target = asked.isDryRun ? null : await targetOf(db, asked)
    const by = { actorId: null, now: systemClock.now() }
    const importId = await storeUpload(db, { ...by, ...source, format: asked.format })
    const view = await readToItsEnd(db, importId, output)
    const notGood = await listNotGood(db, importId)
    const lost = await listLost(db, importId)
    let stored: Stored | null = null
    if (target !== null && view.state === 'read')
      stored = await storeImport(db, { ...by, importId, target, withReview: asked.withReview }).catch(nothingToStore)
    if (asked.isDryRun) await deleteImport(db, { ...by, importId })
    const { name, state, format, problem, readCount, counts, findings } = view
    const report = { name, state, format, problem, readCount, counts, findings, lost, questions: notGood, stored }
    output.print(asked.isJson ? JSON.stringify(report, null, 2) : linesOf(report).join('\n'))
    return state === 'read' && counts.refused.open === 0 ? 0 : 1
  })
}

/** What is in the bank already is no mistake. */
function nothingToStore(problem: unknown): null {
  if (problem instanceof Failure && problem.code === 'import.nothing') return null
  throw problem
}

type ImportArguments = ReturnType<typeof readAsked>

function readAsked(args: string[]) {
  const { values, positionals } = readArgs(args, {
    into: { type: 'string' },
    course: { type: 'string' },
    'new-course': { type: 'string' },
    'own-courses': { type: 'boolean' },
    exam: { type: 'string' },
    format: { type: 'string' },
    'with-review': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    json: { type: 'boolean' },
  })
  if (positionals.length === 0) throw new WrongUsage('name files, a folder or a zip file.')
  const format = values.format === undefined ? undefined : Format.safeParse(values.format)
  if (format?.success === false) throw new WrongUsage(`the formats are ${Format.options.join(', ')}.`)
  const isDryRun = values['dry-run'] === true
  const named = [values.into, values.course, values['new-course'], values['own-courses']]
  const ways = named.filter((way) => way !== undefined).length
  if (ways > 1 || (ways === 0 && !isDryRun))
    throw new WrongUsage('say where: --into, --course, --new-course or --own-courses.')
  if ((values.course ?? values['new-course']) !== undefined && values.exam === undefined)
    throw new WrongUsage('a new exam needs a title: --exam.')
  return {
    paths: positionals,
    format: format?.data,
    into: values.into,
    course: values.course,
    newCourse: values['new-course'],
    isOwnCourses: values['own-courses'] === true,
    exam: values.exam,
    withReview: values['with-review'] === true,
    isDryRun,
    isJson: values.json === true,
  }
}

/** The paths as one thing that is sent: a file as it is, several or a folder as a zip. */
async function readSource(paths: readonly string[]): Promise<{ name: string; bytes: AsyncIterable<Uint8Array> }> {
  const found = (await Promise.all(paths.map(listFiles))).flat()
  const size = found.reduce((sum, file) => sum + file.size, 0)
  if (size > MAX_IMPORT_BYTES) throw new WrongUsage(`these are ${Math.ceil(size / 2 ** 20)} MB; at most 50 go at once.`)
  const [only] = found
  if (only === undefined) throw new WrongUsage('there is no file.')
  if (found.length === 1) return { name: basename(only.path), bytes: once(await readFile(only.path)) }
  const entries: Zippable = {}
  for (const { path, name } of found) entries[name] = [new Uint8Array(await readFile(path)), { level: 0 }]
  return { name: `${basename(paths[0] ?? '')}.zip`, bytes: once(zipSync(entries)) }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function listFiles(path: string): Promise<{ path: string; name: string; size: number }[]> {
  const facts = await stat(path).catch((problem: unknown) => {
    throw new WrongUsage(problem instanceof Error ? problem.message : String(problem))
  })
  if (!facts.isDirectory()) return [{ path, name: basename(path), size: facts.size }]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
  return Promise.all(
    files.map(async (entry) => {
      const at = join(entry.parentPath, entry.name)
      return { path: at, name: relative(path, at).split(sep).join('/'), size: (await stat(at)).size }
    }),
  )
}

async function targetOf(db: Db, asked: ImportArguments): Promise<Target> {
  if (asked.isOwnCourses) return parsed({ kind: 'own-courses' })
  if (asked.into !== undefined) {
    const examId = await findFamilyBySlug(db, asked.into)
    if (examId === null) throw new WrongUsage(`there is no exam "${asked.into}".`)
    return { kind: 'exam', examId }
  }
  const exam = { title: asked.exam ?? '' }
  if (asked.newCourse !== undefined) return parsed({ kind: 'new-course', course: { title: asked.newCourse }, exam })
  const courseId = await findCourseBySlug(db, asked.course ?? '')
  if (courseId === null) throw new WrongUsage(`there is no course "${asked.course}".`)
  return parsed({ kind: 'new-exam', courseId, exam })
}

function parsed(target: object): Target {
  const read = Target.safeParse(target)
  if (!read.success) throw new WrongUsage(read.error.issues.map(({ message }) => message).join(' '))
  return read.data
}

/** Reads it here, as the server's worker does; a table with the columns that its header seems to name. */
async function readToItsEnd(db: Db, importId: string, output: Output): Promise<ImportView> {
  const reading = {
    now: () => systemClock.now(),
    onProgress: (count: number, percent: number) => output.progress?.(progressLine(count, percent)),
  }
  await readImport(db, importId, reading)
  const view = await getImport(db, importId)
  if (view.state === 'mapping' && view.columns !== null) {
    const { mapping } = view.columns
    await readAgain(db, { actorId: null, now: systemClock.now(), importId, mapping })
    await readImport(db, importId, reading)
  }
  output.progress?.('')
  return getImport(db, importId)
}

const BAR = 30

function progressLine(count: number, percent: number): string {
  const done = Math.round((BAR * percent) / 100)
  return `[${'#'.repeat(done)}${'.'.repeat(BAR - done)}] ${percent} %  ${count} questions`
}

async function listNotGood(db: Db, importId: string): Promise<ImportedQuestion[]> {
  const found: ImportedQuestion[] = []
  for (const verdict of ['refused', 'needs-review', 'changed'] as const)
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const list = await listImported(db, importId, { verdict, outcome: 'all', page })
      found.push(...list.questions)
      pages = list.pageCount
    }
  return found.sort((a, b) => a.place - b.place)
}

type Report = Pick<ImportView, 'name' | 'state' | 'format' | 'problem' | 'readCount' | 'counts' | 'findings'> & {
  readonly lost: readonly { readonly sentence: string; readonly count: number }[]
  readonly questions: readonly ImportedQuestion[]
  readonly stored: Stored | null
}

function linesOf(report: Report): string[] {
  const { findings, questions, lost, counts, stored, problem } = report
  const sums = IMPORT_VERDICTS.map((verdict) => {
    const { open, stored, dismissed } = counts[verdict]
    return `${open + stored + dismissed} ${verdict}`
  })
  return [
    ...findings.map(({ file, line, severity, sentence }) => `${file}:${line}: ${severity}: ${sentence}`),
    ...questions.map(({ file, line, verdict, key, reasons }) => {
      const why = reasons.map(({ sentence }) => sentence).join(' ')
      return `${file}:${line}: ${verdict} ${key}${why === '' ? '' : `: ${why}`}`
    }),
    ...lost.map(({ sentence, count }) => `left out of ${count}: ${sentence}`),
    ...(problem === null ? [] : [problem]),
    `${report.readCount} questions (${report.format ?? 'no known format'}): ${sums.join(', ')}`,
    ...(stored === null
      ? ['Nothing stored.']
      : [`${stored.added} added, ${stored.changed} changed: ${titlesOf(stored)}`]),
  ]
}

function titlesOf({ exams }: Stored): string {
  return exams.map(({ title, added, changed }) => `${title} (${added + changed})`).join(', ')
}
