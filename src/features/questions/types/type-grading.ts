import type { ScoringPolicy } from './question-base.schema.ts'
import type { AnswerKey } from './question-edit.schema.ts'
import type {
  Answer,
  AnswerShape,
  Question,
  QuestionForReview,
  QuestionForTaking,
  QuestionType,
} from './question-types.schema.ts'

/** A right answer is 60 points, so that a half, third, quarter, fifth or sixth of it is a whole number. */
export const POINTS = 60

/** The member of a union with a type. */
export type OfType<Union extends { readonly type: QuestionType }, Type extends QuestionType> = Extract<
  Union,
  { readonly type: Type }
>

/** Why an answer does not fit a question: it names parts that the question does not have, or too many of them. */
export type AnswerProblem = 'unknown-part' | 'too-many'
/** Why an answer key does not fit a question: unknown parts, or another number of right parts than learners were told. */
export type KeyProblem = 'unknown-part' | 'count'

/** The fields of a posted form: `FormData` in browsers, `URLSearchParams` on the server. */
export type PostedFields = { getAll(name: string): readonly unknown[] }

/** In how many ways some of the items can be chosen. */
export function waysToChoose(from: number, count: number): number {
  let ways = 1
  for (let taken = 0; taken < count; taken++) ways = (ways * (from - taken)) / (taken + 1)
  return ways
}

/** In how many ways some of the items can be put into an order. */
export function waysToOrder(from: number, count: number): number {
  let ways = 1
  for (let taken = 0; taken < count; taken++) ways *= from - taken
  return ways
}

/** How a type is taken and graded, in browsers too. */
export interface TypeGrading<Type extends QuestionType> {
  /** The worth of an answer, from 0 to `POINTS`. */
  points(question: OfType<Question, Type>, answer: OfType<Answer, Type>, policy: ScoringPolicy): number
  /** Whether an answer has all points, for a browser that has the answer key. */
  isRight(question: OfType<QuestionForReview, Type>, answer: OfType<Answer, Type>): boolean
  /** Whether nothing is missing from an answer, such as the second of two choices, and nothing is too much. */
  isComplete(question: OfType<QuestionForTaking, Type>, answer: OfType<Answer, Type>): boolean
  /** The chance that a blind but complete answer has all points. */
  blindChance(question: OfType<Question, Type>): number
  /** @param random returns numbers from 0 up to, and without, 1 */
  shapeOf(question: OfType<Question, Type>, random: () => number): OfType<AnswerShape, Type>
  /** The question with its parts in the order of a shape. */
  arranged(question: OfType<Question, Type>, shape: OfType<AnswerShape, Type>): OfType<Question, Type>
  /** @param struck ids of parts that the learner crossed out */
  answerProblem(
    shape: OfType<AnswerShape, Type>,
    answer: OfType<Answer, Type> | null,
    struck: readonly string[],
  ): AnswerProblem | null
  /**
   * The answer that the fields of the type's form hold, when the form is posted without scripts or used before they run; null for
   * none. Fields that name no part of the question are ignored.
   */
  answerFromFields(question: OfType<QuestionForTaking, Type>, fields: PostedFields): OfType<Answer, Type> | null
  /** The right answer, with what else decides which answers are right, such as a tolerance. */
  answerKey(question: OfType<Question, Type>): OfType<AnswerKey, Type>
  keyProblem(question: OfType<Question, Type>, key: OfType<AnswerKey, Type>): KeyProblem | null
  /** The question with another answer key, which has no problem. */
  withAnswerKey(question: OfType<Question, Type>, key: OfType<AnswerKey, Type>): OfType<Question, Type>
  /** Lists its fields one by one, so that a new field of the question stays out. */
  forTaking(question: OfType<Question, Type>): OfType<QuestionForTaking, Type>
  forReview(question: OfType<Question, Type>): OfType<QuestionForReview, Type>
}
