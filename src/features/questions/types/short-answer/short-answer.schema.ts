import { z } from 'zod'
import { PartId, questionFields, reviewFields, takingFields } from '../question-base.schema.ts'
import { WrittenText } from '../written/written-answer.schema.ts'
import { MAX_WRITTEN_LENGTH } from '../written/written-answer.ts'

export const MAX_FORMS = 20

/** A short text that the learner writes. */
export const ShortAnswerQuestion = z.object({
  type: z.literal('short-answer'),
  ...questionFields,
  /** What is accepted, as plain text with `*` for any text. The first is the answer key. */
  forms: z
    .array(z.object({ id: PartId, text: z.string().min(1).max(MAX_WRITTEN_LENGTH) }))
    .min(1)
    .max(MAX_FORMS),
  isCaseSensitive: z.boolean(),
})
export type ShortAnswerQuestion = z.infer<typeof ShortAnswerQuestion>

export const ShortAnswerForTaking = z.object({ type: z.literal('short-answer'), ...takingFields })
export type ShortAnswerForTaking = z.infer<typeof ShortAnswerForTaking>

export const ShortAnswerForReview = ShortAnswerForTaking.extend({
  ...reviewFields,
  forms: z.array(z.object({ id: z.string(), text: z.string() })),
  isCaseSensitive: z.boolean(),
})
export type ShortAnswerForReview = z.infer<typeof ShortAnswerForReview>

export const ShortAnswerAnswer = z.object({ type: z.literal('short-answer'), text: WrittenText })
export type ShortAnswerAnswer = z.infer<typeof ShortAnswerAnswer>

/** There is nothing to shuffle. */
export const ShortAnswerShape = z.object({ type: z.literal('short-answer') })
export type ShortAnswerShape = z.infer<typeof ShortAnswerShape>
