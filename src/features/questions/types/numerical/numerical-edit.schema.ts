import { z } from 'zod'
import { editedFields, editFields, EditText } from '../question-edit-base.schema.ts'
import { MAX_WRITTEN_LENGTH } from '../written/written-answer.ts'
import { copy } from './numerical-edit.copy.ts'

/** A number from a form: texts, which are read when the question is judged. */
export const NumericalEdit = z.object({
  type: z.literal('numerical'),
  ...editFields,
  value: EditText,
  tolerance: EditText.default(''),
  unit: EditText.default(''),
})
export type NumericalEdit = z.infer<typeof NumericalEdit>

export const EditedNumerical = z.object({
  type: z.literal('numerical'),
  ...editedFields,
  value: z.string(),
  tolerance: z.string(),
  unit: z.string(),
})
export type EditedNumerical = z.infer<typeof EditedNumerical>

/** The number that becomes the right one. */
export const NumericalKey = z.object({
  type: z.literal('numerical'),
  text: z.string(copy['key.wrong']).trim().min(1, copy['key.wrong']).max(MAX_WRITTEN_LENGTH, copy['key.wrong']),
})
