import { CHOICE_COLUMNS, CHOICE_HEADERS, CHOICE_NEEDED_COLUMNS } from './choice/formats/choice-fields.ts'
import { FACTS, MARKS } from './registered/registered-fields.ts'
import type { QuestionType } from './question-types.schema.ts'

/*
 * The columns and lines that types add to files. They are apart from the format registry so that a browser that maps columns
 * does not load the readers.
 */

/** Columns of tables, in the order of the form that maps them. */
export const TYPE_COLUMNS = CHOICE_COLUMNS
export type TypeColumn = (typeof TYPE_COLUMNS)[number]

/** The usual names of these columns in other people's tables. */
export const TYPE_HEADERS: Readonly<Record<TypeColumn, RegExp>> = CHOICE_HEADERS

const factsOfType: { readonly [Type in QuestionType]?: readonly string[] } = FACTS

/** Names of the lines `name: value` in our Markdown. */
export type TypeFact = (typeof FACTS)[keyof typeof FACTS][number]
export const TYPE_FACTS: readonly TypeFact[] = Object.values(FACTS).flat()

/** Whether some type has a fact of this name. */
export function isTypeFact(name: string): boolean {
  return TYPE_FACTS.some((fact) => fact === name)
}

/** Whether a fact is one of other types only, so that it says nothing about a question of this type. */
export function isFactUnused(name: string, type: QuestionType): boolean {
  return isTypeFact(name) && factsOfType[type]?.includes(name) !== true
}

/** What begins the line of a part in our Markdown, near misses included, as sources of regular expressions. */
export const PART_MARKS: readonly string[] = Object.values(MARKS)

const neededColumns: readonly (typeof CHOICE_NEEDED_COLUMNS)[] = [CHOICE_NEEDED_COLUMNS]

/** The names of the columns that a table lacks. The columns of one type are enough; without them, those of the first are missing. */
export function missingColumns(isMapped: (column: TypeColumn) => boolean): string[] {
  const missing = neededColumns.map((needed) => needed.flatMap(([column, name]) => (isMapped(column) ? [] : [name])))
  return missing.find((names) => names.length === 0) ?? missing[0] ?? []
}
