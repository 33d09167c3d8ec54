import { z } from 'zod'
import { PartId, questionFields, reviewFields, takingFields } from '../question-base.schema.ts'
import { copy } from '../parts/answers.copy.ts'

export const MAX_GAPS = 8
export const MIN_CHOICES = 2
export const MAX_CHOICES = 10

const Choice = z.object({ id: PartId, text: z.string().min(1), isRight: z.boolean() })

/** A list to choose from, of which one is right. */
const Gap = z.object({
  id: PartId,
  options: z
    .array(Choice)
    .min(MIN_CHOICES)
    .max(MAX_CHOICES)
    .refine((options) => options.filter(({ isRight }) => isRight).length === 1),
})
export type Gap = z.infer<typeof Gap>

/** A text with gaps: the first gap stands where the stem says `[[1]]`. The ids of gaps and choices are distinct in a question. */
export const DropDownQuestion = z.object({
  type: z.literal('drop-down'),
  ...questionFields,
  gaps: z.array(Gap).min(1).max(MAX_GAPS),
})
export type DropDownQuestion = z.infer<typeof DropDownQuestion>

export const DropDownForTaking = z.object({
  type: z.literal('drop-down'),
  ...takingFields,
  gaps: z.array(z.object({ id: z.string(), options: z.array(z.object({ id: z.string(), text: z.string() })) })),
})
export type DropDownForTaking = z.infer<typeof DropDownForTaking>

/** `rightIds` has the right choice of each gap. */
export const DropDownForReview = DropDownForTaking.extend({ ...reviewFields, rightIds: z.array(z.string()) })
export type DropDownForReview = z.infer<typeof DropDownForReview>

const Pick = z.object({ gapId: z.string().min(1).max(100), optionId: z.string().min(1).max(100) })

/** What was chosen, gap by gap. An unfinished answer has fewer picks than there are gaps. */
const Picks = z
  .array(Pick)
  .min(1)
  .max(MAX_GAPS, copy['answer.parts'])
  .refine((picks) => new Set(picks.map(({ gapId }) => gapId)).size === picks.length)

export const DropDownAnswer = z.object({ type: z.literal('drop-down'), picks: Picks })
export type DropDownAnswer = z.infer<typeof DropDownAnswer>

/** The choices of each gap in the order that a learner sees. */
export const DropDownShape = z.object({
  type: z.literal('drop-down'),
  gaps: z.array(z.object({ id: z.string(), optionIds: z.array(z.string()) })),
})
export type DropDownShape = z.infer<typeof DropDownShape>
