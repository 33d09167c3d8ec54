import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { getCourseFacts, getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { lockExams } from '../../catalogue/exam-locks-commands.server.ts'
import { getCurrentExam } from '../drafts/drafts-queries.server.ts'
import { storeVerifications } from './verification-commands.server.ts'
import { dayOf } from './verification.ts'

type Mark = {
  readonly actorId: UserId | null
  readonly now: Date
  readonly questions: readonly { readonly examId: string; readonly questionId: string }[]
}

/**
 * Marks questions as verified today, against the exam guide of their course, in the published version and the draft. Questions that
 * are gone are left out. @throws Failure exam.not-found
 */
export async function markVerified(db: Db, { actorId, now, questions }: Mark): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const families = new Map<string, Set<string>>()
    for (const { examId, questionId } of questions) {
      const { familyId } = await getCurrentExam(tx, examId)
      families.set(familyId, (families.get(familyId) ?? new Set()).add(questionId))
    }
    await lockExams(tx, [...families.keys()])
    let count = 0
    for (const [familyId, ids] of families) {
      const { id, courseId } = await getCurrentExam(tx, familyId)
      const guide = (await getCourseFacts(tx, courseId)).blueprint?.guide
      const chosen = (await getExamQuestions(tx, id)).filter((question) => ids.has(question.id))
      const marked = chosen.map((question) => ({
        ...question,
        verifiedOn: dayOf(now),
        ...(guide !== undefined && { guide }),
      }))
      await storeVerifications(tx, { actorId, now, familyId, questions: marked, isTextCompared: false })
      count += marked.length
    }
    return count
  })
}
