import type { AnswerReviewProps } from '../type-form.ts'
import { WrittenReview } from '../written/written-review.tsx'
import { isAccepted } from './accepted-forms.ts'
import { acceptedTexts, formsHint } from './short-answer-texts.ts'
import type { TypeReview } from '../review-registry.tsx'

export const shortAnswerReview: TypeReview<'short-answer'> = {
  Parts: ShortAnswerReview,
  Opinions: () => null,
  answerLabel: (_question, { text }) => text,
}

/** The text that the learner wrote, and the accepted ones unless they are withheld. */
export function ShortAnswerReview({ question, answer }: AnswerReviewProps<'short-answer'>) {
  const given = answer?.text ?? null
  if (!('forms' in question)) return <WrittenReview given={given} isRight={null} right={[]} />
  return (
    <WrittenReview
      given={given}
      isRight={given !== null && isAccepted(given, question)}
      right={acceptedTexts(question)}
      hint={formsHint(question)}
    />
  )
}
