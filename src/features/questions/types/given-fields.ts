import { MAX_TEXT_LENGTH } from './question-base.schema.ts'
import { normaliseText, withoutUnstorable } from '../question-text.ts'
import type { GivenFields, Note } from './type-validation.ts'

/** A given text as the bank stores it; empty if it is missing, is no text or is too long. */
export function readText(given: GivenFields, field: string, note: Note): string {
  return readTextValue(given.get(field), field, note)
}

/** As `readText`, for a value that is not a field by itself. */
export function readTextValue(value: unknown, field: string, note: Note): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') {
    note('wrong-type', field)
    return ''
  }
  if (value.length > MAX_TEXT_LENGTH) {
    note('text-too-long', field)
    return ''
  }
  if (withoutUnstorable(value) !== value) note('text-unstorable', field)
  return normaliseText(value)
}

/** A value of a file as the text of a form. */
export function formText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
