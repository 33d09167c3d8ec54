import { hasWildcard, textOfForm, type AcceptedForms } from './accepted-forms.ts'
import { copy } from './short-answer.copy.ts'

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
