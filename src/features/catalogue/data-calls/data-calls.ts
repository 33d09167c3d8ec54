import type { SpecificationQuestion } from '../../questions/types/content-registry.ts'
import type { QuestionWithoutKey } from './data-calls.schema.ts'

/** The largest number of rows on a page. */
export const PAGE_LIMIT = 100

/** A question without its answer key and explanation. */
function withoutKey(question: SpecificationQuestion): QuestionWithoutKey {
  const { id, type, answer_a, answer_b, answer_c, answer_d, answer_e, answer_f, domain } = question
  return { id, type, question: question.question, answer_a, answer_b, answer_c, answer_d, answer_e, answer_f, domain }
}

/** The questions of an exam that a reader may see: everybody those of free trials, only admins the others. */
export function visibleQuestions(
  exam: { readonly isFreeTrial: boolean; readonly questions: readonly SpecificationQuestion[] },
  reader: { readonly isAdmin: boolean },
): (SpecificationQuestion | QuestionWithoutKey)[] {
  if (reader.isAdmin) return [...exam.questions]
  return exam.isFreeTrial ? exam.questions.map(withoutKey) : []
}
