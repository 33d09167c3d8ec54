import {
  toSpecification,
  toSpecificationWithoutKey,
  type SpecificationQuestion,
  type SpecificationQuestionWithoutKey,
} from '../../questions/types/content-registry.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'

/** The largest number of rows on a page. */
export const PAGE_LIMIT = 100

/** The questions of an exam that a reader may see: everybody those of free trials, only admins the others. */
export function visibleQuestions(
  exam: { readonly isFreeTrial: boolean; readonly questions: readonly Question[] },
  reader: { readonly isAdmin: boolean },
): (SpecificationQuestion | SpecificationQuestionWithoutKey)[] {
  if (reader.isAdmin) return exam.questions.map(toSpecification)
  return exam.isFreeTrial ? exam.questions.map(toSpecificationWithoutKey) : []
}
