import type { Db } from '../../db/open.server.ts'
import type { ExamId } from '../../lib/ids.ts'
import { getExamCaseStudies, getExamQuestions } from '../catalogue/catalogue-queries.server.ts'
import type { CaseStudy } from '../questions/case-studies/case-study.schema.ts'
import type { Question } from '../questions/types/question-types.schema.ts'
import { examPlaces, inDrawnExam, drawnCaseStudyId } from './drawn-exams/drawn-exams.ts'
import type { Layout } from './attempts.schema.ts'

/** Where the questions of an attempt come from: one version of an exam, or the versions that its layout names. */
export type AttemptSource = {
  readonly exam: { readonly examId: ExamId; readonly familyId: string } | null
  readonly layout: Layout
}

/**
 * The questions of any attempt with their answer keys, in no particular order, under the ids that its layout and its answers use.
 * The caller has to check who may see them.
 */
export async function listQuestionsOf(db: Db, { exam, layout }: AttemptSource): Promise<Question[]> {
  if (exam !== null) return getExamQuestions(db, exam.examId)
  const places = examPlaces(layout)
  const banks = new Map(
    await Promise.all(
      [...places.keys()].map(async (examId) => {
        const questions = await getExamQuestions(db, examId as ExamId)
        return [examId, new Map(questions.map((question) => [question.id, question]))] as const
      }),
    ),
  )
  return layout.flatMap((entry) => {
    const { from } = entry
    const question = from === undefined ? undefined : banks.get(from.examId)?.get(from.questionId)
    return question === undefined ? [] : [inDrawnExam(question, entry, places)]
  })
}

/** The case studies of the exams of an attempt, under the ids that `listQuestionsOf` uses. */
export async function listCaseStudiesOf(db: Db, { exam, layout }: AttemptSource): Promise<readonly CaseStudy[]> {
  if (exam !== null) return getExamCaseStudies(db, exam.examId)
  const places = examPlaces(layout)
  const lists = await Promise.all(
    [...places].map(async ([examId, place]) => {
      const caseStudies = await getExamCaseStudies(db, examId as ExamId)
      return caseStudies.map((one) => ({ ...one, id: drawnCaseStudyId(place, one.id) }))
    }),
  )
  return lists.flat()
}
