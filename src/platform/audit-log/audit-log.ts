import { cents, formatDollars, parseDollars } from '../../lib/money.ts'
import { formatInstant } from '../../lib/time.ts'
import { copy } from './audit-log.copy.ts'

/** The change of a field; undefined where the field did not exist. */
type Change = { readonly field: string; readonly before: string | undefined; readonly after: string | undefined }

/** The fields that differ between two states, each named by its path. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [oldFields, newFields] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...oldFields.keys(), ...newFields.keys()])]
  return (
    names
      .map((field) => ({ field, before: oldFields.get(field), after: newFields.get(field) }))
      // An empty field equals a missing one.
      .filter((change) => (change.before ?? '') !== (change.after ?? ''))
      .map(({ field, before, after }) => ({ field, before: before === '' ? undefined : before, after }))
  )
}

/** The name of a field in words: 'amountCents' becomes 'amount', 'starts_at' and 'startsAt' become 'starts at'. */
export function nameOf(field: string): string {
  return field
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/ cents$/, '')
}

const UUID = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g

/** The beginning of an id, by which the log is searched as well. */
export const shortId = (text: string) => text.replaceAll(UUID, '$1')

const VALUE_CHARACTERS = 600

/** A value for display: ids and long texts are cut, dates and amounts of money are formatted. */
export function textOf({ field, value }: { field: string; value: string }): string {
  if (value === '') return copy['audit.empty']
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) return formatInstant(value)
  if (/(_c|C)ents$/.test(field) && /^-?\d+$/.test(value)) return formatDollars(cents(Number(value)))
  // The column of the price holds dollars.
  const price = /(^|\.)price$/.test(field) ? parseDollars(value) : null
  if (price !== null) return formatDollars(price)
  const text = shortId(value)
  return text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS)}…` : text
}

/** Maps the path of each leaf to its text. A list of plain values is one leaf: 'a, b'. */
function fieldsOf(value: unknown, path = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map(path === '' ? [] : [[path, '']])
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null))
    return new Map([[path, value.map(String).join(', ')]])
  if (typeof value !== 'object') return new Map([[path, wordOf(value)]])
  return new Map(
    Object.entries(value).flatMap(([name, item]) => [...fieldsOf(item, path === '' ? name : `${path}.${name}`)]),
  )
}

function wordOf(value: unknown): string {
  if (value === true) return 'yes'
  if (value === false) return 'no'
  return String(value)
}
