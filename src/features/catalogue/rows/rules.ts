import type { StoredQuestion } from '../../questions/schema.ts'
import type { QuestionWithoutKey } from './schema.ts'

/** Rows on a page of a list, at most. */
export const PAGE_LIMIT = 100

/** What may be shown of a question before its key is due. */
export function withoutKey(question: StoredQuestion): QuestionWithoutKey {
  const { id, answer_a, answer_b, answer_c, answer_d, answer_e, answer_f, domain } = question
  return { id, question: question.question, answer_a, answer_b, answer_c, answer_d, answer_e, answer_f, domain }
}

/** Spec 4: questions of free trials for everybody, of other exams for admins alone. */
export function visibleQuestions(
  exam: { readonly isFreeTrial: boolean; readonly questions: readonly StoredQuestion[] },
  reader: { readonly isAdmin: boolean },
): (StoredQuestion | QuestionWithoutKey)[] {
  if (reader.isAdmin) return [...exam.questions]
  return exam.isFreeTrial ? exam.questions.map(withoutKey) : []
}
