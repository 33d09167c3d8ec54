import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { examsNamed } from '../../catalogue/course-choices-queries.server.ts'
import { CHOICES_SHOWN } from '../../catalogue/course-choices.ts'
import { getCurrentExam, getLatestExam, listLatestExams } from '../drafts/drafts-queries.server.ts'
import { matchesIn, matchesInCaseStudy, type Wording } from './batch.ts'
import type { Destinations, WordMatches } from './batch.schema.ts'

/** Questions in a reply; further ones are counted. */
const LISTED = 500

/** Finds words in the latest content of one exam or of all exams of a course. @throws Failure exam.not-found */
export async function findWords(
  db: Db,
  query: Wording & { courseId?: string | undefined; examId?: string | undefined },
): Promise<WordMatches> {
  const exams =
    query.examId === undefined
      ? await listLatestExams(db, query.courseId ?? '')
      : [await getLatestExam(db, query.examId)]
  const questions = exams.flatMap(({ familyId, settings, questions: all }) =>
    all.flatMap((question, index) => {
      const matches = matchesIn(question, query)
      if (matches.length === 0) return []
      return [{ examId: familyId, examTitle: settings.title, questionId: question.id, number: index + 1, matches }]
    }),
  )
  const caseStudies = exams.flatMap(({ familyId, settings, caseStudies: all }) =>
    all.flatMap((caseStudy) => {
      const matches = matchesInCaseStudy(caseStudy, query)
      if (matches.length === 0) return []
      const { id, title } = caseStudy
      return [{ examId: familyId, examTitle: settings.title, caseStudyId: id, title, matches }]
    }),
  )
  return {
    questions: questions.slice(0, LISTED),
    caseStudies,
    questionCount: questions.length,
    matchCount: [...questions, ...caseStudies].reduce((sum, { matches }) => sum + matches.length, 0),
  }
}

/**
 * Exams that can receive the questions of another: those of its course, or with a search those of any course whose titles or
 * slug contain each word. Exact matches come first, then the own course.
 * @throws Failure exam.not-found
 */
export async function listDestinations(db: Db, of: { examId: string; search: string }): Promise<Destinations> {
  const { courseId } = await getCurrentExam(db, of.examId)
  const matching = examsNamed(db, of.search, ['exam.test_name', 'exam.slug', 'courses.title'])
  const exams = of.search === '' ? matching.where('exam.course_id', '=', courseId) : matching
  const [choices, { count }] = await Promise.all([
    exams
      .orderBy(sql`lower(exam.slug) = lower(${of.search})`, 'desc')
      .orderBy(sql`exam.course_id = ${courseId}`, 'desc')
      .orderBy(sql`lower(exam.test_name) = lower(${of.search})`, 'desc')
      .orderBy('courses.title')
      .orderBy('courses.id')
      .orderBy('exam.position')
      .orderBy('exam.id')
      .limit(CHOICES_SHOWN)
      .select(['exam.family_id as id', 'exam.slug', 'exam.test_name as title', 'exam.question_count as questionCount'])
      .select('courses.title as courseTitle')
      .execute(),
    exams.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { choices, foundCount: count }
}
