import { normaliseLine, reason } from '../../questions.ts'
import { LETTERS, MAX_OPTIONS } from '../../questions.schema.ts'
import { lostSentences } from '../formats.copy.ts'
import { type ParsedQuestion, findingStep, found, questionStep, type Reading } from '../parsed-question.ts'
import { htmlInText } from '../markup/html-to-markdown.ts'
import { mapTexts } from '../bank-images.ts'
import { type ColumnMapping, MAPPED_FIELDS, type ReadStep, type TableColumns } from '../formats.schema.ts'
import { delimiterOf, MAX_COLUMNS, type Row, rowsOf, textOfCell } from './table-reader.ts'
import { isUdemyHeader, readUdemyRows } from './udemy-csv.ts'

/** Reads a table whose columns somebody named; without a mapping the one that its header suggests. */
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
  for (const [field, name] of NEEDED) {
    if (places[field] === undefined) yield findingStep('column-missing', { file, line: header.line, about: name })
  }
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

/** Enough to see what a column holds. */
const ROWS_SHOWN = 10

function* csvRows(text: string): Generator<Row> {
  for (const row of rowsOf(text, delimiterOf(text))) yield { ...row, cells: row.cells.map(textOfCell) }
}

function* withHeader(header: Row, rows: Generator<Row>): Generator<Row> {
  yield header
  yield* rows
}

const NEEDED = [
  ['question', 'the question'],
  ['answer_a', 'the first answer'],
  ['answer_b', 'the second answer'],
  ['final_answer', 'the right answers'],
] as const

const OPTION_FIELDS = LETTERS.map((letter) => `answer_${letter}` as const)

/** What a header is called in the tables of many people. The first column that fits has it. */
const HEADERS: Record<(typeof MAPPED_FIELDS)[number], RegExp> = {
  key: /^key$/,
  question: /^(?:question|question text|questions|stem|prompt|text)$/,
  answer_a: optionHeader('a', 1),
  answer_b: optionHeader('b', 2),
  answer_c: optionHeader('c', 3),
  answer_d: optionHeader('d', 4),
  answer_e: optionHeader('e', 5),
  answer_f: optionHeader('f', 6),
  final_answer: /^(?:(?:correct|right|final)(?: (?:answers?|options?|choices?))?|answers?|answer key|solution)$/,
  explanation: /^(?:(?:overall )?explanation|rationale|feedback|general feedback|comment|reason)$/,
  domain: /^(?:domain|topic|category|section|subject|area)$/,
  url: /^(?:url|link|reference|references|source|documentation)$/,
  difficulty: /^(?:difficulty|level)$/,
}

function optionHeader(letter: string, number: number): RegExp {
  return new RegExp(`^(?:(?:answer|option|choice|response)(?: option| choice)? ?)?(?:${letter}|0?${number})$`)
}

function guessMapping(header: string[]): ColumnMapping {
  const names = header.map((name) =>
    normaliseLine(name)
      .toLowerCase()
      .replace(/[_-]+/g, ' ')
      .replace(/[:.?]$/, ''),
  )
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
  const cell = (field: (typeof MAPPED_FIELDS)[number]) => row.cells[mapping[field] ?? -1] ?? ''
  read.key = normaliseLine(cell('key')) || undefined
  read.stem = cell('question')
  const texts = OPTION_FIELDS.map(cell)
  const count = texts.findLastIndex((text) => text.trim() !== '') + 1
  read.options = texts.slice(0, count).map((text) => ({ text, isRight: false }))
  takeKey(read, cell('final_answer'))
  read.explanation = cell('explanation')
  read.facts = { domain: cell('domain'), url: cell('url'), difficulty: cell('difficulty') }
  mapTexts(read, (text) => htmlInText(text, read.lost))
  const used = new Set(Object.values(mapping))
  for (const [place, name] of header.cells.entries()) {
    if (!used.has(place) && (row.cells[place] ?? '').trim() !== '')
      read.lost.push(lostSentences.column(normaliseLine(name) || `number ${place + 1}`))
  }
  return read
}

/** Right answers as people write them: letters (`B, E` or `BE`), numbers from 1, or the texts of the answers. */
export function takeKey(read: ParsedQuestion, written: string): void {
  const line = normaliseLine(written)
  if (line === '') return
  const texts = read.options.map(({ text }) => normaliseLine(text).toLowerCase())
  const byText = placesOfTexts(written, texts)
  const byName = placesOfNames(line)
  if (byName && byName.every((place) => texts[place] !== undefined && texts[place] !== '')) {
    for (const place of byName) markRight(read, place)
    const isOtherText = byText !== null && byText.some((place) => !byName.includes(place))
    if (isOtherText) read.reasons.push(reason('key-uncertain', 'final_answer', line, read.line))
  } else if (byText) {
    for (const place of byText) markRight(read, place)
  } else {
    const known = byName?.filter((place) => (texts[place] ?? '') !== '') ?? []
    for (const place of known) markRight(read, place)
    read.unknownRight = line
  }
}

function markRight(read: ParsedQuestion, place: number): void {
  const option = read.options[place]
  if (option) option.isRight = true
}

function placesOfNames(line: string): number[] | null {
  const names = line.split(/(?:[\s,;|/&+]|\band\b)+/i).filter((name) => name !== '')
  const isLetters = names.every((name) => /^(?:[A-Za-z]|[A-F]{2,6})[.)]?$/.test(name))
  if (isLetters) return names.flatMap((name) => [...name.replace(/[.)]$/, '').toLowerCase()]).map(placeOfLetter)
  const isNumbers = names.every((name) => /^\d{1,3}(?:\.0)?[.)]?$/.test(name))
  return isNumbers ? names.map((name) => Number.parseInt(name, 10) - 1) : null
}

function placeOfLetter(letter: string): number {
  return letter.charCodeAt(0) - 97
}

function placesOfTexts(written: string, texts: string[]): number[] | null {
  const placesOf = (parts: string[]) =>
    parts.map((part) => texts.indexOf(normaliseLine(part).toLowerCase())).filter((place) => place !== -1)
  const whole = placesOf([written])
  if (whole.length === 1) return whole
  const parts = written.split(/[;|\n]+/).filter((part) => part.trim() !== '')
  const places = placesOf(parts)
  return parts.length > 1 && parts.length <= MAX_OPTIONS && places.length === parts.length ? places : null
}
