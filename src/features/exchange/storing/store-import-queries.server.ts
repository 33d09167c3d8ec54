import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/open.server.ts'

/** The open questions of an import with one of these verdicts. */
type OpenQuestionFilter = { readonly importId: string; readonly verdicts: readonly string[] }

/** The places of questions by the exam of the file that lists them; exam place 0 where the file names no exam. */
export async function listPlacesByExam(
  db: Db,
  filter: OpenQuestionFilter,
): Promise<{ examPlace: number; places: number[] }[]> {
  const { rows } = await sql<{ examPlace: number; places: number[] }>`
    select exam_place as "examPlace", array_agg(place order by place) as places from import_questions
    where import_id = ${filter.importId} and outcome = 'open' and question is not null and verdict = any(${filter.verdicts})
    group by exam_place order by exam_place`.execute(db)
  return rows
}

/** The places of the changed questions by the exam that holds them. */
export async function listChangedByFamily(db: Db, importId: string): Promise<{ familyId: string; places: number[] }[]> {
  const { rows } = await sql<{ familyId: string; places: number[] }>`
    select there_family_id as "familyId", array_agg(place order by place) as places from import_questions
    where import_id = ${importId} and outcome = 'open' and question is not null and verdict = 'changed'
    group by there_family_id order by there_family_id`.execute(db)
  return rows
}

/** The questions at these places as a JSON array, in their order: a subquery, so that they never leave the database. */
export function questionsAt(of: { importId: string; places: readonly number[] }): RawBuilder<string> {
  return sql<string>`(
    select coalesce(jsonb_agg(question order by place), '[]') from import_questions
    where import_id = ${of.importId} and place = any(${of.places}::int[]))`
}

/** The family of the current exam with this slug. */
export async function findFamilyBySlug(db: Db, slug: string): Promise<string | null> {
  const row = await db
    .selectFrom('test_questions')
    .where('slug', '=', slug)
    .where('is_current_version', '=', true)
    .select('family_id')
    .executeTakeFirst()
  return row?.family_id ?? null
}

/** The family of the current exam with this slug in one course. */
export async function findFamilyInCourse(db: Db, slug: string, courseId: string): Promise<string | null> {
  const row = await db
    .selectFrom('test_questions')
    .where('slug', '=', slug)
    .where('course_id', '=', courseId)
    .where('is_current_version', '=', true)
    .select('family_id')
    .executeTakeFirst()
  return row?.family_id ?? null
}

/** The id of the course with this slug, published or not. */
export async function findCourseBySlug(db: Db, slug: string): Promise<string | null> {
  const row = await db.selectFrom('courses').where('slug', '=', slug).select('id').executeTakeFirst()
  return row?.id ?? null
}
