import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { examsNamed } from '../../catalogue/course-choices-queries.server.ts'
import { CHOICES_SHOWN } from '../../catalogue/course-choices.ts'
import { getCurrentExam, getLatestExam, listLatestExams } from '../drafts/drafts-queries.server.ts'
import { matchesIn, type Wording } from './batch.ts'
import type { Destinations, WordMatches } from './batch.schema.ts'

/** So many questions are listed; there may be more. */
const LISTED = 500

/** Where the exams of a course, or one exam, say something: in their drafts where they have one. @throws Failure exam.not-found */
export async function findWords(
  db: Db,
  asked: Wording & { courseId?: string | undefined; examId?: string | undefined },
): Promise<WordMatches> {
  const exams =
    asked.examId === undefined
      ? await listLatestExams(db, asked.courseId ?? '')
      : [await getLatestExam(db, asked.examId)]
  const questions = exams.flatMap(({ familyId, settings, questions: all }) =>
    all.flatMap((question, index) => {
      const matches = matchesIn(question, asked)
      if (matches.length === 0) return []
      return [{ examId: familyId, examTitle: settings.title, questionId: question.id, number: index + 1, matches }]
    }),
  )
  return {
    questions: questions.slice(0, LISTED),
    questionCount: questions.length,
    matchCount: questions.reduce((sum, { matches }) => sum + matches.length, 0),
  }
}

/**
 * Exams to which the questions of one may go: those of its course, or of any course where each word stands in the titles or the
 * address of the exam. What is typed whole comes first, then its own course.
 * @throws Failure exam.not-found
 */
export async function listDestinations(db: Db, of: { examId: string; search: string }): Promise<Destinations> {
  const { courseId } = await getCurrentExam(db, of.examId)
  const named = examsNamed(db, of.search, ['exam.test_name', 'exam.slug', 'courses.title'])
  const found = of.search === '' ? named.where('exam.course_id', '=', courseId) : named
  const [choices, { count }] = await Promise.all([
    found
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
    found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { choices, foundCount: count }
}
