import { fromStored } from '../questions/types/content-registry.ts'
import { CaseStudy } from '../questions/case-studies/case-study.schema.ts'
import type { Question } from '../questions/types/question-types.schema.ts'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { z } from 'zod'
import type { Db } from '../../db/open.server.ts'
import { isUuid, type CourseId, type ExamId } from '../../lib/ids.ts'
import { dollarsColumn } from '../../lib/money.ts'
import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import { likeText } from '../../lib/text.ts'
import { cachedQuery, type CachedQueries } from '../../platform/cache/cached-queries.server.ts'
import { LIFETIMES_MS, READ_AHEAD_EXAMS, ADAPTIVE_TTL } from '../../platform/cache/cache-classes.ts'
import { countCacheUse } from '../../platform/cache/cache-counts.server.ts'
import { Blueprint } from '../questions/questions.schema.ts'
import {
  CARDS_ON_PAGE,
  CATEGORIES,
  COURSES_ON_PAGE,
  fitsSearch,
  wordsOf,
  type Category,
  type CourseSearch,
} from './catalogue.ts'
import {
  fail,
  type AdminCourses,
  type AdminCourseView,
  type CourseCardView,
  type CourseFactsView,
  type CourseFilter,
  type CourseView,
  type ExamSummary,
  type HomeCourses,
} from './catalogue.schema.ts'

const summaryColumns = [
  'test_questions.id',
  'test_questions.slug',
  'test_questions.test_name',
  'test_questions.question_count',
  'test_questions.time_limit',
  'test_questions.passing_score',
  'test_questions.is_free_trial',
  'test_questions.row_version',
] as const

type SummaryRow = {
  id: string
  slug: string
  test_name: string
  question_count: number
  time_limit: number
  passing_score: number
  is_free_trial: boolean
  row_version: number
}

function toSummary(row: SummaryRow): ExamSummary {
  return {
    id: row.id,
    slug: row.slug,
    title: row.test_name,
    questionCount: row.question_count,
    timeLimitMinutes: row.time_limit,
    passingScore: row.passing_score,
    isFreeTrial: row.is_free_trial,
  }
}

function readBlueprint(value: unknown): Blueprint | null {
  const parsed = Blueprint.safeParse(value)
  return parsed.success ? parsed.data : null
}

function courses(db: Db) {
  return db
    .selectFrom('courses')
    .select([
      'courses.id',
      'courses.slug',
      'courses.title',
      'courses.description',
      'courses.price',
      'courses.was_price',
      'courses.sale_ends_at',
      'courses.category',
      'courses.image_url',
      'courses.blueprint',
      'courses.user_id',
      'courses.updated_at',
      'courses.status',
      'courses.row_version',
      'courses.total_questions',
      'courses.total_practice_exams',
    ])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('test_questions')
          .select(summaryColumns)
          .whereRef('test_questions.course_id', '=', 'courses.id')
          .where('test_questions.is_current_version', '=', true)
          .orderBy('test_questions.position')
          .orderBy('test_questions.id'),
      ).as('exams'),
    )
}

type CourseRow = Awaited<ReturnType<ReturnType<typeof courses>['executeTakeFirstOrThrow']>>

function toView(row: CourseRow): CourseView {
  const exams = row.exams.map(toSummary)
  const blueprint = readBlueprint(row.blueprint)
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    priceCents: dollarsColumn(row.price),
    wasCents: row.was_price === null ? null : dollarsColumn(row.was_price),
    saleEndsAt: row.sale_ends_at?.toISOString() ?? null,
    category: row.category,
    imageUrl: row.image_url,
    code: blueprint?.code ?? null,
    totalExams: row.total_practice_exams ?? exams.length,
    totalQuestions: row.total_questions ?? exams.reduce((total, exam) => total + exam.questionCount, 0),
    hasFreeTrial: exams.some((exam) => exam.isFreeTrial),
    blueprint,
    updatedAt: row.updated_at.toISOString(),
    exams,
  }
}

/** Public lists show the newest of the published courses with the same title and owner. */
export const isNewestOfTitle = sql<boolean>`not exists (select from courses as newer
  where newer.title = courses.title and newer.user_id is not distinct from courses.user_id
    and newer.status = 'published' and (newer.created_at, courses.id) > (courses.created_at, newer.id))`

/** The courses of public lists. */
function onSale(db: Db, category: Category | null) {
  const query = db.selectFrom('courses').where('courses.status', '=', 'published').where(isNewestOfTitle)
  return category === null ? query : query.where('courses.category', '=', category)
}

/** A page of the public list, newest first, and the number of all its courses. */
async function listCards(
  db: Db,
  level: string,
  page: string,
): Promise<{ courses: CourseCardView[]; foundCount: number }> {
  const category = CATEGORIES.find((name) => name === level) ?? null
  const [found, { count }] = await Promise.all([
    onSale(db, category)
      .orderBy('courses.created_at', 'desc')
      .orderBy('courses.id')
      .limit(CARDS_ON_PAGE)
      .offset((Number(page) - 1) * CARDS_ON_PAGE)
      .select('courses.id')
      .execute(),
    onSale(db, category)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return { courses: await listCardsByIds(db, ...found.map(({ id }) => id)), foundCount: count }
}

async function listCardsByIds(db: Db, ...ids: string[]): Promise<CourseCardView[]> {
  const byId = new Map((await listCoursesByIds(db, ids)).map((course) => [course.id, course]))
  return ids.flatMap((id) => {
    const course = byId.get(id)
    if (course === undefined) return []
    const { blueprint: _blueprint, updatedAt: _updatedAt, exams: _exams, ...card } = course
    return [card]
  })
}

/** The searchable words of all courses on sale, for a search when they do not fit on one page. */
async function listWords(db: Db): Promise<{ id: string; category: Category | null; words: string }[]> {
  const rows = await onSale(db, null)
    .orderBy('courses.created_at', 'desc')
    .orderBy('courses.id')
    .select(['courses.id', 'courses.title', 'courses.description', 'courses.category'])
    .select(sql<string | null>`courses.blueprint ->> 'code'`.as('code'))
    .execute()
  return rows.map((row) => ({ id: row.id, category: row.category, words: wordsOf(row) }))
}

const cardPage = cachedQuery('all-courses', listCards)
const allWords = cachedQuery('all-courses', listWords)
const matchingCards = cachedQuery('search-results', listCardsByIds)

/**
 * A page of the home page's list. When all courses fit on one page, it returns them all, whatever the search: the browser then
 * searches by itself.
 */
export async function listHomeCourses(
  { cachedQueries, db }: { readonly cachedQueries: CachedQueries; readonly db: Db },
  filter: CourseSearch & { readonly page: number },
): Promise<HomeCourses> {
  const first = await cachedQueries.get(cardPage, db, '', '1')
  const allCount = first.foundCount
  if (allCount <= CARDS_ON_PAGE) return { ...first, allCount, isWhole: true, page: 1, pageCount: 1 }
  const begin = (filter.page - 1) * CARDS_ON_PAGE
  if (filter.text === '') {
    const found = await cachedQueries.get(cardPage, db, filter.category ?? '', String(filter.page))
    return { ...found, allCount, isWhole: false, page: filter.page, pageCount: pagesOf(found.foundCount) }
  }
  const ids = (await cachedQueries.get(allWords, db)).filter(fitsSearch(filter)).map(({ id }) => id)
  const courses = await cachedQueries.get(matchingCards, db, ...ids.slice(begin, begin + CARDS_ON_PAGE))
  const foundCount = ids.length
  return { courses, foundCount, allCount, isWhole: false, page: filter.page, pageCount: pagesOf(foundCount) }
}

const pagesOf = (count: number) => Math.max(1, Math.ceil(count / CARDS_ON_PAGE))

/** The slugs of all courses on sale, newest first. */
export async function listSlugs(db: Db): Promise<string[]> {
  const rows = await onSale(db, null)
    .orderBy('courses.created_at', 'desc')
    .orderBy('courses.id')
    .select('courses.slug')
    .execute()
  return rows.map(({ slug }) => slug)
}

/** A course by its slug or id. Withdrawn courses are included for their owners; drafts are not. */
export async function findCourse(db: Db, slugOrId: string): Promise<CourseView | null> {
  const row = await courses(db)
    .where(isUuid(slugOrId) ? 'courses.id' : 'courses.slug', '=', slugOrId.toLowerCase())
    .where('courses.status', 'in', ['published', 'withdrawn'])
    .executeTakeFirst()
  return row === undefined ? null : toView(row)
}

/** The same, cached until the catalogue changes. */
export const courseDetail = cachedQuery('course-detail', findCourse)

async function listCoursesByIds(db: Db, ids: readonly string[]): Promise<CourseView[]> {
  if (ids.length === 0) return []
  const rows = await courses(db).where('courses.id', 'in', ids).execute()
  return rows.map(toView)
}

const courseById = cachedQuery('course-detail', async (db, id: string) => (await listCoursesByIds(db, [id]))[0] ?? null)

/** Courses by their ids, drafts included, each cached until the catalogue changes. Unknown ids are left out. */
export async function listKnownCourses(
  { cachedQueries, db }: { readonly cachedQueries: CachedQueries; readonly db: Db },
  ids: readonly string[],
): Promise<CourseView[]> {
  const courses = await Promise.all(ids.map((id) => cachedQueries.get(courseById, db, id)))
  return courses.filter((course) => course !== null)
}

export type ExamFacts = ExamSummary & {
  readonly id: ExamId
  readonly familyId: string
  readonly courseId: CourseId
  readonly courseSlug: string
  readonly courseTitle: string
  readonly scoringPolicy: 'all-or-nothing' | 'partial'
  readonly blueprint: Blueprint | null
}

/** The current version of an exam by its slug; null when it does not belong to the given course. */
export async function findExam(db: Db, examSlug: string, courseSlugOrId?: string): Promise<ExamFacts | null> {
  const row = await db
    .selectFrom('test_questions')
    .innerJoin('courses', 'courses.id', 'test_questions.course_id')
    .where('test_questions.slug', '=', examSlug.toLowerCase())
    .where('test_questions.is_current_version', '=', true)
    .where('courses.status', 'in', ['published', 'withdrawn'])
    .select([
      ...summaryColumns,
      'test_questions.family_id',
      'test_questions.course_id',
      'test_questions.scoring_policy',
      'courses.slug as course_slug',
      'courses.title as course_title',
      'courses.blueprint',
    ])
    .executeTakeFirst()
  if (row === undefined) return null
  if (courseSlugOrId !== undefined && ![row.course_slug, row.course_id].includes(courseSlugOrId.toLowerCase()))
    return null
  return {
    ...toSummary(row),
    id: row.id as ExamId,
    familyId: row.family_id,
    courseId: row.course_id as CourseId,
    courseSlug: row.course_slug,
    courseTitle: row.course_title,
    scoringPolicy: row.scoring_policy,
    blueprint: readBlueprint(row.blueprint),
  }
}

/** The facts of an exam for its start page, cached until the catalogue changes. */
export const examFacts = cachedQuery('exam', (db, examSlug: string, ...courseSlug: string[]) =>
  findExam(db, examSlug, courseSlug[0]),
)

/**
 * The questions of one version of an exam with their answer keys. The caller has to check who may see them.
 * @throws Failure exam.not-found
 */
export async function getExamQuestions(db: Db, examId: ExamId): Promise<Question[]> {
  return [...(await getExamContent(db, examId)).questions]
}

/** The case studies of one version of an exam. @throws Failure exam.not-found */
export async function getExamCaseStudies(db: Db, examId: ExamId): Promise<readonly CaseStudy[]> {
  return (await getExamContent(db, examId)).caseStudies
}

async function getExamContent(db: Db, examId: ExamId): Promise<ExamContent> {
  const cached = examData.get(examId)
  // The version includes the writing transaction, so that a rolled-back row version is not mistaken for a later one.
  const version = sql<string>`xmin::text || ' ' || row_version::text`
  const row = await db
    .selectFrom('test_questions')
    .where('id', '=', examId)
    .select([
      version.as('version'),
      sql<unknown>`case when ${version} is distinct from ${cached?.version ?? null} then questions end`.as('questions'),
      sql<unknown>`case when ${version} is distinct from ${cached?.version ?? null} then case_studies end`.as(
        'case_studies',
      ),
    ])
    .executeTakeFirst()
  if (row === undefined) throw fail('exam.not-found')
  countCacheUse('exam-data', cached?.version === row.version)
  if (cached?.version === row.version) return cached
  const content = {
    version: row.version,
    questions: z.array(z.unknown()).parse(row.questions).map(fromStored),
    caseStudies: z.array(CaseStudy).parse(row.case_studies),
  }
  examData.set(examId, content, LIFETIMES_MS['exam-data'])
  return content
}

type ExamContent = {
  readonly version: string
  readonly questions: readonly Question[]
  readonly caseStudies: readonly CaseStudy[]
}

/** Parsed questions. Each use compares their version with the database, and only reads and parses them when it differs. */
const examData = new AdaptiveCache<ExamContent>({
  ...ADAPTIVE_TTL,
  now: () => performance.now(),
})

/** Caches the questions of a course's exams when a user with access views the course. */
export function readAheadExams(db: Db, course: CourseView): void {
  if (course.exams.length > READ_AHEAD_EXAMS) return
  // A failed read is repeated, and reported, when the exam starts.
  for (const { id } of course.exams) void getExamQuestions(db, id as ExamId).catch(() => undefined)
}

/** A page of the admin's list. Only the courses of the page are read in full. */
export async function listAdminCourses(db: Db, filter: CourseFilter): Promise<AdminCourses> {
  const { count } = await matchingCourses(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const pageCount = Math.max(1, Math.ceil(count / COURSES_ON_PAGE))
  const page = Math.min(filter.page, pageCount)
  const found = await sorted(matchingCourses(db, filter), filter.sort)
    .select('courses.id')
    .limit(COURSES_ON_PAGE)
    .offset((page - 1) * COURSES_ON_PAGE)
    .execute()
  const ids = found.map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await courses(db).where('courses.id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return {
    courses: ids.flatMap((id) => {
      const row = byId.get(id)
      return row === undefined ? [] : [toAdminView(row)]
    }),
    foundCount: count,
    page,
    pageCount,
  }
}

function matchingCourses(db: Db, filter: CourseFilter) {
  let query = coursesNamed(db, filter.search)
  if (filter.status !== 'all') query = query.where('courses.status', '=', filter.status)
  if (filter.level === 'none') query = query.where('courses.category', 'is', null)
  else if (filter.level !== 'all') query = query.where('courses.category', '=', filter.level)
  return query
}

/** Courses whose title, slug or code contains each word of a search. Every search by admins uses it. */
export function coursesNamed(db: Db, search: string) {
  let query = db.selectFrom('courses')
  for (const pattern of patternsOf(search))
    query = query.where(({ or, eb }) =>
      or([
        eb('courses.title', 'ilike', pattern),
        eb('courses.slug', 'ilike', pattern),
        eb(sql`courses.blueprint ->> 'code'`, 'ilike', pattern),
      ]),
    )
  return query
}

/** The `ilike` patterns for the words of a search. */
export function patternsOf(search: string): string[] {
  return search
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `%${likeText(word)}%`)
}

/** Every order except that by exams uses an index. Ties are sorted by id, so that pages do not overlap. */
function sorted(query: ReturnType<typeof matchingCourses>, sort: CourseFilter['sort']) {
  if (sort === 'title') return query.orderBy('courses.title').orderBy('courses.id')
  if (sort === 'price') return query.orderBy('courses.price', 'desc').orderBy('courses.id')
  if (sort === 'changed') return query.orderBy('courses.updated_at', 'desc').orderBy('courses.id')
  const examCount = sql`(select count(*) from test_questions where course_id = courses.id and is_current_version)`
  return query.orderBy(examCount, 'desc').orderBy('courses.id')
}

function toAdminView(row: CourseRow): AdminCourseView {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    imageUrl: row.image_url,
    code: readBlueprint(row.blueprint)?.code ?? null,
    rowVersion: row.row_version,
    priceCents: dollarsColumn(row.price),
    category: row.category,
    status: row.status,
    updatedAt: row.updated_at.toISOString(),
    exams: row.exams.map((exam) => ({ ...toSummary(exam), rowVersion: exam.row_version })),
  }
}

/** A course of any status for editing. @throws Failure course.not-found */
export async function getCourseFacts(db: Db, courseId: string): Promise<CourseFactsView> {
  const row = await db
    .selectFrom('courses')
    .where('id', '=', courseId)
    .select(['id', 'slug', 'title', 'description', 'image_url', 'price', 'category', 'status', 'blueprint'])
    .select(['row_version', 'updated_at'])
    .executeTakeFirst()
  if (row === undefined) throw fail('course.not-found')
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    imageUrl: row.image_url,
    priceCents: dollarsColumn(row.price),
    category: row.category,
    status: row.status,
    blueprint: readBlueprint(row.blueprint),
    rowVersion: row.row_version,
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Counts the exams, questions and drafts of a course. @throws Failure course.not-found */
export async function countContent(
  db: Db,
  courseId: string,
): Promise<{ exams: number; questions: number; drafts: number }> {
  await getCourseFacts(db, courseId)
  const { rows } = await sql<{ exams: number; questions: number; drafts: number }>`
    select count(*)::int as exams, coalesce(sum(question_count), 0)::int as questions,
      (count(*) filter (where exists (select from exam_drafts where exam_drafts.family_id = exam.family_id)))::int as drafts
    from test_questions exam where course_id = ${courseId} and is_current_version`.execute(db)
  return rows[0] ?? { exams: 0, questions: 0, drafts: 0 }
}

type ExamToReview = {
  readonly id: string
  readonly title: string
  readonly course: string
  readonly count: number
}
const REVIEWS_SHOWN = 50

/** The number of questions that are marked for review, and the exams with the most of them. */
export async function listNeedsReview(db: Db): Promise<{ count: number; exams: ExamToReview[] }> {
  const waiting = db
    .selectFrom('test_questions')
    .where('is_current_version', '=', true)
    .where('needs_review_count', '>', 0)
  const [{ count }, exams] = await Promise.all([
    waiting
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('needs_review_count'), sql<number>`0`).as('count'))
      .executeTakeFirstOrThrow(),
    waiting
      .innerJoin('courses', 'courses.id', 'test_questions.course_id')
      .orderBy('needs_review_count', 'desc')
      .orderBy('test_questions.id')
      .limit(REVIEWS_SHOWN)
      .select([
        'test_questions.id',
        'test_questions.test_name as title',
        'courses.title as course',
        'test_questions.needs_review_count as count',
      ])
      .execute(),
  ])
  return { count: Number(count), exams }
}

export async function countCatalogue(db: Db): Promise<{ courses: number; exams: number; questions: number }> {
  const { rows } = await sql<{ courses: number; exams: number; questions: number }>`
    select (select count(*) from courses where status = 'published')::int as courses,
      count(*)::int as exams, coalesce(sum(question_count), 0)::int as questions
    from test_questions join courses on courses.id = test_questions.course_id
    where is_current_version and courses.status = 'published'`.execute(db)
  return rows[0] ?? { courses: 0, exams: 0, questions: 0 }
}
