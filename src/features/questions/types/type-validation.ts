import type { ReasonCode } from '../questions.schema.ts'
import type { Question, QuestionType } from './question-types.schema.ts'
import type { QuestionFields } from './question-base.schema.ts'
import type { OfType } from './type-grading.ts'

/** Reports a problem of a field. @param about what the sentence quotes; by default the field */
export type Note = (code: ReasonCode, field: string, about?: string) => void

/** The fields of a question from a request or a file, before they are checked. */
export type GivenFields = ReadonlyMap<string, unknown>

/** Reads the given fields that only a type has, and reports what is wrong with them. */
export type ReadBody<Type extends QuestionType> = (
  given: GivenFields,
  note: Note,
  id: string,
) => Omit<OfType<Question, Type>, keyof QuestionFields>
