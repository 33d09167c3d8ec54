import { sql, type Expression, type SqlBool } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import { coursesNamed, patternsOf } from './catalogue-queries.server.ts'
import { CHOICES_SHOWN } from './course-choices.ts'
import type {
  CourseChoice,
  CourseChoices,
  ExamChoice,
  ExamChoices,
  NamedCourse,
  Unclear,
} from './course-choices.schema.ts'

/**
 * Suggests courses: those that match a search, or else those that changed last. Exact matches of slug or title come first, so that
 * every course can be found even when many titles contain its title.
 */
export async function listCourseChoices(
  db: Db,
  search: string,
  condition: Expression<SqlBool> = sql`true`,
): Promise<CourseChoices> {
  const found = coursesNamed(db, search).where(condition)
  const ordered =
    search === ''
      ? found.orderBy('courses.updated_at', 'desc')
      : found
          .orderBy(sql`lower(courses.slug) = lower(${search})`, 'desc')
          .orderBy(sql`lower(courses.title) = lower(${search})`, 'desc')
          .orderBy(sql`starts_with(lower(courses.title), lower(${search}))`, 'desc')
          .orderBy('courses.title')
          .orderBy('courses.updated_at', 'desc')
  const [choices, { count }] = await Promise.all([
    asChoices(ordered.orderBy('courses.id').limit(CHOICES_SHOWN)).execute(),
    found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { choices, foundCount: count }
}

function asChoices(courses: ReturnType<typeof coursesNamed>) {
  return courses
    .select(['courses.id', 'courses.slug', 'courses.title', 'courses.status'])
    .select(
      sql<number>`(select count(*)::int from test_questions exam where exam.course_id = courses.id and exam.is_current_version)`.as(
        'examCount',
      ),
    )
}

export async function findCourseChoice(db: Db, courseId: string): Promise<CourseChoice | null> {
  const choice = await asChoices(coursesNamed(db, '').where('courses.id', '=', courseId)).executeTakeFirst()
  return choice ?? null
}

/** The titles of the existing courses among these ids. */
export async function listCourseNames(db: Db, ids: readonly string[]): Promise<{ id: string; title: string }[]> {
  if (ids.length === 0) return []
  return db.selectFrom('courses').where('id', 'in', ids).select(['id', 'title']).execute()
}

export async function hasCourses(db: Db): Promise<boolean> {
  return (await db.selectFrom('courses').select('id').limit(1).executeTakeFirst()) !== undefined
}

/**
 * The course that an address names. Typed text takes precedence over the id; it names a course when it is its slug, matches only
 * one course, or is the title of only one.
 */
export async function resolveCourse(
  db: Db,
  { course, named }: NamedCourse,
): Promise<{ chosen: CourseChoice | null; unclear: Unclear | null }> {
  const chosen = course === null ? null : await findCourseChoice(db, course)
  if (named === null || named === chosen?.title) return { chosen, unclear: null }
  if (named === '') return { chosen: null, unclear: null }
  const { choices, foundCount } = await listCourseChoices(db, named)
  const whole = choices.filter(({ title }) => title.toLowerCase() === named.toLowerCase())
  const one =
    choices.find(({ slug }) => slug === named.toLowerCase()) ??
    (foundCount === 1 ? choices[0] : whole.length === 1 ? whole[0] : undefined)
  return one === undefined ? { chosen: null, unclear: { named, foundCount } } : { chosen: one, unclear: null }
}

/** The exams of a course whose title or slug contains each word of a search. */
export async function listExamChoices(db: Db, filter: { courseId: string; search: string }): Promise<ExamChoices> {
  const found = examsNamed(db, filter.search, ['exam.test_name', 'exam.slug']).where(
    'exam.course_id',
    '=',
    filter.courseId,
  )
  const [choices, { count }] = await Promise.all([
    found
      .orderBy(sql`lower(exam.test_name) = lower(${filter.search})`, 'desc')
      .orderBy('exam.position')
      .orderBy('exam.id')
      .limit(CHOICES_SHOWN)
      .select(['exam.family_id as id', 'exam.slug', 'exam.test_name as title', 'exam.question_count as questionCount'])
      .execute(),
    found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { choices, foundCount: count }
}

/** Current versions of exams where one of these columns contains each word of a search. */
export function examsNamed(
  db: Db,
  search: string,
  columns: readonly ('exam.test_name' | 'exam.slug' | 'courses.title' | 'courses.slug')[],
) {
  let query = db
    .selectFrom('test_questions as exam')
    .innerJoin('courses', 'courses.id', 'exam.course_id')
    .where('exam.is_current_version', '=', true)
  for (const pattern of patternsOf(search))
    query = query.where(({ eb, or }) => or(columns.map((column) => eb(column, 'ilike', pattern))))
  return query
}

/** An exam by its family id, with its course. */
export async function findExamChoice(
  db: Db,
  examId: string,
): Promise<{ exam: ExamChoice; course: CourseChoice } | null> {
  const row = await db
    .selectFrom('test_questions as exam')
    .where('exam.family_id', '=', examId)
    .where('exam.is_current_version', '=', true)
    .select(['exam.family_id as id', 'exam.slug', 'exam.test_name as title', 'exam.question_count as questionCount'])
    .select('exam.course_id')
    .executeTakeFirst()
  if (row === undefined) return null
  const { course_id, ...exam } = row
  const course = await findCourseChoice(db, course_id)
  return course === null ? null : { exam, course }
}
