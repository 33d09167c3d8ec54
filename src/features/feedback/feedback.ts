import { isBlank, lengthOf } from '../../lib/text.ts'
import { copy } from './feedback.copy.ts'

export const FEEDBACK_TYPES = ['positive', 'negative', 'suggestion'] as const
export type FeedbackType = (typeof FEEDBACK_TYPES)[number]
/** Spec 2: what the widget starts with. */
export const DEFAULT_TYPE: FeedbackType = 'suggestion'
/** Spec 9: the widget shows that it is sending for this long. */
export const FEEDBACK_DELAY_MS = 1000
/** Room for a thorough report; what is longer belongs into a mail. */
export const MESSAGE_LIMIT = 4000

/** Spec 5: not empty after trimming. Null when it may be sent. */
export function messageProblem(message: string): string | null {
  const text = message.trim()
  if (isBlank(text)) return copy['feedback.required']
  return lengthOf(text) > MESSAGE_LIMIT ? copy['feedback.length'] : null
}
