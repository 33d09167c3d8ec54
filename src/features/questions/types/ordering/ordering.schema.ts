import { z } from 'zod'
import { PartId, questionFields, reviewFields, takingFields } from '../question-base.schema.ts'
import { copy } from '../parts/answers.copy.ts'

export const MIN_STEPS = 3
export const MAX_STEPS = 8
export const MAX_DISTRACTORS = 4
export const MAX_ITEMS = MAX_STEPS + MAX_DISTRACTORS

const Item = z.object({ id: PartId, text: z.string().min(1) })
export type OrderingItem = z.infer<typeof Item>

/** Steps to put into order. Items that `orderedIds` does not name are distractors, which stay out. */
export const OrderingQuestion = z.object({
  type: z.literal('ordering'),
  ...questionFields,
  /** In the order that is shown: a stored question has the steps in their right order and then the distractors. */
  items: z.array(Item).min(MIN_STEPS).max(MAX_ITEMS),
  /** The steps in their right order. */
  orderedIds: z.array(PartId).min(MIN_STEPS).max(MAX_STEPS),
})
export type OrderingQuestion = z.infer<typeof OrderingQuestion>

export const OrderingForTaking = z.object({
  type: z.literal('ordering'),
  ...takingFields,
  items: z.array(z.object({ id: z.string(), text: z.string() })),
  /** How many of the items are steps. */
  stepCount: z.number().int(),
})
export type OrderingForTaking = z.infer<typeof OrderingForTaking>

export const OrderingForReview = OrderingForTaking.extend({ ...reviewFields, orderedIds: z.array(z.string()) })
export type OrderingForReview = z.infer<typeof OrderingForReview>

/** Item ids in the learner's order, each once. An unfinished answer has fewer than there are steps. */
const ItemIds = z
  .array(z.string().min(1).max(100))
  .min(1)
  .max(MAX_ITEMS, copy['answer.parts'])
  .refine((ids) => new Set(ids).size === ids.length)

export const OrderingAnswer = z.object({ type: z.literal('ordering'), itemIds: ItemIds })
export type OrderingAnswer = z.infer<typeof OrderingAnswer>

/** The items in the order that a learner sees first. */
export const OrderingShape = z.object({
  type: z.literal('ordering'),
  itemIds: z.array(z.string()),
  stepCount: z.number().int(),
})
export type OrderingShape = z.infer<typeof OrderingShape>
