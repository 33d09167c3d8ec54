import { z } from 'zod'
import { editedFields, editFields, EditFlag } from '../question-edit-base.schema.ts'
import { EditedRow, EditRow } from '../parts/row-editing.ts'
import { MAX_WRITTEN_LENGTH } from '../written/written-answer.ts'
import { copy } from './short-answer-edit.copy.ts'
import { MAX_FORMS } from './short-answer.schema.ts'

/** A short answer from a form. */
export const ShortAnswerEdit = z.object({
  type: z.literal('short-answer'),
  ...editFields,
  forms: z.array(EditRow, copy['forms.list']).max(MAX_FORMS, copy['forms.many']),
  isCaseSensitive: EditFlag.default(false),
})
export type ShortAnswerEdit = z.infer<typeof ShortAnswerEdit>

export const EditedShortAnswer = z.object({
  type: z.literal('short-answer'),
  ...editedFields,
  forms: z.array(EditedRow).readonly(),
  isCaseSensitive: z.boolean(),
})
export type EditedShortAnswer = z.infer<typeof EditedShortAnswer>

/** The text that becomes the first accepted form, and the other forms: as they are, if they are left out. */
export const ShortAnswerKey = z.object({
  type: z.literal('short-answer'),
  text: z.string(copy['key.none']).trim().min(1, copy['key.none']).max(MAX_WRITTEN_LENGTH, copy['key.none']),
  others: z
    .array(z.string(copy['key.others.wrong']).trim().max(MAX_WRITTEN_LENGTH, copy['key.others.wrong']))
    .transform((texts) => texts.filter((text) => text !== ''))
    .refine((texts) => texts.length < MAX_FORMS, copy['forms.many'])
    .optional(),
})
