import { z } from 'zod'
import { renamed } from '../../../lib/former-names.ts'

/** A question as it stands in the editor's form, and is kept on the device until it is saved. */
const EditedOption = z.object({
  /** Of the row in the form: an answer that is new has no id yet. */
  key: z.string(),
  id: z.string().nullable(),
  text: z.string(),
  isRight: z.boolean(),
})
export type EditedOption = z.infer<typeof EditedOption>

/** Earlier builds stored the options as `answers`. */
export const Edited = z.preprocess(
  (stored) => renamed(stored, { answers: 'options' }),
  z.object({
    /** Of a question that is new: sent again after a lost answer or a closed page, it is still the same one. */
    newId: z.string().optional(),
    stem: z.string(),
    options: z.array(EditedOption).readonly(),
    explanation: z.string(),
    domain: z.string(),
    url: z.string(),
    needsReview: z.boolean(),
  }),
)
export type Edited = z.output<typeof Edited>
