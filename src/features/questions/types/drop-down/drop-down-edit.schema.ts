import { z } from 'zod'
import { EditFlag, editedFields, editFields } from '../question-edit-base.schema.ts'
import { PartId } from '../question-base.schema.ts'
import { EditedRow, EditRow } from '../parts/row-editing.ts'
import { copy } from './drop-down-edit.copy.ts'
import { MAX_CHOICES, MAX_GAPS } from './drop-down.schema.ts'

const EditOption = EditRow.extend({ isRight: EditFlag.default(false) })

const EditGap = z.object({
  id: PartId.nullable().default(null),
  options: z.array(EditOption, copy['options.list']).max(MAX_CHOICES, copy['options.many']),
})

/** A text with gaps from a form. */
export const DropDownEdit = z.object({
  type: z.literal('drop-down'),
  ...editFields,
  gaps: z.array(EditGap, copy['gaps.list']).max(MAX_GAPS, copy['gaps.many']),
})
export type DropDownEdit = z.infer<typeof DropDownEdit>

const EditedOption = EditedRow.extend({ isRight: z.boolean() })
export type EditedOption = z.infer<typeof EditedOption>

const EditedGap = z.object({ key: z.string(), id: z.string().nullable(), options: z.array(EditedOption).readonly() })
export type EditedGap = z.infer<typeof EditedGap>

/** A text with gaps in the form of the editor. */
export const EditedDropDown = z.object({
  type: z.literal('drop-down'),
  ...editedFields,
  gaps: z.array(EditedGap).readonly(),
})
export type EditedDropDown = z.infer<typeof EditedDropDown>

/** The choice that becomes the right one in each gap. */
export const DropDownKey = z.object({
  type: z.literal('drop-down'),
  picks: z
    .array(z.object({ gapId: PartId, optionId: PartId }), copy['key.none'])
    .min(1, copy['key.none'])
    .max(MAX_GAPS, copy['key.unknown'])
    .refine((picks) => new Set(picks.map(({ gapId }) => gapId)).size === picks.length, copy['key.unknown']),
})
