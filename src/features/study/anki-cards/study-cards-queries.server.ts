import type { Db } from '../../../db/open.server.ts'
import type { CourseId, ExamId, UserId } from '../../../lib/ids.ts'
import { listImages } from '../../exchange/exports/exports-queries.server.ts'
import { getExamCaseStudies } from '../../catalogue/catalogue-queries.server.ts'
import type { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { writeLearnerCards } from '../../questions/formats/bank.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { listShownVersions } from '../progress/study-progress-commands.server.ts'
import { listVersions } from '../study-exams-queries.server.ts'
import { getStudy } from '../study-queries.server.ts'
import { isForCards } from '../study.ts'
import { fail } from '../study.schema.ts'

export type CardsOf = {
  readonly userId: UserId
  readonly courseId: CourseId
  readonly courseTitle: string
  readonly courseSlug: string
  readonly now: Date
}

export type CardsFile = {
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/**
 * The missed and due questions of a learner as a package of Anki. Each is as it was in the version that the learner answered last: its
 * answer key was shown then, and that of a later version was not. The caller checks access.
 * @throws Failure cards.none
 */
export async function exportCards(db: Db, of: CardsOf): Promise<CardsFile> {
  const [study, shown] = await Promise.all([getStudy(db, of), listShownVersions(db, of)])
  const chosen = study.questions.flatMap(({ key, question, standing }) => {
    const examId = shown.get(key)
    return isForCards(standing) && examId !== undefined ? [{ examId, questionId: question.id }] : []
  })
  const versions = await listVersions(db, new Set<ExamId>(chosen.map(({ examId }) => examId)))
  const questions = chosen.flatMap(({ examId, questionId }): Question[] => {
    const question = versions.get(examId)?.get(questionId)
    return question === undefined ? [] : [question]
  })
  if (questions.length === 0) throw fail('cards.none')
  const caseStudies = new Map<string, CaseStudy>()
  for (const { examId, questionId } of chosen) {
    const named = versions.get(examId)?.get(questionId)?.caseStudy
    if (named === undefined) continue
    const found = (await getExamCaseStudies(db, examId)).find(({ id }) => id === named)
    if (found !== undefined) caseStudies.set(questionId, found)
  }
  const bytes = await writeLearnerCards({
    courseTitle: of.courseTitle,
    questions,
    caseStudies,
    images: await listImages(db, questions, [...caseStudies.values()]),
    now: of.now,
  })
  return { fileName: `${of.courseSlug}-cards.apkg`, contentType: 'application/octet-stream', bytes }
}
