import type { AnswerReviewProps } from '../type-form.ts'
import { WrittenReview } from '../written/written-review.tsx'
import { hasWildcard, isAccepted, textOfForm, type AcceptedForms } from './accepted-forms.ts'
import { copy } from './short-answer.copy.ts'

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

/** The forms as learners read them. */
export function acceptedTexts({ forms }: AcceptedForms): string[] {
  return forms.map(({ text }) => (hasWildcard(text) ? text : textOfForm(text)))
}

/** What a learner must know to read the forms; null if they say all. */
export function formsHint({ forms, isCaseSensitive }: AcceptedForms): string | null {
  const hints = [
    ...(forms.some(({ text }) => hasWildcard(text)) ? [copy['review.wildcard']] : []),
    ...(isCaseSensitive ? [copy['review.case']] : []),
  ]
  return hints.length === 0 ? null : hints.join(' ')
}
