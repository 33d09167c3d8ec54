import type { Remark } from '../checks/bank-checks.schema.ts'
import type { Question, QuestionType } from './question-types.schema.ts'
import type { OfType } from './type-grading.ts'

/** A part of a question, as questions are compared. */
export interface ComparedPart {
  readonly text: string
  /** What the answer key says about it. Two equal questions contradict each other if equal parts have different values. */
  readonly keyValue: string
  /** Whether it belongs to the right answer. */
  readonly isRight: boolean
}

export type KeyComparison = 'same' | 'open' | 'contrary'

/** An option that a test-wise learner may guess to be the right one. */
export interface CueOption {
  readonly text: string
  readonly isRight: boolean
}

/** The groups in which questions are counted: choices by how many options are right, others by type. */
export type QuestionKind = 'single' | 'multiple' | Exclude<QuestionType, 'choice'>

/** What the checks of the bank ask about a type. */
export interface TypeChecks<Type extends QuestionType> {
  comparedParts(question: OfType<Question, Type>): ComparedPart[]
  /**
   * How the key values of two equal parts stand to each other: `open` if both may be right, although neither says what the other does.
   * Without it, different values contradict each other.
   */
  compareKeys?(mine: string, other: string): KeyComparison
  /** What a learner would stumble over in the wording of one question. */
  wordingRemarks(question: OfType<Question, Type>): Remark[]
  /** What an exam reveals by the patterns in its questions of this type, or gets out of proportion. */
  balanceRemarks(questions: readonly OfType<Question, Type>[]): Remark[]
  /** The options in the order of the author, of which exactly one is right; null if the question is no such choice. */
  cueOptions(question: OfType<Question, Type>): readonly CueOption[] | null
  /** The words that say what a number of such questions has, for each kind of this type. */
  readonly kinds: { readonly [Kind in QuestionKind]?: string }
  kindOf(question: OfType<Question, Type>): QuestionKind
}
