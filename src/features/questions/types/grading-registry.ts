import { blocksOf } from '../case-studies/case-blocks.ts'
import type { ScoringPolicy } from './question-base.schema.ts'
import type { AnswerKey } from './question-edit.schema.ts'
import { GRADINGS } from './registered/registered-gradings.ts'
import { randomOf, shuffled } from './shuffle.ts'
import type {
  Answer,
  AnswerShape,
  Question,
  QuestionForReview,
  QuestionForTaking,
  QuestionType,
} from './question-types.schema.ts'
import { POINTS, type AnswerProblem, type KeyProblem, type PostedFields, type TypeGrading } from './type-grading.ts'

const registry: { readonly [Type in QuestionType]: TypeGrading<Type> } = GRADINGS

/** The grading of a type. The cast is safe because the callers below pass values of equal type. */
function gradingOf({ type }: { readonly type: QuestionType }): TypeGrading<QuestionType> {
  return registry[type] as TypeGrading<QuestionType>
}

/** The worth of an answer, from 0 to `POINTS`. An answer of another type, which a former version of the question had, is 0. */
export function pointsOf(question: Question, answer: Answer | null, policy: ScoringPolicy): number {
  return answer?.type === question.type ? gradingOf(question).points(question, answer, policy) : 0
}

/** The worth of an answer in whole percent, rounded down. */
export function creditPercentOf(question: Question, answer: Answer | null, policy: ScoringPolicy): number {
  return Math.floor((pointsOf(question, answer, policy) * 100) / POINTS)
}

/** Whether an answer has all points. */
export function isRight(question: Question, answer: Answer | null): boolean {
  return pointsOf(question, answer, 'all-or-nothing') === POINTS
}

/** As `isRight`, for a browser that has the answer key. */
export function isRightInReview(question: QuestionForReview, answer: Answer | null): boolean {
  return answer?.type === question.type && gradingOf(question).isRight(question, answer)
}

/** Whether an answer names neither too few nor too many parts. */
export function isComplete(question: QuestionForTaking, answer: Answer): boolean {
  return answer.type === question.type && gradingOf(question).isComplete(question, answer)
}

/** Where every answer is right, such as with all options right, an answer still says a little. */
const MOST_BLIND_CHANCE = 0.9

/** The chance that a blind but complete answer is right. */
export function blindChance(question: Question): number {
  return Math.min(MOST_BLIND_CHANCE, gradingOf(question).blindChance(question))
}

/** The shapes of questions in the order that the seed gives. Equal seeds give equal orders. */
export function shuffleShapes<Item extends Question>(
  questions: readonly Item[],
  options: { readonly seed: number; readonly shufflesQuestions: boolean },
): { readonly question: Item; readonly shape: AnswerShape }[] {
  const random = randomOf(options.seed)
  // Questions of one case study stay together, in their order.
  const blocks = blocksOf(questions)
  const ordered = (options.shufflesQuestions ? shuffled(blocks, random) : blocks).flat()
  return ordered.map((question) => ({ question, shape: gradingOf(question).shapeOf(question, random) }))
}

/** The question with its parts in the order of a shape; as it is if the shape is of another type. */
export function arranged(question: Question, shape: AnswerShape): Question {
  return shape.type === question.type ? gradingOf(question).arranged(question, shape) : question
}

/** Why an answer does not fit; null if it does, as no answer always does. @param struck ids of parts that were crossed out */
export function answerProblem(
  shape: AnswerShape,
  answer: Answer | null,
  struck: readonly string[] = [],
): AnswerProblem | null {
  if (answer !== null && answer.type !== shape.type) return 'unknown-part'
  return gradingOf(shape).answerProblem(shape, answer, struck)
}

/** The answer that the posted fields of the question's form hold; null for none. */
export function answerFromFields(question: QuestionForTaking, fields: PostedFields): Answer | null {
  return gradingOf(question).answerFromFields(question, fields)
}

/** The right answer, with what else decides which answers are right, such as a tolerance. */
export function answerKeyOf(question: Question): AnswerKey {
  return gradingOf(question).answerKey(question)
}

/** Why an answer key does not fit; null if it does. */
export function keyProblem(question: Question, key: AnswerKey): KeyProblem | null {
  return key.type === question.type ? gradingOf(question).keyProblem(question, key) : 'unknown-part'
}

/** The question with another answer key; null if the key does not fit. */
export function withAnswerKey(question: Question, key: AnswerKey): Question | null {
  return keyProblem(question, key) === null ? gradingOf(question).withAnswerKey(question, key) : null
}

/** Whether an answer is typed letter by letter, so that a save waits for a pause. */
export function isTypedAnswer(answer: Answer | null | undefined): boolean {
  return answer !== null && answer !== undefined && 'text' in answer
}

export function isSameAnswer(one: Answer | null, other: Answer | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The question without answer key and explanation. */
export function forTaking(question: Question): QuestionForTaking {
  return gradingOf(question).forTaking(question)
}

export function forReview(question: Question): QuestionForReview {
  return gradingOf(question).forReview(question)
}
