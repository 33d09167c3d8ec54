import { isBlank, withoutUnstorable } from '../../question-text.ts'
import type { PostedFields } from '../type-grading.ts'

/* Types whose answer is a text that the learner writes have no parts to choose, to move or to cross out. */

export const MAX_WRITTEN_LENGTH = 100

/** The name of the text field in a posted form. */
export const WRITTEN_FIELD = 'answer.text'

/** What was typed as the text of an answer; null if it is blank. */
export function writtenText(typed: string): string | null {
  const text = withoutUnstorable(typed.slice(0, MAX_WRITTEN_LENGTH))
  return isBlank(text) ? null : text
}

export function postedText(fields: PostedFields): string | null {
  const [typed] = fields.getAll(WRITTEN_FIELD)
  return typeof typed === 'string' ? writtenText(typed) : null
}
