import { fromStored } from '../../questions/types/content-registry.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { isUuid } from '../../../lib/ids.ts'
import { pageOf } from '../../../lib/paging.ts'
import { cachedQuery } from '../../../platform/cache/cached-queries.server.ts'
import { isNewestOfTitle } from '../catalogue-queries.server.ts'
import { visibleQuestions } from './data-calls.ts'
import type { CourseRow, ExamRow } from './data-calls.schema.ts'

type Reader = { readonly isAdmin: boolean }
type Page = { readonly limit: number; readonly cursor?: { readonly at: string; readonly id: string } | undefined }

/**
 * A page of courses, newest first. Scope 'public': published courses by `created_at`, each title of an owner once. Scope 'all':
 * every course by `updated_at`.
 */
export async function listCourseRows(
  db: Db,
  filter: Page & { scope: 'public' | 'all' },
  reader: Reader,
): Promise<{ courses: CourseRow[]; next: string | null }> {
  const isPublic = filter.scope === 'public'
  const by = isPublic ? ('courses.created_at' as const) : ('courses.updated_at' as const)
  let query = courseRows(db)
    .orderBy(by, 'desc')
    .orderBy('courses.id')
    .limit(filter.limit + 1)
  if (isPublic) query = query.where('courses.status', '=', 'published').where(isNewestOfTitle)
  const { cursor } = filter
  if (cursor !== undefined)
    query = query.where(
      sql<boolean>`(${sql.ref(by)} < ${cursor.at} or (${sql.ref(by)} = ${cursor.at} and courses.id > ${cursor.id}))`,
    )
  const { page, last } = pageOf(await query.execute(), filter.limit)
  return {
    courses: page.map((row) => toRow(row, reader)),
    next: last === null ? null : `${isPublic ? last.created_exact : last.updated_exact}~${last.id}`,
  }
}

/** The public list, cached until the catalogue changes. An empty cursor is the first page. */
export const publicCourseRows = cachedQuery('search-results', (db, limit: string, at: string, id: string) =>
  listCourseRows(
    db,
    { scope: 'public', limit: Number(limit), cursor: at === '' ? undefined : { at, id } },
    { isAdmin: false },
  ),
)

/** A course by its slug or id. Only admins find drafts. */
export async function findCourseRow(db: Db, idOrSlug: string, reader: Reader): Promise<CourseRow | null> {
  let query = courseRows(db).where(isUuid(idOrSlug) ? 'courses.id' : 'courses.slug', '=', idOrSlug.toLowerCase())
  if (!reader.isAdmin) query = query.where('courses.status', 'in', ['published', 'withdrawn'])
  const row = await query.executeTakeFirst()
  return row === undefined ? null : toRow(row, reader)
}

/** A public course, cached until the catalogue changes. */
export const publicCourseRow = cachedQuery('course', (db, idOrSlug: string) =>
  findCourseRow(db, idOrSlug, { isAdmin: false }),
)

/** The current versions of a course's exams, in their order. */
export async function listExamRows(
  db: Db,
  filter: { courseId: string; isFreeTrial?: boolean | undefined; limit?: number },
  reader: Reader,
): Promise<ExamRow[]> {
  let query = examRows(db)
    .where('test_questions.course_id', '=', filter.courseId)
    .where('test_questions.is_current_version', '=', true)
    .orderBy('test_questions.position')
    .orderBy('test_questions.id')
  if (!reader.isAdmin) query = query.where('courses.status', 'in', ['published', 'withdrawn'])
  if (filter.isFreeTrial !== undefined) query = query.where('test_questions.is_free_trial', '=', filter.isFreeTrial)
  if (filter.limit !== undefined) query = query.limit(filter.limit)
  return (await query.execute()).map((row) => toExamRow(row, reader))
}

/** What everybody may read of a course's exams, cached until the catalogue changes. Null without an exam. */
export const publicExamRows = cachedQuery('exam', async (db, courseId: string, isFreeTrial: string, limit: string) => {
  const filter = {
    courseId,
    ...(isFreeTrial === '' ? {} : { isFreeTrial: isFreeTrial === 'true' }),
    ...(limit === '' ? {} : { limit: Number(limit) }),
  }
  const exams = await listExamRows(db, filter, { isAdmin: false })
  return exams.length === 0 ? null : { exams }
})

export async function findExamRow(db: Db, examId: string, reader: Reader): Promise<ExamRow | null> {
  let query = examRows(db).where('test_questions.id', '=', examId)
  if (!reader.isAdmin) query = query.where('courses.status', 'in', ['published', 'withdrawn'])
  const row = await query.executeTakeFirst()
  return row === undefined ? null : toExamRow(row, reader)
}

const exactText = (column: 'created_at' | 'updated_at') =>
  // Microseconds: a cursor in JavaScript's milliseconds would skip or repeat rows.
  sql<string>`to_char(${sql.ref(`courses.${column}`)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

function courseRows(db: Db) {
  return db
    .selectFrom('courses')
    .select([
      'courses.id',
      'courses.title',
      'courses.description',
      'courses.price',
      'courses.category',
      'courses.image_url',
      'courses.slug',
      'courses.status',
      'courses.user_id',
      'courses.row_version',
      'courses.created_at',
      'courses.updated_at',
      exactText('created_at').as('created_exact'),
      exactText('updated_at').as('updated_exact'),
    ])
    .select((eb) => {
      const exams = eb
        .selectFrom('test_questions')
        .whereRef('test_questions.course_id', '=', 'courses.id')
        .where('test_questions.is_current_version', '=', true)
      return [
        eb.fn
          .coalesce(
            'courses.total_questions',
            exams.select(sql<number>`coalesce(sum(question_count), 0)::int`.as('sum')),
          )
          .as('total_questions'),
        eb.fn
          .coalesce('courses.total_practice_exams', exams.select(sql<number>`count(*)::int`.as('count')))
          .as('total_practice_exams'),
      ]
    })
}

type CourseRecord = Awaited<ReturnType<ReturnType<typeof courseRows>['executeTakeFirstOrThrow']>>

function toRow(row: CourseRecord, reader: Reader): CourseRow {
  const { created_exact: _created, updated_exact: _updated, ...columns } = row
  return {
    ...columns,
    price: Number(row.price),
    user_id: reader.isAdmin ? row.user_id : null,
    total_questions: row.total_questions ?? 0,
    total_practice_exams: row.total_practice_exams ?? 0,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function examRows(db: Db) {
  return db
    .selectFrom('test_questions')
    .innerJoin('courses', 'courses.id', 'test_questions.course_id')
    .select([
      'test_questions.id',
      'test_questions.course_id',
      'test_questions.test_name',
      'test_questions.passing_score',
      'test_questions.time_limit',
      'test_questions.slug',
      'test_questions.category',
      'test_questions.is_free_trial',
      'test_questions.is_free',
      'test_questions.version_number',
      'test_questions.parent_exam_id',
      'test_questions.is_current_version',
      'test_questions.created_from_version',
      'test_questions.question_count',
      'test_questions.questions',
      'test_questions.row_version',
      'test_questions.updated_at',
    ])
}

type ExamRecord = Awaited<ReturnType<ReturnType<typeof examRows>['executeTakeFirstOrThrow']>>

function toExamRow(row: ExamRecord, reader: Reader): ExamRow {
  const questions = z.array(z.unknown()).parse(row.questions).map(fromStored)
  return {
    ...row,
    questions: visibleQuestions({ isFreeTrial: row.is_free_trial, questions }, reader),
    updated_at: row.updated_at.toISOString(),
  }
}
