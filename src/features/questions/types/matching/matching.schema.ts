import { z } from 'zod'
import { PartId, questionFields, reviewFields, takingFields } from '../question-base.schema.ts'
import { copy } from '../parts/answers.copy.ts'

export const MIN_PROMPTS = 2
export const MAX_PROMPTS = 8
export const MIN_OPTIONS = 2
export const MAX_OPTIONS = 10

const Option = z.object({ id: PartId, text: z.string().min(1) })
export type MatchingOption = z.infer<typeof Option>

/** Prompts that each have one of the options as their answer. Options that no prompt names are distractors. */
export const MatchingQuestion = z.object({
  type: z.literal('matching'),
  ...questionFields,
  prompts: z
    .array(z.object({ id: PartId, text: z.string().min(1), optionId: PartId }))
    .min(MIN_PROMPTS)
    .max(MAX_PROMPTS),
  /** In the order that is shown: a stored question has them in the order of its author. */
  options: z.array(Option).min(MIN_OPTIONS).max(MAX_OPTIONS),
  /** Whether an option may be the answer of several prompts. */
  isReusable: z.boolean(),
})
export type MatchingQuestion = z.infer<typeof MatchingQuestion>

const shownParts = z.array(z.object({ id: z.string(), text: z.string() }))

export const MatchingForTaking = z.object({
  type: z.literal('matching'),
  ...takingFields,
  prompts: shownParts,
  options: shownParts,
  isReusable: z.boolean(),
})
export type MatchingForTaking = z.infer<typeof MatchingForTaking>

const Pair = z.object({ promptId: z.string().min(1).max(100), optionId: z.string().min(1).max(100) })
/** A prompt and the option that was chosen for it. */
export type Pair = z.infer<typeof Pair>

export const MatchingForReview = MatchingForTaking.extend({ ...reviewFields, rightPairs: z.array(Pair) })
export type MatchingForReview = z.infer<typeof MatchingForReview>

/** Each prompt at most once, by their ids, so that equal answers are written equally. An unfinished answer lacks prompts. */
const Pairs = z
  .array(Pair)
  .min(1)
  .max(MAX_PROMPTS, copy['answer.parts'])
  .refine((pairs) => pairs.every(({ promptId }, at) => at === 0 || promptId > (pairs[at - 1]?.promptId ?? '')))

export const MatchingAnswer = z.object({ type: z.literal('matching'), pairs: Pairs })
export type MatchingAnswer = z.infer<typeof MatchingAnswer>

/** The prompts, and the options in the order that a learner sees. */
export const MatchingShape = z.object({
  type: z.literal('matching'),
  promptIds: z.array(z.string()),
  optionIds: z.array(z.string()),
})
export type MatchingShape = z.infer<typeof MatchingShape>
