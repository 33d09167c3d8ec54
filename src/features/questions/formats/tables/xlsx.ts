import { SaxesParser } from 'saxes'
import { isWorkbook, readEntry } from '../archive.ts'
import { columnsOfRows, readTable } from './question-csv.ts'
import { findingStep, type Reading } from '../parsed-question.ts'
import type { ColumnMapping, ReadStep, SourceFile, TableColumns } from '../formats.schema.ts'
import { MAX_COLUMNS, type Row } from './table-reader.ts'
import { decodeText } from '../text-decoding.ts'
import { allOf, childOf, childrenOf, localName, parseXml, textIn, type XmlElement } from '../markup/xml-tree.ts'

/** Reads the first sheet of a workbook that has a table. Numbers, dates and booleans are read as the sheet shows them. */
export function* readXlsx(files: SourceFile[], reading: Reading, mapping: ColumnMapping): Generator<ReadStep> {
  for (const { path, bytes } of files) {
    reading.used.add(path)
    const rows = isWorkbook(bytes) ? firstTable(bytes) : null
    if (rows) yield* readTable(path, rows, reading, mapping)
    else yield findingStep('file-unreadable', { file: path, about: 'it has no sheet with a table that can be read.' })
  }
}

export function xlsxColumns(bytes: Uint8Array): TableColumns | null {
  const rows = firstTable(bytes)
  return rows && columnsOfRows(rows)
}

function firstTable(bytes: Uint8Array): Generator<Row> | null {
  const book: Book = { shared: null, formats: formatsOf(bytes), bytes }
  for (const path of sheetPaths(bytes)) {
    if (!rowsOfSheet(book, path).next().done) return rowsOfSheet(book, path)
  }
  return null
}

interface Book {
  bytes: Uint8Array
  /** Read when a cell needs them for the first time. */
  shared: string[] | null
  formats: string[]
}

function partOf(bytes: Uint8Array, path: string): string {
  const part = readEntry(bytes, path)
  return part ? decodeText(part).text : ''
}

function treeOf(bytes: Uint8Array, path: string): XmlElement | undefined {
  return parseXml(partOf(bytes, path)).root ?? undefined
}

/** A table stands in one of the first sheets. A file can name any number of them, and each sheet again and again. */
const MOST_SHEETS = 100

/** The sheets in the order of their tabs. */
function sheetPaths(bytes: Uint8Array): string[] {
  const targets = new Map(
    childrenOf(treeOf(bytes, 'xl/_rels/workbook.xml.rels'), 'Relationship').map(({ attributes }) => [
      attributes['Id'] ?? '',
      attributes['Target'] ?? '',
    ]),
  )
  const sheets = childrenOf(childOf(treeOf(bytes, 'xl/workbook.xml'), 'sheets'), 'sheet')
  const paths = sheets.flatMap(({ attributes }) => {
    const target = targets.get(attributes['r:id'] ?? '')
    if (target === undefined) return []
    return [target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`]
  })
  return [...new Set(paths)].slice(0, MOST_SHEETS)
}

const CHUNK = 64 * 1024

function* rowsOfSheet(book: Book, path: string): Generator<Row> {
  const text = partOf(book.bytes, path)
  const parser = new SaxesParser({ position: false, xmlns: false })
  const done: Row[] = []
  const state = { row: emptyRow(0), cell: '', column: 0, style: 0, type: '', isValue: false, isPhonetic: false }
  parser.on('error', () => undefined)
  parser.on('opentag', ({ name, attributes }) => {
    const local = localName(name)
    if (local === 'row') state.row = emptyRow(lineOf(attributes['r']) ?? state.row.line + 1)
    else if (local === 'c') {
      state.column = columnOf(attributes['r']) ?? state.row.cellCount
      state.type = attributes['t'] ?? 'n'
      state.style = Number(attributes['s'] ?? '0')
      state.cell = ''
    } else if (local === 'v' || local === 't') state.isValue = !state.isPhonetic
    else if (local === 'rPh') state.isPhonetic = true
  })
  parser.on('text', (content) => {
    if (state.isValue) state.cell += content
  })
  parser.on('closetag', ({ name }) => {
    const local = localName(name)
    if (local === 'v' || local === 't') state.isValue = false
    else if (local === 'rPh') state.isPhonetic = false
    else if (local === 'c') putCell(state.row, state.column, shownValue(book, state))
    else if (local === 'row' && state.row.cells.some((cell) => cell.trim() !== '')) done.push(state.row)
  })
  for (let at = 0; at < text.length; at += CHUNK) {
    parser.write(text.slice(at, at + CHUNK))
    yield* done.splice(0)
  }
}

function emptyRow(line: number): Row {
  return { line, cells: [], cellCount: 0, isQuoteOpen: false }
}

/** The number of a row; null for what no sheet can have (ECMA-376 ends at 2^20). */
function lineOf(written: string | undefined): number | null {
  const line = Number(written)
  return Number.isInteger(line) && line >= 1 && line <= 2 ** 20 ? line : null
}

function putCell(row: Row, column: number, value: string): void {
  row.cellCount = Math.max(row.cellCount, column + 1)
  if (column >= MAX_COLUMNS) return
  while (row.cells.length < column) row.cells.push('')
  row.cells[column] = value
}

/** `AB12` is column 27. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d/.exec(reference ?? '')?.[1]
  if (letters === undefined) return null
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function shownValue(book: Book, { cell, type, style }: { cell: string; type: string; style: number }): string {
  switch (type) {
    case 's':
      book.shared ??= sharedStrings(book.bytes)
      return book.shared[Number(cell)] ?? ''
    case 'b':
      return cell === '1' ? 'TRUE' : 'FALSE'
    case 'n':
      return cell === '' ? '' : shownNumber(Number(cell), book.formats[style] ?? 'General')
    default:
      return unescaped(cell)
  }
}

function sharedStrings(bytes: Uint8Array): string[] {
  const root = treeOf(bytes, 'xl/sharedStrings.xml')
  return childrenOf(root, 'si').map((item) => {
    const runs = [...childrenOf(item, 't'), ...childrenOf(item, 'r').flatMap((run) => childrenOf(run, 't'))]
    return unescaped(runs.map(textIn).join(''))
  })
}

/** Characters that XML cannot hold (ECMA-376 22.4.2.4). */
function unescaped(text: string): string {
  const plain = text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return plain.replace(/\r\n?/g, '\n')
}

/** The number format of each style, by index. */
function formatsOf(bytes: Uint8Array): string[] {
  const root = treeOf(bytes, 'xl/styles.xml')
  const own = new Map(
    allOf(childOf(root, 'numFmts'), 'numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode'] ?? '',
    ]),
  )
  return childrenOf(childOf(root, 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = Number(attributes['numFmtId'] ?? '0')
    return own.get(id) ?? BUILT_IN.get(id) ?? 'General'
  })
}

/** The built-in number formats that change what is shown (ECMA-376 18.8.30). */
const BUILT_IN = new Map([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  ...[14, 15, 16, 17].map((id): [number, string] => [id, 'yyyy-mm-dd']),
  ...[18, 19, 20, 21].map((id): [number, string] => [id, 'hh:mm']),
  [22, 'yyyy-mm-dd hh:mm'],
])

/** As many as spreadsheets show. */
const MOST_DECIMALS = 30

function shownNumber(value: number, format: string): string {
  if (!Number.isFinite(value)) return ''
  const plain = format.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '')
  const isDate = /[yd]|m{3}|h/i.test(plain) && !/general/i.test(plain) && value >= 0 && value < LAST_DAY
  if (isDate) return shownDate(value, plain)
  const decimals = Math.min(/0\.(0+)/.exec(plain)?.[1]?.length ?? 0, MOST_DECIMALS)
  if (plain.includes('%')) return `${(value * 100).toFixed(decimals)}%`
  if (/[0#]/.test(plain) && decimals > 0) return value.toFixed(decimals)
  if (/^[#,]*0$/.test(plain)) return String(Math.round(value))
  // As the sheet shows it, without rounding errors of binary fractions.
  return String(Number(value.toPrecision(15)))
}

/** The end of the year 9999, as days since the end of 1899. */
const LAST_DAY = 2_958_466

/** Days since the end of 1899. */
function shownDate(value: number, format: string): string {
  const iso = new Date(Math.round((value - 25_569) * 86_400_000)).toISOString()
  const [date = '', time = ''] = iso.split('T')
  const hasDate = /[yd]/i.test(format)
  const hasTime = /h/i.test(format)
  return [hasDate ? date : '', hasTime ? time.slice(0, 5) : ''].filter((part) => part !== '').join(' ')
}
