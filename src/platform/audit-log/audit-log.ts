import { cents, formatDollars } from '../../lib/money.ts'
import { formatInstant } from '../../lib/time.ts'
import { copy } from './audit-log.copy.ts'

/** What changed in one field; undefined: it was not there. */
export type Change = { readonly field: string; readonly before: string | undefined; readonly after: string | undefined }

/** The fields of a line that differ between before and after, each by its path, in words that a person can read. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...was.keys(), ...is.keys()])]
  return (
    names
      .map((field) => ({ field, before: was.get(field), after: is.get(field) }))
      // What is empty may as well not be there.
      .filter((change) => (change.before ?? '') !== (change.after ?? ''))
      .map(({ field, before, after }) => ({ field, before: before === '' ? undefined : before, after }))
  )
}

/** The name of a field in words: 'amountCents' is an amount, 'starts_at' and 'startsAt' are the same. */
export function nameOf(field: string): string {
  return field
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/ cents$/, '')
}

const LONGEST = 600

/** A whole question is too much for a line; an instant and an amount are easier to read in words. */
export function textOf({ field, value }: { field: string; value: string }): string {
  if (value === '') return copy['audit.empty']
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) return formatInstant(value)
  if (/(_c|C)ents$/.test(field) && /^-?\d+$/.test(value)) return formatDollars(cents(Number(value)))
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
}

/** Every leaf by its path. A list of plain values is one value: 'a, b'. */
function fieldsOf(value: unknown, path = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map(path === '' ? [] : [[path, '']])
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null))
    return new Map([[path, value.map(String).join(', ')]])
  if (typeof value !== 'object') return new Map([[path, wordOf(value)]])
  return new Map(
    Object.entries(value).flatMap(([name, one]) => [...fieldsOf(one, path === '' ? name : `${path}.${name}`)]),
  )
}

function wordOf(value: unknown): string {
  if (value === true) return 'yes'
  if (value === false) return 'no'
  return String(value)
}
