import type { ReactNode } from 'react'
import { PRINTS } from './registered/registered-prints.tsx'
import type { Question, QuestionType } from './question-types.schema.ts'
import type { OfType } from './type-grading.ts'

/** How questions of a type are printed. */
export interface TypePrint<Type extends QuestionType> {
  /** What stands below the stem on the exam's sheet. */
  PrintedParts(props: { question: OfType<Question, Type> }): ReactNode
  /** The answer key in a few characters, such as `A, C`. */
  printedKey(question: OfType<Question, Type>): string
}

/** Not loaded per type: the sheet must be complete when it is printed. */
const registry: { readonly [Type in QuestionType]: TypePrint<Type> } = PRINTS

/** The printing of a type. The cast is safe because the callers below pass values of equal type. */
function printOf({ type }: { readonly type: QuestionType }): TypePrint<QuestionType> {
  return registry[type] as TypePrint<QuestionType>
}

/** What stands below the stem of a question on the exam's sheet. */
export function PrintedParts({ question }: { question: Question }) {
  const print = printOf(question)
  return <print.PrintedParts question={question} />
}

/** The answer key in a few characters, such as `A, C`. */
export function printedKey(question: Question): string {
  return printOf(question).printedKey(question)
}
