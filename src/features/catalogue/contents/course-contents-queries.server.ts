import type { Db } from '../../../db/open.server.ts'
import type { ExamId } from '../../../lib/ids.ts'
import { cachedQuery, type CachedQueries } from '../../../platform/cache/cached-queries.server.ts'
import { getExamQuestions, listHomeCourses } from '../catalogue-queries.server.ts'
import { chooseSample, countContents, showSample } from './course-contents.ts'
import type { CourseContents, HomeSample, Sample } from './course-contents.schema.ts'

async function readContents(db: Db, courseId: string): Promise<CourseContents> {
  const rows = await db
    .selectFrom('test_questions')
    .where('course_id', '=', courseId)
    .where('is_current_version', '=', true)
    .orderBy('position')
    .orderBy('id')
    .select(['id', 'slug', 'test_name', 'is_free_trial', 'created_at'])
    .execute()
  const exams = await Promise.all(
    rows.map(async (row) => ({ ...row, questions: await getExamQuestions(db, row.id as ExamId) })),
  )
  const free = exams.filter((exam) => exam.is_free_trial)
  const paid = exams.filter((exam) => !exam.is_free_trial)
  const newest = Math.max(...exams.map((exam) => exam.created_at.getTime()))
  return {
    paid: countContents(paid.map(({ questions }) => questions)),
    free: countContents(free.map(({ questions }) => questions)),
    reviewedAt: exams.length === 0 ? null : new Date(newest).toISOString(),
    sample: free.map(toSample).find((sample) => sample !== null) ?? null,
  }
}

function toSample({
  slug,
  test_name: examTitle,
  questions,
}: {
  slug: string
  test_name: string
  questions: Parameters<typeof chooseSample>[0]
}): Sample | null {
  const question = chooseSample(questions)
  if (question === null) return null
  return { examSlug: slug, examTitle, questionCount: questions.length, question: showSample(question) }
}

/** What is in a course, cached until the catalogue changes. */
export const courseContents = cachedQuery('course-detail', readContents)

/** The question to try of the home page: of the newest course for beginners with a free trial, or else of the newest course. */
export async function findHomeSample(deps: {
  readonly cachedQueries: CachedQueries
  readonly db: Db
}): Promise<HomeSample | null> {
  const { courses } = await listHomeCourses(deps, { text: '', category: null, page: 1 })
  const tried = courses.filter(({ hasFreeTrial }) => hasFreeTrial)
  const course = tried.find(({ category }) => category === 'practitioner') ?? tried[0]
  if (course === undefined) return null
  const { sample } = await deps.cachedQueries.get(courseContents, deps.db, course.id)
  return sample === null ? null : { courseSlug: course.slug, courseTitle: course.title, sample }
}
