import { z } from 'zod'
import { EditFlag, EditText, editedFields, editFields } from '../question-edit-base.schema.ts'
import { PartId } from '../question-base.schema.ts'
import { copy } from './choice-edit.copy.ts'
import { MAX_OPTIONS, OptionOrder } from './choice.schema.ts'

/** A choice from a form. An existing option keeps its id; a new one has none. */
export const ChoiceEdit = z.object({
  type: z.literal('choice'),
  ...editFields,
  options: z
    .array(z.object({ id: PartId.nullable().default(null), text: EditText, isRight: EditFlag }), copy['options.list'])
    .max(MAX_OPTIONS, copy['options.many']),
  order: OptionOrder.optional(),
})
export type ChoiceEdit = z.infer<typeof ChoiceEdit>

export const EditedOption = z.object({
  /** Identifies the row in the form: a new option has no id yet. */
  key: z.string(),
  id: z.string().nullable(),
  text: z.string(),
  isRight: z.boolean(),
})
export type EditedOption = z.infer<typeof EditedOption>

/** A choice in the form of the editor. */
export const EditedChoice = z.object({
  type: z.literal('choice'),
  ...editedFields,
  options: z.array(EditedOption).readonly(),
  order: OptionOrder.optional(),
})
export type EditedChoice = z.infer<typeof EditedChoice>

/** The options that become the right ones, as a set. */
export const ChoiceKey = z.object({
  type: z.literal('choice'),
  optionIds: z
    .array(PartId, copy['key.none'])
    .min(1, copy['key.none'])
    .max(MAX_OPTIONS, copy['key.unknown'])
    .transform((ids) => [...new Set(ids)].sort()),
})
