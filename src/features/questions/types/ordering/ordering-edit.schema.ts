import { z } from 'zod'
import { editedFields, editFields } from '../question-edit-base.schema.ts'
import { PartId } from '../question-base.schema.ts'
import { EditedRow, EditRow } from '../parts/row-editing.ts'
import { copy } from './ordering-edit.copy.ts'
import { MAX_DISTRACTORS, MAX_STEPS } from './ordering.schema.ts'

/** An ordering from a form: the steps in their right order, and what stays out. */
export const OrderingEdit = z.object({
  type: z.literal('ordering'),
  ...editFields,
  steps: z.array(EditRow, copy['steps.list']).max(MAX_STEPS, copy['steps.many']),
  distractors: z.array(EditRow, copy['distractors.list']).max(MAX_DISTRACTORS, copy['distractors.many']).default([]),
})
export type OrderingEdit = z.infer<typeof OrderingEdit>

/** An ordering in the form of the editor. */
export const EditedOrdering = z.object({
  type: z.literal('ordering'),
  ...editedFields,
  steps: z.array(EditedRow).readonly(),
  distractors: z.array(EditedRow).readonly(),
})
export type EditedOrdering = z.infer<typeof EditedOrdering>

/** The items that become the steps, in their order. */
export const OrderingKey = z.object({
  type: z.literal('ordering'),
  itemIds: z
    .array(PartId, copy['key.none'])
    .min(1, copy['key.none'])
    .max(MAX_STEPS, copy['key.unknown'])
    .refine((ids) => new Set(ids).size === ids.length, copy['key.twice']),
})
