import { fromStored } from '../../questions/types/content-registry.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { stemWords } from '../../questions/types/stem-words-registry.ts'
import { StoredFileFinding } from '../../questions/formats/formats.schema.ts'
import { wordProblem, wordSign } from './imports.copy.ts'
import { StoredReason } from '../../questions/questions.schema.ts'
import { PAGE_SIZE } from './imports.ts'
import {
  Columns,
  fail,
  type ImportCounts,
  type ImportedQuestion,
  type ImportedQuestionFilter,
  ImportVerdict,
  type ImportLine,
  type ImportView,
  Mapping,
  ReadCourse,
  ReadExam,
} from './imports.schema.ts'
import { StoredLost } from './stored-lost.schema.ts'
import { readSign } from '../dry-run/stored-sign.schema.ts'

/** Imports per page. */
const LIST_SIZE = 25

/** The imports of all admins, newest first. */
export async function listImports(
  db: Db,
  filter: { readonly page: number },
): Promise<{ imports: ImportLine[]; hasMore: boolean }> {
  const rows = await db
    .selectFrom('imports')
    .leftJoin('users', 'users.id', 'imports.made_by')
    .where('imports.state', '<>', 'uploading')
    .orderBy('imports.created_at', 'desc')
    .orderBy('imports.id')
    .limit(LIST_SIZE + 1)
    .offset((filter.page - 1) * LIST_SIZE)
    .select([
      'imports.id',
      'imports.name',
      'imports.size_bytes',
      'imports.state',
      'imports.format',
      'imports.read_count',
      'imports.created_at',
      'imports.stored_at',
      'users.name as made_by',
      sql<number>`(select count(*) from import_questions one where one.import_id = imports.id
        and one.verdict = 'refused' and one.outcome = 'open')`.as('refused'),
      sql<number>`(select count(*) from import_questions one where one.import_id = imports.id and one.outcome = 'stored')`.as(
        'stored',
      ),
    ])
    .execute()
  return {
    imports: rows.slice(0, LIST_SIZE).map((row) => ({
      id: row.id,
      name: row.name,
      sizeBytes: row.size_bytes,
      state: row.state,
      format: row.format,
      questions: row.read_count,
      refused: row.refused,
      stored: row.stored,
      madeBy: row.made_by,
      createdAt: row.created_at.toISOString(),
      storedAt: row.stored_at?.toISOString() ?? null,
    })),
    hasMore: rows.length > LIST_SIZE,
  }
}

/** @throws Failure import.missing */
export async function getImport(db: Db, importId: string): Promise<ImportView> {
  const row = await db
    .selectFrom('imports')
    .leftJoin('users', 'users.id', 'imports.made_by')
    .where('imports.id', '=', importId)
    .select([
      'imports.id',
      'imports.name',
      'imports.size_bytes',
      'imports.state',
      'imports.wanted_format',
      'imports.format',
      'imports.sign',
      'imports.columns',
      'imports.mapping',
      'imports.read_count',
      'imports.read_percent',
      'imports.problem',
      'imports.findings',
      'imports.exams',
      'imports.courses',
      'imports.target_course_id',
      'imports.target_family_id',
      'imports.created_at',
      'imports.stored_at',
      'users.name as made_by',
      sql<boolean>`exists (select from import_chunks where import_chunks.import_id = imports.id)`.as('has_bytes'),
    ])
    .executeTakeFirst()
  if (row === undefined) throw fail('import.missing')
  const sign = readSign(row.sign)
  return {
    id: row.id,
    name: row.name,
    sizeBytes: row.size_bytes,
    state: row.state,
    wantedFormat: row.wanted_format,
    format: row.format,
    sign: wordSign(sign),
    nearest: sign.nearest,
    columns: Columns.nullable().parse(row.columns),
    mapping: Mapping.nullable().parse(row.mapping),
    readCount: row.read_count,
    percent: row.read_percent,
    problem: row.problem === null ? null : wordProblem(row.problem),
    counts: await countQuestions(db, importId),
    findings: z.array(StoredFileFinding).parse(row.findings),
    courses: z.array(ReadCourse.omit({ sheets: true })).parse(row.courses),
    exams: z.array(ReadExam).parse(row.exams),
    hasBytes: row.has_bytes,
    madeBy: row.made_by,
    createdAt: row.created_at.toISOString(),
    storedAt: row.stored_at?.toISOString() ?? null,
    target: await findTarget(db, { examId: row.target_family_id, courseId: row.target_course_id }),
  }
}

async function countQuestions(db: Db, importId: string): Promise<ImportCounts> {
  const rows = await db
    .selectFrom('import_questions')
    .where('import_id', '=', importId)
    .groupBy(['verdict', 'outcome'])
    .select((eb) => ['verdict', 'outcome', eb.fn.countAll<number>().as('count')])
    .execute()
  const counts = Object.fromEntries(
    ImportVerdict.options.map((verdict) => [verdict, { open: 0, stored: 0, dismissed: 0 }]),
  ) as ImportCounts
  for (const { verdict, outcome, count } of rows) counts[verdict][outcome] = count
  return counts
}

async function findTarget(
  db: Db,
  of: { examId: string | null; courseId: string | null },
): Promise<ImportView['target']> {
  if (of.examId !== null) {
    const exam = await db
      .selectFrom('test_questions')
      .innerJoin('courses', 'courses.id', 'test_questions.course_id')
      .where('family_id', '=', of.examId)
      .where('is_current_version', '=', true)
      .select(['test_name', 'courses.id', 'courses.slug', 'courses.status'])
      .executeTakeFirst()
    if (exam !== undefined) {
      const { test_name: title, ...course } = exam
      return { kind: 'exam', id: of.examId, title, course }
    }
  }
  if (of.courseId === null) return null
  const found = await db
    .selectFrom('courses')
    .where('id', '=', of.courseId)
    .select(['id', 'title', 'slug', 'status'])
    .executeTakeFirst()
  if (found === undefined) return null
  const { title, ...course } = found
  return { kind: 'course', id: of.courseId, title, course }
}

/** Characters of a question in the list. */
const EXCERPT_LENGTH = 240

/** A page of an import's questions, in the order of the file. */
export async function listImported(
  db: Db,
  importId: string,
  filter: ImportedQuestionFilter,
): Promise<{ questions: ImportedQuestion[]; foundCount: number; page: number; pageCount: number }> {
  const filtered = db
    .selectFrom('import_questions as one')
    .where('one.import_id', '=', importId)
    .$if(filter.verdict !== 'all', (query) =>
      query.where('one.verdict', '=', filter.verdict as Exclude<ImportedQuestionFilter['verdict'], 'all'>),
    )
    .$if(filter.outcome !== 'all', (query) =>
      query.where('one.outcome', '=', filter.outcome as Exclude<ImportedQuestionFilter['outcome'], 'all'>),
    )
  const { count } = await filtered.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const pageCount = Math.max(1, Math.ceil(count / PAGE_SIZE))
  const page = Math.min(filter.page, pageCount)
  const rows = await filtered
    .leftJoin('test_questions as exam', (join) =>
      join.onRef('exam.family_id', '=', 'one.there_family_id').on('exam.is_current_version', '=', true),
    )
    .orderBy('one.place')
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .select([
      'one.place',
      'one.file',
      'one.line',
      'one.key',
      'one.verdict',
      'one.outcome',
      'one.reasons',
      'one.lost',
      'one.there_family_id',
      'one.there_question_id',
      'exam.test_name',
      sql<string>`left(coalesce(one.question ->> 'stem', one.input ->> 'question', ''), ${EXCERPT_LENGTH})`.as(
        'excerpt',
      ),
      sql<string | null>`coalesce(one.question ->> 'type', one.input ->> 'type')`.as('type'),
    ])
    .execute()
  const questions = rows.map((row) => ({
    place: row.place,
    file: row.file,
    line: row.line,
    key: row.key,
    verdict: row.verdict,
    outcome: row.outcome,
    excerpt: stemWords({ type: row.type, stem: row.excerpt }),
    reasons: z.array(StoredReason).parse(row.reasons),
    lost: z.array(StoredLost).parse(row.lost),
    there:
      row.there_family_id === null || row.there_question_id === null
        ? null
        : { examId: row.there_family_id, examTitle: row.test_name ?? '', questionId: row.there_question_id },
  }))
  return { questions, foundCount: count, page, pageCount }
}

/** The parts that the bank cannot hold, with the number of questions. Parts that differ in names only are grouped. */
export async function listLost(db: Db, importId: string): Promise<{ sentence: string; count: number }[]> {
  const { rows } = await sql<{ part: string; count: number }>`
    select min(part::text) as part, count(distinct place)::int as count
    from import_questions cross join jsonb_array_elements(lost) as part
    where import_id = ${importId} and lost <> '[]'
    group by case
      when jsonb_typeof(part) = 'string' then regexp_replace(part #>> '{}', '"[^"]*"', '""', 'g')
      when part ->> 'code' = 'markup' then part::text
      else concat_ws(' ', part ->> 'code', part ->> 'failure') end
    order by count desc, part limit 50`.execute(db)
  return rows.map(({ part, count }) => ({ sentence: StoredLost.parse(JSON.parse(part)), count }))
}

type ImportedQuestionInFull = ImportedQuestion & {
  readonly question: Question | null
  readonly input: Readonly<Record<string, unknown>>
}

/** One question of an import with everything that was read. @throws Failure import.question-missing */
export async function getImported(db: Db, of: { importId: string; place: number }): Promise<ImportedQuestionInFull> {
  const row = await db
    .selectFrom('import_questions')
    .where('import_id', '=', of.importId)
    .where('place', '=', of.place)
    .select(['place', 'file', 'line', 'key', 'verdict', 'outcome', 'reasons', 'lost', 'input', 'question'])
    .executeTakeFirst()
  if (row === undefined) throw fail('import.question-missing')
  const question = row.question === null ? null : fromStored(row.question)
  return {
    place: row.place,
    file: row.file,
    line: row.line,
    key: row.key,
    verdict: row.verdict,
    outcome: row.outcome,
    excerpt: '',
    reasons: z.array(StoredReason).parse(row.reasons),
    lost: z.array(StoredLost).parse(row.lost),
    there: null,
    question,
    input: z.record(z.string(), z.unknown()).parse(row.input),
  }
}

/** The next open refused question after a place, continuing from the beginning. */
export async function findNextRefused(db: Db, of: { importId: string; place: number }): Promise<number | null> {
  const { rows } = await sql<{ place: number }>`
    select place from import_questions
    where import_id = ${of.importId} and verdict = 'refused' and outcome = 'open' and place <> ${of.place}
    order by place < ${of.place}, place limit 1`.execute(db)
  return rows[0]?.place ?? null
}

/** The number of imports with refused questions that wait to be corrected or dismissed. */
export async function countRefusedImports(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct import_id)::int as count from import_questions where verdict = 'refused' and outcome = 'open'`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
