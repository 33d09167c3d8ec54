import { z } from 'zod'
import type { FieldProblem } from '../../../../lib/failure.ts'
import { wordReason } from '../../questions.copy.ts'
import { PartId } from '../question-base.schema.ts'
import { EditText } from '../question-edit-base.schema.ts'
import { formText } from '../given-fields.ts'
import { copy } from '../question-edit.copy.ts'

/* Lists of parts with a text each, as forms edit them. */

/** A row of a list from a form. An existing part keeps its id; a new one has none. */
export const EditRow = z.object({ id: PartId.nullable().default(null), text: EditText })
export type EditRow = z.infer<typeof EditRow>

export const EditedRow = z.object({
  /** Identifies the row in the form: a new part has no id yet. */
  key: z.string(),
  id: z.string().nullable(),
  text: z.string(),
})
export type EditedRow = z.infer<typeof EditedRow>

export type RowChange =
  | {
      readonly kind: 'text'
      readonly place: number
      readonly text: string
      /** Whether the text was typed, so that continued typing is one step. */
      readonly isTyped?: boolean
    }
  | { readonly kind: 'add' }
  | { readonly kind: 'remove'; readonly place: number }
  | { readonly kind: 'move'; readonly place: number; readonly by: 1 | -1 }

export type RowsChanged<Row> = {
  readonly rows: readonly Row[]
  /** The row whose text was typed; null for a step of its own. */
  readonly typedField: string | null
  /** The key of the row that receives the focus. */
  readonly focusedKey: string | null
}

export type RowLimits<Row extends EditedRow> = {
  readonly least: number
  readonly most: number
  readonly empty: (key: string) => Row
  /** What the keys of new rows begin with, if a form has several lists. */
  readonly prefix?: string
}

/** The rows after a change; null if the change is none. */
export function changeRows<Row extends EditedRow>(
  rows: readonly Row[],
  change: RowChange,
  { least, most, empty, prefix }: RowLimits<Row>,
): RowsChanged<Row> | null {
  const row = 'place' in change ? rows[change.place] : undefined
  switch (change.kind) {
    case 'text':
      if (row === undefined) return null
      return {
        rows: rows.with(change.place, { ...row, text: change.text }),
        typedField: change.isTyped === true ? row.key : null,
        focusedKey: null,
      }
    case 'add': {
      if (rows.length >= most) return null
      const added = empty(unusedKey(rows, prefix))
      return { rows: [...rows, added], typedField: null, focusedKey: added.key }
    }
    case 'remove':
      if (row === undefined || rows.length <= least) return null
      return { rows: rows.toSpliced(change.place, 1), typedField: null, focusedKey: null }
    case 'move': {
      const neighbour = rows[change.place + change.by]
      if (row === undefined || neighbour === undefined) return null
      const moved = rows.with(change.place, neighbour).with(change.place + change.by, row)
      return { rows: moved, typedField: null, focusedKey: row.key }
    }
  }
}

const NEW = 'new'

/** A key that no row has; a removed row's key may come back. */
function unusedKey(rows: readonly EditedRow[], prefix = NEW): string {
  const used = new Set(rows.map(({ key }) => key))
  const number = Array.from({ length: rows.length + 1 }, (_, at) => at).find((at) => !used.has(`${prefix}-${at}`))
  return `${prefix}-${number ?? rows.length}`
}

export const emptyRow = (key: string): EditedRow => ({ key, id: null, text: '' })

/** So many rows without text. */
export function emptyRows(count: number, prefix = NEW): EditedRow[] {
  return Array.from({ length: count }, (_, at) => emptyRow(`${prefix}-${at}`))
}

/** Stored parts as rows. */
export function toRows(parts: readonly { readonly id: string; readonly text: string }[]): EditedRow[] {
  return parts.map(({ id, text }) => ({ key: id, id, text }))
}

/** What is sent: without the empty new rows that a form offers at the end, but at least so many. */
export function usedRows<Row extends EditedRow>(rows: readonly Row[], least: number): Row[] {
  const used = rows.findLastIndex(({ id, text }) => id !== null || text.trim() !== '') + 1
  return rows.slice(0, Math.max(least, used))
}

/** Rows without a text, and rows whose part is not the question's. @param labelOf the label of a row, such as 'Step 2' */
export function rowProblems(
  rows: readonly EditRow[],
  field: string,
  { labelOf, isForeign }: { labelOf: (place: number) => string; isForeign: (id: string | null) => boolean },
): FieldProblem[] {
  return rows.flatMap(({ id, text }, place) => {
    const at = `${field}.${place}.text`
    if (text.trim() === '') return [{ field: at, message: wordReason('part-empty', [labelOf(place)]) }]
    return isForeign(id) ? [{ field: at, message: copy['part.foreign'] }] : []
  })
}

/** Tells ids that are none of the stored parts, or that several rows have. */
export function foreignIds(
  rows: readonly { readonly id: string | null }[],
  stored: readonly { readonly id: string }[],
): (id: string | null) => boolean {
  const known = new Set(stored.map(({ id }) => id))
  return (id) => id !== null && (!known.has(id) || rows.filter((row) => row.id === id).length > 1)
}

/** The list of a file's body as rows to correct. */
export function rowsFromFile(value: unknown, least: number): EditedRow[] {
  const texts = Array.isArray(value) ? value.map((entry: unknown) => formText(textOf(entry))) : []
  const rows = texts.map((text, place) => ({ key: `file-${place}`, id: null, text }))
  return [...rows, ...emptyRows(Math.max(0, least - rows.length))]
}

function textOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'text' in entry ? entry.text : entry
}

/** As many rows as there may be, for a form that cannot add rows. */
export function allRows<Row extends EditedRow>(
  rows: readonly Row[],
  { most, empty, prefix = NEW }: RowLimits<Row>,
): Row[] {
  const missing = Math.max(0, most - rows.length)
  return [...rows, ...Array.from({ length: missing }, (_, at) => empty(`${prefix}-blank-${at}`))]
}

/** The texts of a file's list that no form has room for. */
export function textsBeyond(value: unknown, most: number): string[] {
  return rowsFromFile(value, 0)
    .slice(most)
    .map(({ text }) => text)
}
