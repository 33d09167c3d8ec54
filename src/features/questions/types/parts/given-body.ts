import { isBlank } from '../../question-text.ts'
import { readTextValue } from '../given-fields.ts'
import { MAX_PARTS, PartId } from '../question-base.schema.ts'
import { withPartIds } from './part-ids.ts'
import type { GivenFields, Note } from '../type-validation.ts'

/*
 * Every type beside the lettered choice is given as a field `body`, an object with the parts of the question (docs/formats.md).
 * These functions read it tolerantly and report what is wrong.
 */

/** A part as somebody gives it. */
export type GivenPart = { readonly id: string | null; readonly text: string; readonly fields: GivenFields }

/** The fields of `body`. A table or a form may give it as JSON. */
export function readBodyFields(given: GivenFields, note: Note): GivenFields {
  const body = parsedBody(given.get('body'))
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return new Map(Object.entries(body))
  note('body-wrong', 'body', body === undefined ? 'it has none' : 'it is not an object')
  return new Map()
}

function parsedBody(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body) as unknown
  } catch {
    return null
  }
}

/**
 * The list of parts in a field of the body: texts, or objects with a `text` and perhaps an `id`. Missing is empty. One part more than
 * any question may have is enough to refuse a longer list, and comparing parts takes time.
 */
export function readPartList(
  body: GivenFields,
  field: string,
  { note, nameOf }: { note: Note; nameOf: (place: number) => string },
): GivenPart[] {
  const value = body.get(field) ?? []
  if (!Array.isArray(value)) {
    note('body-wrong', `body.${field}`, `"${field}" is not a list`)
    return []
  }
  return value.slice(0, MAX_PARTS + 1).map((entry: unknown, place) => {
    const at = `body.${field}.${place}`
    const fields: GivenFields = new Map(typeof entry === 'object' && entry !== null ? Object.entries(entry) : [])
    const text = readTextValue(typeof entry === 'string' ? entry : fields.get('text'), at, note)
    if (isBlank(text)) note('part-empty', at, nameOf(place))
    return { id: readPartId(fields.get('id'), at, note), text, fields }
  })
}

export function readPartId(id: unknown, field: string, note: Note): string | null {
  if (id === undefined || id === null || id === '') return null
  const parsed = PartId.safeParse(id)
  if (parsed.success) return parsed.data
  note('answer-id-replaced', field, typeof id === 'string' ? id : typeof id)
  return null
}

/** Parts with ids. Of several parts with one id the first keeps it. */
export function identified<Part extends GivenPart>(
  questionId: string,
  parts: readonly Part[],
  note: Note,
): (Omit<Part, 'id'> & { id: string })[] {
  const taken = new Set<string>()
  const own = parts.map((part): Part => {
    if (part.id === null) return part
    if (!taken.has(part.id)) {
      taken.add(part.id)
      return part
    }
    note('answer-id-replaced', 'body', part.id)
    return { ...part, id: null }
  })
  return withPartIds(questionId, own)
}

/** Reports the first text that stands twice. */
export function noteRepeated(texts: readonly string[], field: string, note: Note): void {
  const repeated = texts.find((text, place) => !isBlank(text) && texts.indexOf(text) !== place)
  if (repeated !== undefined) note('part-repeated', field, repeated)
}

/** Reports a list that is too short or too long. @param wanted what the question needs, such as 'three to eight steps' */
export function noteCount(
  count: number,
  { least, most, wanted }: { least: number; most: number; wanted: string },
  field: string,
  note: Note,
): void {
  if (count < least || count > most) note('parts-count', field, wanted)
}
