import { z } from 'zod'
import { renamed } from '../../../lib/former-names.ts'
import { Difficulty } from '../../questions/questions.schema.ts'

/** A question in the form of the editor. It is stored on the device until it is saved. */
const EditedOption = z.object({
  /** Identifies the row in the form: a new option has no id yet. */
  key: z.string(),
  id: z.string().nullable(),
  text: z.string(),
  isRight: z.boolean(),
})
export type EditedOption = z.infer<typeof EditedOption>

/** Earlier builds stored the options as `answers`, and no difficulty. */
export const EditedQuestion = z.preprocess(
  (stored) => renamed(stored, { answers: 'options' }),
  z.object({
    /** The id of a new question, chosen here: sent again after a lost reply or a closed page, it adds the question once. */
    newId: z.string().optional(),
    stem: z.string(),
    options: z.array(EditedOption).readonly(),
    explanation: z.string(),
    domain: z.string(),
    url: z.string(),
    difficulty: Difficulty.optional(),
    needsReview: z.boolean(),
  }),
)
export type EditedQuestion = z.output<typeof EditedQuestion>
