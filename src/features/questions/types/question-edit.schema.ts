import { z } from 'zod'
import { renamed } from '../../../lib/former-names.ts'
import { EDITED, EDITS, KEYS } from './registered/registered-edit-schemas.ts'
import { withType } from './former-answers.ts'

/* The unions of what admins send and edit. */

/** A question from a form, before it is judged. An existing part keeps its id; a new one has none. */
export const QuestionEdit = z.discriminatedUnion('type', EDITS)
export type QuestionEdit = z.infer<typeof QuestionEdit>

/** The answer that becomes the answer key. */
export const AnswerKey = z.discriminatedUnion('type', KEYS)
export type AnswerKey = z.infer<typeof AnswerKey>

const Edited = z.discriminatedUnion('type', EDITED)

/** A question in the form of the editor. It is stored on the device until it is saved. */
export const EditedQuestion = z.preprocess(withCurrentFields, Edited)
export type EditedQuestion = z.output<typeof EditedQuestion>

/** The body of a call with `question`, as an earlier build sends it, in today's fields. */
export function upgradeQuestionEdit(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('question' in body)) return body
  return { ...body, question: withCurrentFields(body.question) }
}

/** Earlier builds sent and stored the options as `answers`, and no type. */
function withCurrentFields(question: unknown): unknown {
  return withType(renamed(question, { answers: 'options' }))
}
