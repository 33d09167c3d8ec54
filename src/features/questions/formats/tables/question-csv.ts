import { normaliseLine } from '../../question-text.ts'
import { missingColumns, TYPE_HEADERS } from '../../types/field-registry.ts'
import { readParts } from '../../types/format-registry.ts'
import { reason } from '../../questions.ts'
import { lostPart } from '../lost-parts.schema.ts'
import { type ParsedQuestion, findingStep, found, questionStep, type Reading } from '../parsed-question.ts'
import { htmlInText } from '../markup/html-to-markdown.ts'
import { mapTexts } from '../bank-images.ts'
import { type ColumnMapping, MAPPED_FIELDS, type ReadStep, type TableColumns } from '../formats.schema.ts'
import { delimiterOf, MAX_COLUMNS, type Row, rowsOf, textOfCell } from './table-reader.ts'
import { isUdemyHeader, readUdemyRows } from './udemy-csv.ts'

/** Reads a table with mapped columns. Without a mapping, the header suggests one. */
export function* readCsv(file: string, text: string, reading: Reading, mapping: ColumnMapping): Generator<ReadStep> {
  yield* readTable(file, csvRows(text), reading, mapping)
}

export function* readTable(
  file: string,
  rows: Generator<Row>,
  reading: Reading,
  mapping: ColumnMapping,
): Generator<ReadStep> {
  const first = rows.next()
  if (first.done) return
  const header = first.value
  if (Object.keys(mapping).length === 0 && isUdemyHeader(header.cells)) {
    yield* readUdemyRows(file, withHeader(header, rows), reading)
    return
  }
  if (header.cellCount > MAX_COLUMNS)
    yield findingStep('columns-too-many', { file, line: header.line, about: String(header.cellCount) })
  const places = Object.keys(mapping).length === 0 ? guessMapping(header.cells) : mapping
  const missing = missingColumns((column) => places[column] !== undefined)
  for (const name of places.question === undefined ? ['the question', ...missing] : missing)
    yield findingStep('column-missing', { file, line: header.line, about: name })
  if (places.question === undefined) return
  for (const row of rows) yield questionStep(fromRow(file, row, header, places), reading)
}

export function csvColumns(text: string): TableColumns | null {
  return columnsOfRows(csvRows(text))
}

export function columnsOfRows(rows: Generator<Row>): TableColumns | null {
  const first = rows.next()
  if (first.done) return null
  const shown: string[][] = []
  for (const row of rows) {
    shown.push(row.cells)
    if (shown.length === ROWS_SHOWN) break
  }
  return { header: first.value.cells, rows: shown, mapping: guessMapping(first.value.cells) }
}

/** Enough to recognize a column by its content. */
const ROWS_SHOWN = 10

function* csvRows(text: string): Generator<Row> {
  for (const row of rowsOf(text, delimiterOf(text))) yield { ...row, cells: row.cells.map(textOfCell) }
}

function* withHeader(header: Row, rows: Generator<Row>): Generator<Row> {
  yield header
  yield* rows
}

type MappedField = (typeof MAPPED_FIELDS)[number]

/** The usual names of columns in other people's tables. The first column that fits is taken. */
const HEADERS: Readonly<Record<MappedField, RegExp>> = {
  key: /^key$/,
  question: /^(?:question|question text|questions|stem|prompt|text)$/,
  ...TYPE_HEADERS,
  explanation: /^(?:(?:overall )?explanation|rationale|feedback|general feedback|comment|reason|why)$/,
  domain: /^(?:domain|topic|category|section|subject|area)$/,
  url: /^(?:url|link|reference|references|source|documentation)$/,
  difficulty: /^(?:difficulty|level)$/,
}

/** A column that only counts the rows. An exam counts its questions itself, so nothing is lost without it. */
const NUMBERING = /^(?:#|(?:question )?(?:nr|no|number))$/

const isNumbering = (name: string, cell: string) => NUMBERING.test(plainName(name)) && /^\d+\.?$/.test(cell)

const plainName = (header: string) =>
  normaliseLine(header)
    .toLowerCase()
    .replace(/[_-]+/g, ' ')
    .replace(/[:.?]$/, '')

function guessMapping(header: string[]): ColumnMapping {
  const names = header.map(plainName)
  const mapping: ColumnMapping = {}
  for (const field of MAPPED_FIELDS) {
    const place = names.findIndex((name) => HEADERS[field].test(name))
    if (place !== -1) mapping[field] = place
  }
  return mapping
}

function fromRow(file: string, row: Row, header: Row, mapping: ColumnMapping): ParsedQuestion {
  const read = found(file, row.line)
  if (row.isQuoteOpen) read.reasons.push(reason('quote-unclosed', '', '', row.line))
  const isOver = row.cellCount > header.cellCount
  if (isOver && row.cells.slice(header.cells.length).some((cell) => cell.trim() !== ''))
    read.reasons.push(reason('cells-too-many', '', String(row.cellCount), row.line))
  const cell = (field: MappedField) => row.cells[mapping[field] ?? -1] ?? ''
  read.key = normaliseLine(cell('key')) || undefined
  read.stem = cell('question')
  read.body = readParts('csv', { cell }, read).body
  read.explanation = cell('explanation')
  read.facts = { domain: cell('domain'), url: cell('url'), difficulty: cell('difficulty') }
  mapTexts(read, (text) => htmlInText(text, read.lost))
  const used = new Set(Object.values(mapping))
  for (const [place, name] of header.cells.entries()) {
    const text = (row.cells[place] ?? '').trim()
    if (!used.has(place) && text !== '' && !isNumbering(name, text))
      read.lost.push(lostPart('column', normaliseLine(name) || `number ${place + 1}`))
  }
  return read
}
