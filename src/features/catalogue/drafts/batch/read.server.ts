import type { Db } from '../../../../db/open.server.ts'
import { getLatestExam, listLatestExams } from '../read.server.ts'
import { hitsIn, type Wording } from './rules.ts'
import type { FoundWords } from './schema.ts'

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
