import { z } from 'zod'
import { failureTable } from '../../lib/failure.ts'
import { isPageInstant } from '../../lib/paging.ts'
import { copy } from './feedback.copy.ts'
import { FEEDBACK_TYPES, messageProblem } from './feedback.ts'

const FeedbackTypeName = z.enum(FEEDBACK_TYPES, copy['feedback.kind'])

/** The widget creates the id, so that a message that is sent again after a lost reply is stored once. */
export const SendFeedback = z.object({
  id: z.uuid(),
  type: FeedbackTypeName,
  message: z
    .string(copy['feedback.required'])
    .superRefine((message, issues) => {
      const problem = messageProblem(message)
      if (problem !== null) issues.addIssue({ code: 'custom', message: problem })
    })
    .transform((message) => message.trim()),
  context: z.string(copy['feedback.context']).max(2000, copy['feedback.context']).default(''),
})
export type SendFeedback = z.output<typeof SendFeedback>

export const FeedbackPath = z.object({ feedbackId: z.uuid() })

export const FEEDBACK_STATES = ['waiting', 'settled'] as const
export const FeedbackFilter = z.object({
  state: z.enum(FEEDBACK_STATES).catch('waiting'),
  after: z
    .string()
    .transform((text) => {
      const [at = '', id = ''] = text.split('~')
      return isPageInstant(at) && z.uuid().safeParse(id).success ? { at, id } : null
    })
    .nullable()
    .catch(null),
})
export type FeedbackFilter = z.output<typeof FeedbackFilter>

export const FeedbackView = z.object({
  id: z.string(),
  type: FeedbackTypeName,
  message: z.string(),
  context: z.string(),
  who: z.string().nullable(),
  saidAt: z.string(),
  isSettled: z.boolean(),
})
export type FeedbackView = z.infer<typeof FeedbackView>

export const fail = failureTable({
  'feedback.not-found': { status: 404, kind: 'database', sentence: 'The requested resource was not found' },
})
