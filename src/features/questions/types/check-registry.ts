import type { Remark } from '../checks/bank-checks.schema.ts'
import { choiceChecks } from './choice/choice-checks.ts'
import { hotSpotChecks } from './hot-spot/hot-spot-checks.ts'
import { matchingChecks } from './matching/matching-checks.ts'
import { dropDownChecks } from './drop-down/drop-down-checks.ts'
import { orderingChecks } from './ordering/ordering-checks.ts'
import { numericalChecks } from './numerical/numerical-checks.ts'
import { shortAnswerChecks } from './short-answer/short-answer-checks.ts'
import type { Question, QuestionType } from './question-types.schema.ts'
import type { ComparedPart, CueOption, KeyComparison, QuestionKind, TypeChecks } from './type-checks.ts'

const registry: { readonly [Type in QuestionType]: TypeChecks<Type> } = {
  choice: choiceChecks,
  'drop-down': dropDownChecks,
  ordering: orderingChecks,
  numerical: numericalChecks,
  'short-answer': shortAnswerChecks,
  'hot-spot': hotSpotChecks,
  matching: matchingChecks,
}
const types = Object.keys(registry) as QuestionType[]

/** The cast is safe because the callers below pass questions of that type. */
function checksOf({ type }: { readonly type: QuestionType }): TypeChecks<QuestionType> {
  return registry[type] as TypeChecks<QuestionType>
}

/** The parts by which questions of one type are compared. */
export function comparedPartsOf(question: Question): ComparedPart[] {
  return checksOf(question).comparedParts(question)
}

/** How the key values of equal parts of two questions of a type stand to each other. */
export function compareKeys(type: QuestionType, mine: string, other: string): KeyComparison {
  return checksOf({ type }).compareKeys?.(mine, other) ?? (mine === other ? 'same' : 'contrary')
}

/** What a learner would stumble over in the wording of a question, because of its type. */
export function typeWordingRemarks(question: Question): Remark[] {
  return checksOf(question).wordingRemarks(question)
}

/** What the questions of an exam reveal or get out of proportion, type by type. */
export function typeBalanceRemarks(questions: readonly Question[]): Remark[] {
  return types.flatMap((type) => checksOf({ type }).balanceRemarks(questions.filter((one) => one.type === type)))
}

/** The options of a question of which exactly one is right, or null if it is no such question. */
export function cueOptionsOf(question: Question): readonly CueOption[] | null {
  return checksOf(question).cueOptions(question)
}

/** The kinds with the words that say what a number of such questions has, in the order in which they are listed. */
export const KIND_WORDS: { readonly [Kind in QuestionKind]: string } = {
  single: 'with one right answer',
  multiple: 'with several right answers',
  'drop-down': 'with gaps to fill from lists',
  ordering: 'to put into order',
  numerical: 'with a number to write',
  'short-answer': 'with a short text to write',
  'hot-spot': 'to point at in a picture',
  matching: 'to match',
}
export const QUESTION_KINDS = Object.keys(KIND_WORDS) as QuestionKind[]

/** The group in which a question is counted. */
export function kindOf(question: Question): QuestionKind {
  return checksOf(question).kindOf(question)
}
