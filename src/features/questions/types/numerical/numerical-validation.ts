import { isBlank, normaliseLine } from '../../question-text.ts'
import { readBodyFields } from '../parts/given-body.ts'
import { readTextValue } from '../given-fields.ts'
import type { GivenFields, Note, ReadBody } from '../type-validation.ts'
import { printDecimal, readDecimal } from './decimal-numbers.ts'
import { MAX_UNIT_LENGTH } from './numerical.schema.ts'

/** Reads `body.value`, `body.tolerance` and `body.unit`. In our Markdown the last two are facts beside the body. */
export const readNumerical: ReadBody<'numerical'> = (given, note) => {
  const body = readBodyFields(given, note)
  const field = (name: string) => body.get(name) ?? given.get(name)
  if (isMissing(body.get('value'))) note('part-empty', 'body.value', 'The right number')
  const value = readNumber(body.get('value'), 'body.value', note)
  const tolerance = readNumber(field('tolerance'), 'body.tolerance', note)
  if (tolerance.startsWith('-')) note('tolerance-negative', 'body.tolerance', tolerance)
  return { type: 'numerical', value, tolerance, unit: readUnit(field('unit'), note) }
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && isBlank(value))
}

/** Zero for a number that is missing or wrong. */
function readNumber(given: unknown, field: string, note: Note): string {
  if (isMissing(given)) return '0'
  const number = typeof given === 'string' || typeof given === 'number' ? readDecimal(String(given)) : null
  if (number !== null) return printDecimal(number)
  note('number-wrong', field, typeof given === 'string' || typeof given === 'number' ? String(given) : typeof given)
  return '0'
}

function readUnit(given: ReturnType<GivenFields['get']>, note: Note): string {
  const unit = normaliseLine(readTextValue(given, 'body.unit', note))
  if (unit.length > MAX_UNIT_LENGTH) note('parts-count', 'body.unit', 'a unit of at most twenty characters')
  // It could not be told from the number.
  else if (/^[-+.,\d]|^$/.test(unit) && unit !== '')
    note('parts-count', 'body.unit', 'a unit that begins with no digit')
  return unit
}
