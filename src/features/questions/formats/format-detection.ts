import type { ImportFormat } from './formats.schema.ts'
import { delimiterOf, type Row, rowsOf } from './tables/table-reader.ts'
import { isUdemyHeader } from './tables/udemy-csv.ts'

/** Detects the format from the beginning of a text. The path decides only if the content fits several. */
export function signOf(beginning: string, path: string): ImportFormat | null {
  const text = beginning.trimStart()
  if (text.startsWith('<')) return xmlSign(text)
  if (text.startsWith('{') || /^\[\s*(?:[[{"\]])/.test(text)) {
    const json = jsonSign(text)
    if (json !== null) return json
  }
  const header = headerOf(text)
  // No other format has these columns.
  if (isUdemyHeader(header)) return 'udemy-csv'
  return markdownSign(text) ?? tableSign(header, path) ?? (isEvenTable(text) ? 'csv' : plainSign(text))
}

/** As `signOf`, for a piece from the middle of a long text: a preface may be longer than the beginning. Tables and trees begin at once. */
export function laterSignOf(piece: string): ImportFormat | null {
  return markdownSign(piece) ?? plainSign(piece)
}

function xmlSign(text: string): ImportFormat | null {
  if (/<quiz[\s>]/.test(text)) return 'moodle-xml'
  if (/<(?:\w+:)?questestinterop[\s>]/.test(text)) return 'qti-1'
  if (/<qti-(?:assessment-(?:item|test)|choice-interaction)[\s>]/.test(text)) return 'qti-3'
  if (/<(?:\w+:)?assessment(?:Item|Test)[\s>]/.test(text)) return 'qti-2'
  return null
}

function jsonSign(text: string): ImportFormat | null {
  if (/"(?:final_answer|answer_ids)"\s*:/.test(text) && /"id"\s*:/.test(text)) return 'json'
  if (text.includes('"altocert-questions"')) return 'json'
  return /"question(?:s|_text)?"\s*:/.test(text) ? 'voted-json' : null
}

const BOXED = /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[[ xX]\]/m
const KEY_HEADING = /^##[ \t]+[A-Za-z0-9][A-Za-z0-9._-]*[ \t]*$/m

function markdownSign(text: string): ImportFormat | null {
  const head = /^---[ \t]*\n(.*?)\n---[ \t]*$/ms.exec(text)?.[1]
  if (head !== undefined && /^(?:slug|time_limit|passing_score|price):/m.test(head)) return 'markdown'
  if (BOXED.test(text)) {
    if (KEY_HEADING.test(text)) return 'markdown'
    if (head !== undefined) return 'markdown-files'
    return /^#{1,4}[ \t]+\S/m.test(text) ? 'markdown-checked' : null
  }
  const isNumbered =
    /^[ \t]*(?:\d{1,5}[.)]|#{1,4}[ \t]).*\S/m.test(text) && /^[ \t]*[-*+][ \t]+[A-Za-z][.)][ \t]/m.test(text)
  return isNumbered && /correct answers?:/i.test(text) ? 'markdown-numbered' : null
}

function headerOf(text: string): string[] {
  const first = rowsOf(text, delimiterOf(text)).next()
  return first.done ? [] : first.value.cells
}

function tableSign(header: string[], path: string): ImportFormat | null {
  const isNamed = /\.(?:csv|tsv)$/i.test(path)
  if (header.length >= (isNamed ? 2 : 4) && header.some((cell) => /question|stem|prompt/i.test(cell))) return 'csv'
  return isNamed ? 'csv' : null
}

/** Rows that are compared with the width of their header. */
const ROWS_COMPARED = 20
const LONGEST_NAME = 60

/** A table with any column names: a header of three or more short, different names above rows of the same width. */
function isEvenTable(text: string): boolean {
  const rows: Row[] = []
  for (const row of rowsOf(text, delimiterOf(text))) {
    rows.push(row)
    if (rows.length === ROWS_COMPARED) break
  }
  const [header, ...others] = rows
  // Only the beginning of the file was read, so its last row may be cut.
  const whole = rows.length === ROWS_COMPARED || others.length < 2 ? others : others.slice(0, -1)
  if (header === undefined || header.cells.length < 3 || whole.length === 0) return false
  const names = header.cells.map((cell) => cell.trim().toLowerCase())
  const areNames = names.every((name) => name !== '' && name.length <= LONGEST_NAME && !name.includes('\n'))
  const areDifferent = new Set(names).size === names.length
  return areNames && areDifferent && whole.every(({ cellCount }) => cellCount === header.cellCount)
}

function plainSign(text: string): ImportFormat | null {
  if (/^ANSWER:[ \t]*[A-Z][ \t]*$/im.test(text) && /^[A-Z][.)][ \t]/m.test(text)) return 'aiken'
  const isGift = /^[ \t]*(?:\$CATEGORY:|::)/m.test(text) || /\{[^{}]*[=~TF#][^{}]*\}/.test(text)
  return isGift ? 'gift' : null
}
