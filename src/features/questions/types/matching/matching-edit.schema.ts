import { z } from 'zod'
import { PartId } from '../question-base.schema.ts'
import { EditFlag, editedFields, editFields } from '../question-edit-base.schema.ts'
import { EditedRow, EditRow } from '../parts/row-editing.ts'
import { copy } from './matching-edit.copy.ts'
import { MAX_OPTIONS, MAX_PROMPTS } from './matching.schema.ts'

/** A matching from a form: each prompt with the place of its option, or null before one is chosen. */
export const MatchingEdit = z.object({
  type: z.literal('matching'),
  ...editFields,
  prompts: z
    .array(
      EditRow.extend({
        option: z
          .int(copy['option.place'])
          .min(0, copy['option.place'])
          .max(MAX_OPTIONS - 1, copy['option.place'])
          .nullable()
          .default(null),
      }),
      copy['prompts.list'],
    )
    .max(MAX_PROMPTS, copy['prompts.many']),
  options: z.array(EditRow, copy['options.list']).max(MAX_OPTIONS, copy['options.many']),
  isReusable: EditFlag.default(false),
})
export type MatchingEdit = z.infer<typeof MatchingEdit>

/** A prompt in the form, with the key of the row of its option. */
export const EditedPrompt = EditedRow.extend({ optionKey: z.string().nullable() })
export type EditedPrompt = z.infer<typeof EditedPrompt>

/** A matching in the form of the editor. */
export const EditedMatching = z.object({
  type: z.literal('matching'),
  ...editedFields,
  prompts: z.array(EditedPrompt).readonly(),
  options: z.array(EditedRow).readonly(),
  isReusable: z.boolean(),
})
export type EditedMatching = z.infer<typeof EditedMatching>

/** The option that each prompt gets. */
export const MatchingKey = z.object({
  type: z.literal('matching'),
  pairs: z
    .array(z.object({ promptId: PartId, optionId: PartId }), copy['key.none'])
    .min(1, copy['key.none'])
    .max(MAX_PROMPTS, copy['key.unknown'])
    .transform((pairs) => pairs.toSorted((one, other) => (one.promptId < other.promptId ? -1 : 1)))
    .refine(
      (pairs) => pairs.every(({ promptId }, at) => at === 0 || promptId !== pairs[at - 1]?.promptId),
      copy['key.count'],
    ),
})
