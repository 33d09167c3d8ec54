import { z } from 'zod'
import { PartId, questionFields, reviewFields, takingFields } from '../question-base.schema.ts'
import { copy } from '../parts/answers.copy.ts'

export const MIN_OPTIONS = 2
export const MAX_OPTIONS = 12

/** How learners see the options, where they are not simply shuffled: all in stored order, or the last one at the end. */
export const OptionOrder = z.enum(['fixed', 'last-stays'])
export type OptionOrder = z.infer<typeof OptionOrder>

export const QuestionOption = z.object({ id: PartId, text: z.string().min(1), isRight: z.boolean() })
export type QuestionOption = z.infer<typeof QuestionOption>

/** A question with options of which one or more are right. The options are in stored order. */
export const ChoiceQuestion = z.object({
  type: z.literal('choice'),
  ...questionFields,
  options: z.array(QuestionOption).min(MIN_OPTIONS).max(MAX_OPTIONS),
  /** Left out where the options are shuffled. */
  order: OptionOrder.optional(),
  suggestedOptionIds: z.array(PartId),
  mostVotedOptionIds: z.array(PartId),
})
export type ChoiceQuestion = z.infer<typeof ChoiceQuestion>

export const ChoiceForTaking = z.object({
  type: z.literal('choice'),
  ...takingFields,
  options: z.array(z.object({ id: z.string(), text: z.string() })),
  isMultiple: z.boolean(),
  /** How many options are right. */
  choiceCount: z.number().int(),
})
export type ChoiceForTaking = z.infer<typeof ChoiceForTaking>

export const ChoiceForReview = ChoiceForTaking.extend({
  ...reviewFields,
  rightOptionIds: z.array(z.string()),
  suggestedOptionIds: z.array(z.string()),
  mostVotedOptionIds: z.array(z.string()),
})
export type ChoiceForReview = z.infer<typeof ChoiceForReview>

/** Option ids as a set: sorted, each once, so that equal answers are equal arrays. */
const OptionIds = z
  .array(z.string().min(1).max(100))
  .max(MAX_OPTIONS, copy['answer.parts'])
  .transform((ids) => [...new Set(ids)].sort())

/** The selected options; no answer has none. */
export const ChoiceAnswer = z.object({
  type: z.literal('choice'),
  optionIds: OptionIds.refine((ids) => ids.length > 0),
})
export type ChoiceAnswer = z.infer<typeof ChoiceAnswer>

/** The options in the order that a learner sees. It has no answer key: an answer is validated against it alone. */
export const ChoiceShape = z.object({
  type: z.literal('choice'),
  optionIds: z.array(z.string()),
  isMultiple: z.boolean(),
})
export type ChoiceShape = z.infer<typeof ChoiceShape>
