import { z } from 'zod'
import { renamed } from '../../../lib/former-names.ts'
import { ChoiceEdit, ChoiceKey, EditedChoice } from './choice/choice-edit.schema.ts'
import { EditedHotSpot, HotSpotEdit, HotSpotKey } from './hot-spot/hot-spot-edit.schema.ts'
import { EditedMatching, MatchingEdit, MatchingKey } from './matching/matching-edit.schema.ts'
import { EditedNumerical, NumericalEdit, NumericalKey } from './numerical/numerical-edit.schema.ts'
import { DropDownEdit, DropDownKey, EditedDropDown } from './drop-down/drop-down-edit.schema.ts'
import { EditedOrdering, OrderingEdit, OrderingKey } from './ordering/ordering-edit.schema.ts'
import { EditedShortAnswer, ShortAnswerEdit, ShortAnswerKey } from './short-answer/short-answer-edit.schema.ts'
import { withType } from './former-answers.ts'

/* The unions of what admins send and edit. A new type adds its schemas here, beside those of question-types.schema.ts. */

/** A question from a form, before it is judged. An existing part keeps its id; a new one has none. */
export const QuestionEdit = z.discriminatedUnion('type', [
  DropDownEdit,
  ChoiceEdit,
  NumericalEdit,
  ShortAnswerEdit,
  OrderingEdit,
  MatchingEdit,
  HotSpotEdit,
])
export type QuestionEdit = z.infer<typeof QuestionEdit>

/** The answer that becomes the answer key. */
export const AnswerKey = z.discriminatedUnion('type', [
  DropDownKey,
  ChoiceKey,
  NumericalKey,
  ShortAnswerKey,
  OrderingKey,
  MatchingKey,
  HotSpotKey,
])
export type AnswerKey = z.infer<typeof AnswerKey>

const Edited = z.discriminatedUnion('type', [
  EditedDropDown,
  EditedChoice,
  EditedNumerical,
  EditedShortAnswer,
  EditedOrdering,
  EditedMatching,
  EditedHotSpot,
])

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
