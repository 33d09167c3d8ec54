import { z } from 'zod'
import { Difficulty } from './question-base.schema.ts'
import { copy } from './question-edit.copy.ts'

export const EditText = z.string(copy['edit.text'])
export const EditFlag = z.boolean(copy['edit.flag'])

/** The fields that the edit of a question has, whatever its type. */
export const editFields = {
  stem: EditText,
  explanation: EditText.default(''),
  domain: EditText.default(''),
  url: EditText.default(''),
  /** Left out by earlier builds: the question keeps the difficulty that it has. */
  difficulty: z.enum(Difficulty.options, copy['edit.difficulty']).optional(),
  needsReview: EditFlag.default(false),
  /** Empty for none. Left out by earlier builds: the question stays in the case study that it has. */
  caseStudy: EditText.optional(),
  /** Empty for none. Left out by earlier builds: the question keeps the day and the guide that it has. */
  verifiedOn: EditText.optional(),
  guide: EditText.optional(),
}

/** The fields that the form of a question has, whatever its type. */
export const editedFields = {
  /** The id of a new question, chosen here: sent again after a lost reply or a closed page, it adds the question once. */
  newId: z.string().optional(),
  stem: z.string(),
  explanation: z.string(),
  domain: z.string(),
  url: z.string(),
  difficulty: Difficulty.optional(),
  needsReview: z.boolean(),
  caseStudy: z.string().optional(),
  verifiedOn: z.string().optional(),
  guide: z.string().optional(),
}
const Edited = z.object(editedFields)
export type EditedFields = z.infer<typeof Edited>
/** The fields that a question, its form and its edit share. */
export type SharedFields = Omit<EditedFields, 'newId'>

/** The shared fields of a form in which nothing is written. */
export const emptyFields: SharedFields = {
  stem: '',
  explanation: '',
  domain: '',
  url: '',
  difficulty: '',
  needsReview: false,
}

export function sharedFields(from: SharedFields): SharedFields {
  const { stem, explanation, domain, url, difficulty, needsReview, caseStudy, verifiedOn, guide } = from
  return {
    stem,
    explanation,
    domain,
    url,
    difficulty,
    needsReview,
    ...(caseStudy !== undefined && { caseStudy }),
    ...(verifiedOn !== undefined && { verifiedOn }),
    ...(guide !== undefined && { guide }),
  }
}
