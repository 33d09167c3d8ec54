import type { Remark } from '../checks/bank-checks.schema.ts'
import { CHECKS } from './registered/registered-checks.ts'
import type { Question, QuestionType } from './question-types.schema.ts'
import type { ComparedPart, CueOption, KeyComparison, QuestionKind, TypeChecks } from './type-checks.ts'

const registry: { readonly [Type in QuestionType]: TypeChecks<Type> } = CHECKS
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

/** The kinds with the words that say what a number of such questions has, in the order of their types. */
const kindWords: Partial<Record<QuestionKind, string>> = Object.assign({}, ...types.map((type) => registry[type].kinds))
/** Each kind is the kind of some type (type-capabilities.test.tsx). */
export const KIND_WORDS = kindWords as { readonly [Kind in QuestionKind]: string }
export const QUESTION_KINDS = Object.keys(KIND_WORDS) as QuestionKind[]

/** The group in which a question is counted. */
export function kindOf(question: Question): QuestionKind {
  return checksOf(question).kindOf(question)
}
