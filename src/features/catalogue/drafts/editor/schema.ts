import { z } from 'zod'

/** A question as it stands in the editor's form, and is kept on the device until it is saved. */
const EditedAnswer = z.object({
  /** Of the row in the form: an answer that is new has no id yet. */
  key: z.string(),
  id: z.string().nullable(),
  text: z.string(),
  isRight: z.boolean(),
})
export type EditedAnswer = z.infer<typeof EditedAnswer>

export const Edited = z.object({
  /** Of a question that is new: sent again after a lost answer or a closed page, it is still the same one. */
  newId: z.string().optional(),
  stem: z.string(),
  answers: z.array(EditedAnswer).readonly(),
  explanation: z.string(),
  domain: z.string(),
  url: z.string(),
  needsReview: z.boolean(),
})
export type Edited = z.infer<typeof Edited>
