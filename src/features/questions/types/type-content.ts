import type { SpecificationQuestion, SpecificationQuestionWithoutKey } from './content-registry.ts'
import type { Question, QuestionType } from './question-types.schema.ts'
import type { OfType } from './type-grading.ts'
import type { ReadBody } from './type-validation.ts'

/** What the bank does with the content of a type. */
export interface TypeContent<Type extends QuestionType> {
  /** Equal for questions that say the same. */
  fingerprint(question: OfType<Question, Type>): string
  /** Changes with anything that the question says (`contentText`). */
  contentText(question: OfType<Question, Type>): string
  /** A copy under another key with new ids of its parts, so that no stored answer refers to them. */
  copy(question: OfType<Question, Type>, id: string): OfType<Question, Type>
  readonly readBody: ReadBody<Type>
  /** The texts that only this type has, such as those of options. */
  texts(question: OfType<Question, Type>): string[]
  /** The question with each of these texts changed. */
  withTexts(question: OfType<Question, Type>, change: (text: string) => string): OfType<Question, Type>
  /** The question in the fields of the specification. */
  toSpecification(question: OfType<Question, Type>): SpecificationQuestion
  /** The same without answer key and explanation. */
  withoutKey(question: OfType<Question, Type>): SpecificationQuestionWithoutKey
}
