import { isBlank, lengthOf } from '../../lib/text.ts'
import { copy } from './feedback.copy.ts'

export const FEEDBACK_TYPES = ['positive', 'negative', 'suggestion'] as const
export type FeedbackType = (typeof FEEDBACK_TYPES)[number]
/** The type that the widget starts with. */
export const DEFAULT_TYPE: FeedbackType = 'suggestion'
/** The widget shows that it is sending for at least this time. */
export const FEEDBACK_DELAY_MS = 1000
/** Longest message, in characters. */
const MESSAGE_LIMIT = 4000

/** Why a message cannot be sent; null when it can. */
export function messageProblem(message: string): string | null {
  const text = message.trim()
  if (isBlank(text)) return copy['feedback.required']
  return lengthOf(text) > MESSAGE_LIMIT ? copy['feedback.length'] : null
}
