import {
  CHOICE_COLUMNS,
  CHOICE_FACTS,
  CHOICE_HEADERS,
  CHOICE_MARK,
  CHOICE_NEEDED_COLUMNS,
} from './choice/formats/choice-fields.ts'
import { HOT_SPOT_MARK } from './hot-spot/hot-spot-fields.ts'
import { MATCHING_FACTS, MATCHING_MARK } from './matching/matching-fields.ts'
import { NUMERICAL_FACTS, NUMERICAL_MARK } from './numerical/numerical-fields.ts'
import { DROP_DOWN_MARK } from './drop-down/drop-down-fields.ts'
import { ORDERING_MARK } from './ordering/ordering-fields.ts'
import type { QuestionType } from './question-types.schema.ts'
import { SHORT_ANSWER_FACTS, SHORT_ANSWER_MARK } from './short-answer/short-answer-fields.ts'

/*
 * The columns and lines that types add to files. They are apart from the format registry so that a browser that maps columns
 * does not load the readers.
 */

/** Columns of tables, in the order of the form that maps them. */
export const TYPE_COLUMNS = CHOICE_COLUMNS
export type TypeColumn = (typeof TYPE_COLUMNS)[number]

/** The usual names of these columns in other people's tables. */
export const TYPE_HEADERS: Readonly<Record<TypeColumn, RegExp>> = CHOICE_HEADERS

/** Names of the lines `name: value` in our Markdown. */
export const TYPE_FACTS = [...CHOICE_FACTS, ...NUMERICAL_FACTS, ...SHORT_ANSWER_FACTS, ...MATCHING_FACTS] as const
export type TypeFact = (typeof TYPE_FACTS)[number]

const factsOfType: { readonly [Type in QuestionType]?: readonly string[] } = {
  choice: CHOICE_FACTS,
  numerical: NUMERICAL_FACTS,
  'short-answer': SHORT_ANSWER_FACTS,
  matching: MATCHING_FACTS,
}

/** Whether some type has a fact of this name. */
export function isTypeFact(name: string): boolean {
  return TYPE_FACTS.some((fact) => fact === name)
}

/** Whether a fact is one of other types only, so that it says nothing about a question of this type. */
export function isFactUnused(name: string, type: QuestionType): boolean {
  return isTypeFact(name) && factsOfType[type]?.includes(name) !== true
}

/** What begins the line of a part in our Markdown, near misses included, as sources of regular expressions. */
export const PART_MARKS: readonly string[] = [
  CHOICE_MARK,
  DROP_DOWN_MARK,
  ORDERING_MARK,
  NUMERICAL_MARK,
  SHORT_ANSWER_MARK,
  MATCHING_MARK,
  HOT_SPOT_MARK,
]

const neededColumns: readonly (typeof CHOICE_NEEDED_COLUMNS)[] = [CHOICE_NEEDED_COLUMNS]

/** The names of the columns that a table lacks. The columns of one type are enough; without them, those of the first are missing. */
export function missingColumns(isMapped: (column: TypeColumn) => boolean): string[] {
  const missing = neededColumns.map((needed) => needed.flatMap(([column, name]) => (isMapped(column) ? [] : [name])))
  return missing.find((names) => names.length === 0) ?? missing[0] ?? []
}
