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
  type StoredImport,
  Target,
} from '../features/exchange/imports/imports.schema.ts'
import { findCourseBySlug, findFamilyBySlug } from '../features/exchange/storing/store-import-queries.server.ts'
import { storeImport } from '../features/exchange/storing/store-import-commands.server.ts'
import { deleteImport, storeUpload, readAgain } from '../features/exchange/imports/imports-commands.server.ts'
import { Failure } from '../lib/failure.ts'
import { systemClock } from '../platform/clock.server.ts'
import { withDatabase } from './cli-database.server.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'
import { counted } from '../lib/text.ts'

export const importCommand: Command = {
  usage:
    'import <files|folder|zip> --into <exam-slug> | --course <slug> --exam <title> | --new-course <title> --exam <title> | --own-courses [--format <format>] [--with-review] [--dry-run] [--json]',
  description:
    'reads questions, reports the problems of each, and adds the good ones to an exam; a dry run stores nothing',
  run: runImport,
}

async function runImport(args: string[], output: Output): Promise<number> {
  const request = readArguments(args)
  const source = await readSource(request.paths)
  return withDatabase(async ({ db }) => {
    const target = request.isDryRun ? null : await targetOf(db, request)
    const by = { actorId: null, now: systemClock.now() }
    const importId = await storeUpload(db, { ...by, ...source, format: request.format })
    const view = await readCompletely(db, importId, output)
    const problematic = await listProblematic(db, importId)
    const lost = await listLost(db, importId)
    let stored: StoredImport | null = null
    if (target !== null && view.state === 'read')
      stored = await storeImport(db, { ...by, importId, target, withReview: request.withReview }).catch(nothingToStore)
    if (request.isDryRun) await deleteImport(db, { ...by, importId })
    const { name, state, format, problem, readCount, counts, findings } = view
    const report = { name, state, format, problem, readCount, counts, findings, lost, questions: problematic, stored }
    output.print(request.isJson ? JSON.stringify(report, null, 2) : linesOf(report).join('\n'))
    return state === 'read' && counts.refused.open === 0 ? 0 : 1
  })
}

/** An import whose questions are all in the bank already is not an error. */
function nothingToStore(problem: unknown): null {
  if (problem instanceof Failure && problem.code === 'import.nothing') return null
  throw problem
}

type ImportArguments = ReturnType<typeof readArguments>

function readArguments(args: string[]) {
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
  const targets = [values.into, values.course, values['new-course'], values['own-courses']]
  const targetCount = targets.filter((way) => way !== undefined).length
  if (targetCount > 1 || (targetCount === 0 && !isDryRun))
    throw new WrongUsage('name a target: --into, --course, --new-course or --own-courses.')
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

/** The paths as one upload: a single file as it is, several files or a folder as a zip. */
async function readSource(paths: readonly string[]): Promise<{ name: string; bytes: AsyncIterable<Uint8Array> }> {
  const files = (await Promise.all(paths.map(listFiles))).flat()
  const size = files.reduce((sum, file) => sum + file.size, 0)
  if (size > MAX_IMPORT_BYTES)
    throw new WrongUsage(`the files have ${Math.ceil(size / 2 ** 20)} MB; the limit is 50 MB.`)
  const [only] = files
  if (only === undefined) throw new WrongUsage('there is no file.')
  if (files.length === 1) return { name: basename(only.path), bytes: once(await readFile(only.path)) }
  const entries: Zippable = {}
  for (const { path, name } of files) entries[name] = [new Uint8Array(await readFile(path)), { level: 0 }]
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

async function targetOf(db: Db, request: ImportArguments): Promise<Target> {
  if (request.isOwnCourses) return parseTarget({ kind: 'own-courses' })
  if (request.into !== undefined) {
    const examId = await findFamilyBySlug(db, request.into)
    if (examId === null) throw new WrongUsage(`there is no exam "${request.into}".`)
    return { kind: 'exam', examId }
  }
  const exam = { title: request.exam ?? '' }
  if (request.newCourse !== undefined)
    return parseTarget({ kind: 'new-course', course: { title: request.newCourse }, exam })
  const courseId = await findCourseBySlug(db, request.course ?? '')
  if (courseId === null) throw new WrongUsage(`there is no course "${request.course}".`)
  return parseTarget({ kind: 'new-exam', courseId, exam })
}

function parseTarget(target: object): Target {
  const read = Target.safeParse(target)
  if (!read.success) throw new WrongUsage(read.error.issues.map(({ message }) => message).join(' '))
  return read.data
}

/** Reads the import in this process, as the server's worker would. A table gets the column mapping that its header suggests. */
async function readCompletely(db: Db, importId: string, output: Output): Promise<ImportView> {
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
  return `[${'#'.repeat(done)}${'.'.repeat(BAR - done)}] ${percent}%  ${counted(count, 'question')}`
}

async function listProblematic(db: Db, importId: string): Promise<ImportedQuestion[]> {
  const questions: ImportedQuestion[] = []
  for (const verdict of ['refused', 'needs-review', 'changed'] as const)
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const list = await listImported(db, importId, { verdict, outcome: 'all', page })
      questions.push(...list.questions)
      pages = list.pageCount
    }
  return questions.sort((a, b) => a.place - b.place)
}

type Report = Pick<ImportView, 'name' | 'state' | 'format' | 'problem' | 'readCount' | 'counts' | 'findings'> & {
  readonly lost: readonly { readonly sentence: string; readonly count: number }[]
  readonly questions: readonly ImportedQuestion[]
  readonly stored: StoredImport | null
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
    `${counted(report.readCount, 'question')} (${report.format ?? 'no known format'}): ${sums.join(', ')}`,
    ...(stored === null
      ? ['Nothing stored.']
      : [`${stored.added} added, ${stored.changed} changed: ${titlesOf(stored)}`]),
  ]
}

function titlesOf({ exams }: StoredImport): string {
  return exams.map(({ title, added, changed }) => `${title} (${added + changed})`).join(', ')
}
