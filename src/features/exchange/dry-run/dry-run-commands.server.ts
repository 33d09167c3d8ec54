import { toStored } from '../../questions/types/content-registry.ts'
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { withCaseStudyTexts } from '../../questions/case-studies/case-studies.ts'
import type { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { sql } from 'kysely'
import { mayPass } from '../../../db/connect-with-retry.server.ts'
import type { Db } from '../../../db/open.server.ts'
import { unpack } from '../../questions/formats/archive.ts'
import { columnsOf, nearestFormats, prepareFormat, readBank, recognise } from '../../questions/formats/bank.ts'
import { IMAGE_SCHEME, withAddresses } from '../../questions/image-addresses.ts'
import type {
  FileFinding,
  ImportFormat,
  ReadQuestion,
  AttachedImage,
  ReadStep,
  SourceFile,
} from '../../questions/formats/formats.schema.ts'
import { judgeQuestion } from '../../questions/questions.ts'
import { imagePath } from '../../catalogue/images/images.ts'
import type { ImportProblem } from '../imports/imports.copy.ts'
import { isOwnFormat } from '../imports/imports.ts'
import { Format, type ImportState, Mapping, type ReadCourse, type ReadExam } from '../imports/imports.schema.ts'
import type { StoredSign } from './stored-sign.schema.ts'
import { findSource } from './dry-run-queries.server.ts'
import { BATCH_CHARS, BATCH_SIZE, MAX_FINDINGS, correctable, progressOf, YIELD_EACH, storableJson } from './dry-run.ts'

type Reading = {
  readonly now: () => Date
  /** Called after each batch with the questions read so far and the whole percent. */
  readonly onProgress?: (count: number, percent: number) => void
  /** Called after every step, however small: while it is called, the reading does not hang. */
  readonly onStep?: () => void
}

/** One reading of an import. Its writes fail once another reading has begun or it was canceled. */
type Turn = { readonly importId: string; readonly turn: number; readonly now: () => Date }

/**
 * The dry run: reads the uploaded file and stores every question with its verdict beside the import; the bank does not change.
 * Returns the state of the import afterwards; null if it does not wait to be read.
 */
export async function readImport(db: Db, importId: string, reading: Reading): Promise<ImportState | null> {
  const claimed = await claim(db, importId, reading.now())
  if (claimed === null) return null
  const turn: Turn = { importId, turn: claimed.turn, now: reading.now }
  try {
    return await readAll(db, turn, claimed, reading)
  } catch (error) {
    if (error instanceof ReadingCanceled) return 'cancelled'
    // While the database is away, or its disk is full, nothing is wrong with the import: it is read again.
    if (!mayPass(error)) await settle(db, turn, { state: 'failed', problem: 'broken' })
    throw error
  }
}

class ReadingCanceled extends Error {}

async function claim(db: Db, importId: string, now: Date) {
  const row = await db
    .updateTable('imports')
    .set((eb) => ({
      state: 'reading' as const,
      turn: eb('turn', '+', 1),
      heartbeat_at: sql`clock_timestamp()`,
      read_count: 0,
      read_percent: 0,
      problem: null,
      updated_at: now,
    }))
    .where('id', '=', importId)
    .where('state', '=', 'waiting')
    .returning(['turn', 'name', 'wanted_format', 'mapping'])
    .executeTakeFirst()
  if (row === undefined) return null
  await db.deleteFrom('import_questions').where('import_id', '=', importId).execute()
  await db.deleteFrom('import_images').where('import_id', '=', importId).execute()
  return {
    turn: row.turn,
    name: row.name,
    format: Format.safeParse(row.wanted_format).data,
    mapping: Mapping.nullable().parse(row.mapping),
  }
}

async function readAll(
  db: Db,
  turn: Turn,
  claimed: NonNullable<Awaited<ReturnType<typeof claim>>>,
  { onProgress, onStep = () => undefined }: Reading,
): Promise<ImportState> {
  const source = await findSource(db, turn.importId, claimed.name)
  if (source === null) return settle(db, turn, { state: 'failed', problem: 'bytes-gone' })
  onStep()
  const { files, steps } = unpack([source])
  const found = claimed.format === undefined ? recognise(files) : null
  const format = claimed.format ?? found?.format ?? null
  const sign: StoredSign = {
    sign: found?.format ?? null,
    file: found?.file ?? '',
    line: found?.line ?? null,
    nearest: nearestFormats(files).filter((other) => other !== format),
  }
  onStep()
  if (format === null) {
    const findings = steps.flatMap((step) => (step.kind === 'finding' ? [step.finding] : []))
    return settle(db, turn, { state: 'failed', problem: 'format', findings, format, sign })
  }
  const about = { format, sign }
  const isTable = format === 'csv' || format === 'xlsx'
  if (isTable && claimed.mapping === null) {
    const columns = columnsOf(format === 'csv' ? files.map(asTable) : files)
    if (columns !== null) return settle(db, turn, { state: 'mapping', columns, ...about })
  }
  await prepareFormat(format)
  const read = await storeQuestions(db, turn, {
    files,
    steps: readSteps(files, steps, format, claimed.mapping),
    onProgress,
    onStep,
  })
  // Autovacuum updates the statistics once a minute only. Until then the planner expects few rows and joins them one by one.
  await sql`analyze import_questions (import_id, place, key, fingerprint, verdict, outcome)`.execute(db)
  onStep()
  await matchWithBank(db, turn.importId, isOwnFormat(format))
  onStep()
  return settle(db, turn, { state: 'read', ...read, ...about })
}

/** Gives a file that the admin declared a table the extension of one; pasted text has no extension. */
function asTable(file: SourceFile): SourceFile {
  return /\.[ct]sv$/i.test(file.path) ? file : { ...file, path: `${file.path}.csv` }
}

function* readSteps(
  files: SourceFile[],
  before: ReadStep[],
  format: ImportFormat,
  mapping: Mapping | null,
): Generator<ReadStep> {
  yield* before
  yield* readBank(files, { format, ...(mapping === null ? {} : { mapping }) })
}

async function storeQuestions(
  db: Db,
  turn: Turn,
  from: { files: SourceFile[]; steps: Iterable<ReadStep>; onProgress: Reading['onProgress']; onStep: () => void },
): Promise<Required<Pick<Settled, 'courses' | 'exams' | 'caseStudies' | 'findings' | 'readCount'>>> {
  const percentAt = progressOf(from.files)
  const courses: ReadCourse[] = []
  const exams: ReadExam[] = []
  const caseStudies: CaseStudy[] = []
  const findings: FileFinding[] = []
  let rows: Row[] = []
  let [count, chars, percent] = [0, 0, 0]
  let pending: Promise<unknown> = Promise.resolve(null)
  // The database stores one batch while the next one is read.
  const arrived = async () => {
    const problem = await pending
    if (problem !== null) throw problem
  }
  const flush = async () => {
    await arrived()
    const batch = { rows, count, percent }
    ;[rows, chars] = [[], 0]
    pending = writeRows(db, turn, batch).then(
      () => {
        from.onProgress?.(batch.count, batch.percent)
        return null
      },
      // Thrown when the next batch is flushed: until then nothing awaits this promise, and a rejection would be unhandled.
      (error: unknown) => error,
    )
  }
  for (const step of from.steps) {
    from.onStep()
    percent = percentAt(step)
    if (step.kind === 'finding') {
      if (findings.length < MAX_FINDINGS) findings.push(step.finding)
    } else if (step.kind === 'course') {
      const { file, slug, facts, sheets } = step
      courses.push({ file, slug, facts, ...(sheets && { sheets: [...sheets] }) })
    } else if (step.kind === 'exam') {
      exams.push({ file: step.file, facts: step.facts, questions: 0, course: step.course ?? null, caseStudies: [] })
    } else if (step.kind === 'case-study') {
      const addresses = await keepImages(db, turn, step.images)
      const shown = (text: string) => withAddresses(text, (address) => addresses.get(address))
      const ofExam = exams.at(-1)?.caseStudies ?? caseStudies
      ofExam.push(withCaseStudyTexts(step.caseStudy, shown))
    } else if (step.kind === 'question') {
      const exam = exams.at(-1)
      if (exam !== undefined) exam.questions += 1
      const question = step.question.images.length === 0 ? step.question : await withImages(db, turn, step.question)
      const row = toRow(question, count, exams.length)
      rows.push(row)
      count += 1
      chars += sizeOf(row)
      if (rows.length >= BATCH_SIZE || chars >= BATCH_CHARS) await flush()
      // Lets the event loop send the batch that is under way.
      else if (rows.length % YIELD_EACH === 0) await setImmediate()
    }
  }
  // The last batch, and its confirmation.
  await flush()
  await arrived()
  return { courses, exams, caseStudies, findings, readCount: count }
}

/** Codes and facts are stored; they are worded when they are shown. */
function withoutSentence<Named extends { readonly sentence: string }>(named: Named) {
  return { ...named, sentence: undefined }
}

type Row = ReturnType<typeof toRow>

function toRow(read: ReadQuestion, place: number, examPlace: number) {
  const { file, line, key, verdict, reasons, lost, question } = read
  return {
    place,
    exam_place: examPlace,
    file,
    line,
    key,
    judged: verdict,
    reasons: reasons.map(withoutSentence),
    lost,
    input: question === undefined ? correctable(read.input) : {},
    question: question === undefined ? null : toStored(question),
  }
}

function sizeOf({ input, question }: Row): number {
  const texts = Object.values(question ?? input)
  return texts.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)
}

/** @throws ReadingCanceled when this reading was canceled or another one has begun */
async function writeRows(db: Db, turn: Turn, write: { rows: Row[]; count: number; percent: number }): Promise<void> {
  const json = storableJson(write.rows)
  const { rows } = await sql<{ alive: number }>`
    with mine as (
      update imports set read_count = ${write.count}, read_percent = ${write.percent}, heartbeat_at = clock_timestamp()
      where id = ${turn.importId} and turn = ${turn.turn} and state = 'reading' returning id),
    made as (
      insert into import_questions
        (import_id, place, exam_place, file, line, key, judged, verdict, reasons, lost, input, question)
      select mine.id, place, exam_place, file, line, key, judged, judged, reasons, lost, input, question
      from mine cross join jsonb_to_recordset(${json}::jsonb) as read_question
        (place int, exam_place int, file text, line int, key text, judged text, reasons jsonb, lost jsonb, input jsonb, question jsonb))
    select count(*)::int as alive from mine`.execute(db)
  if (rows[0]?.alive !== 1) throw new ReadingCanceled()
}

/** Stores images beside the import until its questions are stored. An image that the bank has is linked by its address there. */
async function keepImages(db: Db, turn: Turn, images: readonly AttachedImage[]): Promise<Map<string, string>> {
  const addresses = new Map<string, string>()
  for (const { name, bytes } of images) {
    const hash = createHash('sha256').update(bytes).digest('hex')
    const known = await db
      .selectFrom('images')
      .where((eb) => eb.or([eb('id', '=', hash), eb('source_id', '=', hash)]))
      .select(['id', 'content_type'])
      .executeTakeFirst()
    const address = known === undefined ? IMAGE_SCHEME + hash : imagePath(known.id, known.content_type)
    addresses.set(IMAGE_SCHEME + name, address)
    if (known === undefined)
      await db
        .insertInto('import_images')
        .values({ import_id: turn.importId, hash, bytes })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  }
  return addresses
}

async function withImages(db: Db, turn: Turn, read: ReadQuestion): Promise<ReadQuestion> {
  const addresses = await keepImages(db, turn, read.images)
  const shown = (value: unknown) =>
    typeof value === 'string' ? withAddresses(value, (address) => addresses.get(address)) : value
  const input = Object.fromEntries(Object.entries(read.input).map(([name, value]) => [name, shown(value)]))
  if (read.question === undefined) return { ...read, input }
  // The ids of options are derived from their texts, which have changed.
  const { question } = judgeQuestion(input)
  return question === undefined
    ? { ...read, input }
    : { ...read, input, question: { ...read.question, ...question, needsReview: read.question.needsReview } }
}

/**
 * Finds which open questions the bank, drafts included, already has: by key, or by fingerprint. In our own formats keys are
 * stable, so a question that differs under its key is a change. One that repeats an earlier one of the import is there, too.
 */
export async function matchWithBank(db: Db, importId: string, isOwn: boolean): Promise<void> {
  await sql`
    with open as (
      select place, key, fingerprint, question, reasons @> '[{"code": "repeated"}]' as is_repeat from import_questions
      where import_id = ${importId} and outcome = 'open' and question is not null),
    hits as (
      select open.place, bank.family_id, bank.question_id, 0 as rank from open join question_fingerprints bank on bank.question_id = open.key
      union all
      select open.place, bank.family_id, bank.question_id, 0 from open join exam_draft_questions bank on bank.question_id = open.key
      union all
      select open.place, bank.family_id, bank.question_id, 1 from open join question_fingerprints bank on bank.fingerprint = open.fingerprint
      union all
      select open.place, bank.family_id, bank.question_id, 1 from open join exam_draft_questions bank on bank.fingerprint = open.fingerprint),
    found as (
      select distinct on (place) place, family_id, question_id, rank from hits order by place, rank, family_id, question_id),
    bank as (
      select draft.family_id, draft.question_id, draft.question from exam_draft_questions draft
      where draft.family_id in (select family_id from found)
      union all
      select exam.family_id, one ->> 'id', one from test_questions exam cross join jsonb_array_elements(exam.questions) as one
      where exam.is_current_version and exam.family_id in (select family_id from found)
        and not exists (select from exam_drafts where exam_drafts.family_id = exam.family_id)),
    judged as (
      select open.place, found.family_id, found.question_id,
        case when open.is_repeat then 'there'
          when found.place is null then null
          when ${isOwn} and found.rank = 0 and bank.question is distinct from open.question then 'changed'
          else 'there' end as verdict
      from open left join found on found.place = open.place
      left join bank on ${isOwn} and found.rank = 0 and bank.family_id = found.family_id and bank.question_id = found.question_id)
    update import_questions as kept
    set verdict = coalesce(judged.verdict, kept.judged), there_family_id = judged.family_id, there_question_id = judged.question_id
    from judged
    where kept.import_id = ${importId} and kept.place = judged.place
      and (kept.verdict, kept.there_family_id, kept.there_question_id)
        is distinct from (coalesce(judged.verdict, kept.judged), judged.family_id, judged.question_id)`.execute(db)
}

type Settled = {
  readonly state: ImportState
  readonly problem?: ImportProblem
  readonly findings?: FileFinding[]
  readonly courses?: ReadCourse[]
  readonly exams?: ReadExam[]
  /** Those of no exam. */
  readonly caseStudies?: CaseStudy[]
  readonly readCount?: number
  readonly columns?: object
  /** Null if none was recognized. */
  readonly format?: string | null
  readonly sign?: StoredSign
}

/** @throws ReadingCanceled */
async function settle(db: Db, turn: Turn, settled: Settled): Promise<ImportState> {
  const { state, problem = null, findings = [], courses = [], exams = [], caseStudies = [] } = settled
  const { columns, format, sign, readCount } = settled
  const made = await db
    .updateTable('imports')
    .set({
      state,
      problem,
      findings: storableJson(findings.map(withoutSentence)),
      courses: storableJson(courses),
      exams: storableJson(exams),
      case_studies: storableJson(caseStudies),
      updated_at: turn.now(),
      heartbeat_at: null,
      ...(columns === undefined ? {} : { columns: storableJson(columns) }),
      ...(format === undefined ? {} : { format, sign: sign === undefined ? null : storableJson(sign) }),
      ...(state === 'read' ? { read_percent: 100 } : {}),
      ...(readCount === undefined ? {} : { read_count: readCount }),
    })
    .where('id', '=', turn.importId)
    .where('turn', '=', turn.turn)
    .where('state', '=', 'reading')
    .returning('id')
    .executeTakeFirst()
  if (made === undefined) throw new ReadingCanceled()
  return state
}
