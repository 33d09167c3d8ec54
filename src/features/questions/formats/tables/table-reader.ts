/** A row of a table with its place in the file. */
export interface Row {
  line: number
  cells: string[]
  /** The number of cells in the file; `cells` may hold fewer. */
  cellCount: number
  isQuoteOpen: boolean
}

/** Cells of further columns are counted, not stored. */
export const MAX_COLUMNS = 500

/**
 * The rows of a CSV file (RFC 4180). A quote that is never closed damages its own row only: the next row begins on the next
 * line. Runs in time proportional to the text, for any text.
 */
export function* rowsOf(text: string, delimiter: string): Generator<Row> {
  const source: Source = { text, delimiter, isQuoteLost: false, lineEnd: -1 }
  let at = 0
  let line = 1
  while (at < text.length) {
    const { row, end } = readRow(source, at, line)
    if (row.cells.some((cell) => cell.trim() !== '')) yield row
    line += linesIn(text, at, end)
    at = end
  }
}

/** The separator: comma, semicolon or tab, whichever occurs most in the first line outside quotes. */
export function delimiterOf(text: string): string {
  const counts = new Map(DELIMITERS.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  for (let at = 0; at < Math.min(text.length, LONGEST_HEADER); at += 1) {
    const sign = text.charAt(at)
    if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '\n') break
    else if (counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0]
}

const DELIMITERS = [',', ';', '\t']
const LONGEST_HEADER = 100_000

export function csvOf(rows: string[][]): string {
  return rows.map((cells) => `${cells.map(quotedCell).join(',')}\r\n`).join('')
}

/** A spreadsheet may run a cell that begins like this as a formula, so such a cell gets an apostrophe. */
const LIKE_A_FORMULA = /^'*[=+\-@\t\r]/
const ESCAPED_FORMULA = /^'+[=+\-@\t\r]/

export function safeCell(text: string): string {
  return LIKE_A_FORMULA.test(text) ? `'${text}` : text
}

/** Removes the apostrophe that `safeCell` added, and no other. */
export function textOfCell(cell: string): string {
  return ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell
}

interface Source {
  text: string
  delimiter: string
  /** Set once the search for a closing quote has reached the end of the file; later quotes must close on their line. */
  isQuoteLost: boolean
  /** The end of a line that was looked up last; later lookups begin behind it. */
  lineEnd: number
}

/** The end of the line of this place, which is never before that of an earlier call. The text behind it is searched once only. */
function lineEndAt(source: Source, at: number): number {
  if (source.lineEnd < at) {
    const end = source.text.indexOf('\n', at)
    source.lineEnd = end === -1 ? source.text.length : end
  }
  return source.lineEnd
}

function readRow(source: Source, start: number, line: number): { row: Row; end: number } {
  const { text, delimiter } = source
  const row: Row = { line, cells: [], cellCount: 0, isQuoteOpen: false }
  let at = start
  for (;;) {
    const isQuoted = text.charAt(at) === '"'
    const cell = isQuoted ? readQuoted(source, at) : readPlain(source, at)
    if (cell === null) {
      const lineEnd = lineEndAt(source, at)
      keepCell(row, text.slice(at, lineEnd))
      row.isQuoteOpen = true
      return { row, end: Math.min(lineEnd + 1, text.length) }
    }
    keepCell(row, cell.value)
    at = cell.end
    if (text.charAt(at) !== delimiter) return { row, end: Math.min(at + 1, text.length) }
    at += 1
  }
}

function keepCell(row: Row, value: string): void {
  row.cellCount += 1
  if (row.cells.length < MAX_COLUMNS) row.cells.push(value)
}

function readPlain({ text, delimiter }: Source, start: number): { value: string; end: number } {
  let end = start
  while (end < text.length && text.charAt(end) !== delimiter && text.charAt(end) !== '\n') end += 1
  return { value: text.slice(start, end), end }
}

/** Null if the quote at `start` is never closed. */
function readQuoted(source: Source, start: number): { value: string; end: number } | null {
  const { text, delimiter } = source
  const limit = source.isQuoteLost ? lineEndAt(source, start) : text.length
  const parts: string[] = []
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1 || quote >= limit) {
      source.isQuoteLost = true
      return null
    }
    const next = text.charAt(quote + 1)
    if (next === '"') {
      parts.push(text.slice(from, quote + 1))
      from = quote + 2
    } else if (next === '' || next === delimiter || next === '\n') {
      parts.push(text.slice(from, quote))
      return { value: parts.join(''), end: quote + 1 }
    } else if (isOpening(source, quote) && lineEndAt(source, start) < quote) {
      return null
    } else {
      // A quote inside the text that is not doubled.
      parts.push(text.slice(from, quote + 1))
      from = quote + 1
    }
  }
}

/** Whether this quote opens a cell of a later row, which means that the earlier quote was never closed. */
function isOpening({ text, delimiter }: Source, quote: number): boolean {
  const before = text.charAt(quote - 1)
  return before === delimiter || before === '\n'
}

function linesIn(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

function quotedCell(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
