import type { Answer, Question, QuestionType } from './question-types.schema.ts'
import type { OfType } from './type-grading.ts'

/** How many learners gave an answer. */
export type AnswerCount<Given extends Answer = Answer> = { readonly answer: Given; readonly count: number }

/** A part of a question, such as an option, and how many learners answered it. */
export type PartCount = {
  readonly id: string
  readonly text: string
  readonly isRight: boolean
  readonly count: number
}

export type StatisticsLabels = {
  readonly parts: string
  /** With `{n}` for the number of the question. */
  readonly partsOfQuestion: string
  readonly right: string
}

/** How answers to questions of a type are counted. */
export interface TypeStatistics<Type extends QuestionType> {
  /** The counts of the parts in stored order. A learner counts at each part that their answer names. */
  countParts(question: OfType<Question, Type>, given: readonly AnswerCount<OfType<Answer, Type>>[]): PartCount[]
  /** Whether learners prefer a wrong answer, so that the answer key should be checked. */
  isKeyDoubtful(parts: readonly PartCount[]): boolean
  readonly labels: StatisticsLabels
}
