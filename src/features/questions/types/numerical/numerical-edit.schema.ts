import { z } from 'zod'
import { editedFields, editFields, EditText } from '../question-edit-base.schema.ts'
import { MAX_WRITTEN_LENGTH } from '../written/written-answer.ts'
import { readDecimal } from './decimal-numbers.ts'
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

/** The number that becomes the right one, and how far from it an answer may be: as it is, if that is left out. */
export const NumericalKey = z.object({
  type: z.literal('numerical'),
  text: z.string(copy['key.wrong']).trim().min(1, copy['key.wrong']).max(MAX_WRITTEN_LENGTH, copy['key.wrong']),
  tolerance: z
    .string(copy['key.tolerance.wrong'])
    .trim()
    .max(MAX_WRITTEN_LENGTH, copy['key.tolerance.wrong'])
    .refine((text) => text === '' || (readDecimal(text)?.units ?? -1n) >= 0n, copy['key.tolerance.wrong'])
    .optional(),
})
