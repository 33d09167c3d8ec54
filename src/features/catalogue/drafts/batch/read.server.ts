import { sql } from 'kysely'
import type { Db } from '../../../../db/open.server.ts'
import { likeText } from '../../../../lib/text.ts'
import { getCurrentExam, getLatestExam, listLatestExams } from '../read.server.ts'
import { hitsIn, type Wording } from './rules.ts'
import type { Destination, FoundWords } from './schema.ts'

/** So many questions are listed; there may be more. */
const LISTED = 500

/** Where the exams of a course, or one exam, say something: in their drafts where they have one. @throws Failure exam.not-found */
export async function findWords(
  db: Db,
  asked: Wording & { courseId?: string | undefined; examId?: string | undefined },
): Promise<FoundWords> {
  const exams =
    asked.examId === undefined
      ? await listLatestExams(db, asked.courseId ?? '')
      : [await getLatestExam(db, asked.examId)]
  const questions = exams.flatMap(({ familyId, settings, questions: all }) =>
    all.flatMap((question, index) => {
      const hits = hitsIn(question, asked)
      if (hits.length === 0) return []
      return [{ examId: familyId, examTitle: settings.title, questionId: question.id, number: index + 1, hits }]
    }),
  )
  return {
    questions: questions.slice(0, LISTED),
    questionCount: questions.length,
    hitCount: questions.reduce((sum, { hits }) => sum + hits.length, 0),
  }
}

/** More are not looked through in a list; another word narrows it. */
const DESTINATIONS = 30

/**
 * Exams to which the questions of one may go: those of its course, or of any course where each word stands in the title of
 * exam or course, its own course first.
 * @throws Failure exam.not-found
 */
export async function listDestinations(db: Db, of: { examId: string; search: string }): Promise<Destination[]> {
  const { courseId } = await getCurrentExam(db, of.examId)
  const words = of.search.split(/\s+/).filter(Boolean)
  let query = db
    .selectFrom('test_questions as exam')
    .innerJoin('courses', 'courses.id', 'exam.course_id')
    .where('exam.is_current_version', '=', true)
  if (words.length === 0) query = query.where('exam.course_id', '=', courseId)
  for (const word of words) {
    const pattern = `%${likeText(word)}%`
    query = query.where(({ eb, or }) =>
      or([eb('exam.test_name', 'ilike', pattern), eb('courses.title', 'ilike', pattern)]),
    )
  }
  const rows = await query
    .orderBy(sql`exam.course_id = ${courseId}`, 'desc')
    .orderBy('courses.title')
    .orderBy('courses.id')
    .orderBy('exam.position')
    .orderBy('exam.id')
    .limit(DESTINATIONS)
    .select(['exam.family_id', 'exam.test_name', 'exam.question_count', 'courses.title'])
    .execute()
  return rows.map((row) => ({
    id: row.family_id,
    title: row.test_name,
    courseTitle: row.title,
    questionCount: row.question_count,
  }))
}
