import type { AnswerReviewProps } from '../type-form.ts'
import { WrittenReview } from '../written/written-review.tsx'
import { isRightNumber, keyLine } from './numerical-grading.ts'
import type { TypeReview } from '../review-registry.tsx'

export const numericalReview: TypeReview<'numerical'> = {
  Parts: NumericalReview,
  Opinions: () => null,
  answerLabel: (_question, { text }) => text,
}

/** The number that the learner wrote, and the right one unless it is withheld. */
export function NumericalReview({ question, answer }: AnswerReviewProps<'numerical'>) {
  const given = answer?.text ?? null
  if (!('value' in question)) return <WrittenReview given={given} isRight={null} right={[]} />
  const isRight = given !== null && isRightNumber(question, given)
  return <WrittenReview given={given} isRight={isRight} right={[keyLine(question)]} />
}
