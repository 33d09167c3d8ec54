import { explainedTexts, isTaken, readParts, udemyOf } from '../../types/format-registry.ts'
import type { Question } from '../../types/question-types.schema.ts'
import { strToU8 } from 'fflate'
import { reason } from '../../questions.ts'
import { lostPart } from '../lost-parts.schema.ts'
import { joinExplanations, splitExplanation } from '../part-explanations.ts'
import { type ParsedQuestion, findingStep, found, questionStep, type Reading } from '../parsed-question.ts'
import { htmlInText } from '../markup/html-to-markdown.ts'
import type { ExamToWrite, ReadStep, WrittenFile } from '../formats.schema.ts'
import { csvOf, delimiterOf, MAX_COLUMNS, type Row, rowsOf, safeCell, textOfCell } from './table-reader.ts'

/** The options of a question in the platform's template. */
const TEMPLATE_OPTIONS = 6

/** The columns of a practice test, exactly as the platform's template has them. */
const UDEMY_COLUMNS = [
  'Question',
  'Question Type',
  ...Array.from({ length: TEMPLATE_OPTIONS }, (_, place) => [
    `Answer Option ${place + 1}`,
    `Explanation ${place + 1}`,
  ]).flat(),
  'Correct Answers',
  'Overall Explanation',
  'Domain',
]

export function isUdemyHeader(header: string[]): boolean {
  const names = new Set(header.map(nameOfColumn))
  return ['question', 'answer option 1', 'correct answers'].every((name) => names.has(name))
}

export function* readUdemyCsv(file: string, text: string, reading: Reading): Generator<ReadStep> {
  yield* readUdemyRows(file, rowsOf(text, delimiterOf(text)), reading)
}

export function* readUdemyRows(file: string, rows: Generator<Row>, reading: Reading): Generator<ReadStep> {
  let columns: Column[] | null = null
  for (const row of rows) {
    if (columns) {
      yield questionStep(fromRow(file, row, columns), reading)
      continue
    }
    columns = row.cells.map(columnOf)
    if (row.cellCount > MAX_COLUMNS)
      yield findingStep('columns-too-many', { file, line: row.line, about: String(row.cellCount) })
    for (const name of ['Question', 'Answer Option 1', 'Answer Option 2', 'Correct Answers']) {
      if (!columns.some((column) => column.name === nameOfColumn(name)))
        yield findingStep('column-missing', { file, line: row.line, about: `"${name}"` })
    }
  }
}

export function writeUdemyCsv({ facts, questions }: ExamToWrite): WrittenFile {
  const rows = questions.map((question) => rowOf(question).map(safeCell))
  return { path: `${facts.slug}.csv`, bytes: strToU8(csvOf([UDEMY_COLUMNS, ...rows])) }
}

interface Column {
  name: string
  title: string
  /** The number of the option that the column is about, from 1; 0 for other columns. */
  number: number
  kind: 'answer' | 'explanation' | 'other'
}

function nameOfColumn(title: string): string {
  return title.trim().toLowerCase().replace(/\s+/g, ' ')
}

function columnOf(title: string): Column {
  const name = nameOfColumn(title)
  const [, kind, number] = /^(answer option|explanation) (\d{1,3})$/.exec(name) ?? []
  if (kind === undefined) return { name, title, number: 0, kind: 'other' }
  return { name, title, number: Number(number), kind: kind === 'explanation' ? 'explanation' : 'answer' }
}

const KNOWN = new Set(UDEMY_COLUMNS.map(nameOfColumn))

function fromRow(file: string, row: Row, columns: Column[]): ParsedQuestion {
  const read = found(file, row.line)
  if (row.isQuoteOpen) read.reasons.push(reason('quote-unclosed', '', '', row.line))
  if (row.cellCount > columns.length && row.cells.slice(columns.length).some((cell) => cell.trim() !== ''))
    read.reasons.push(reason('cells-too-many', '', String(row.cellCount), row.line))
  const fields = new Map<string, string>()
  const options: string[] = []
  const each: string[] = []
  for (const [place, { name, title, number, kind }] of columns.entries()) {
    const cell = textOfCell(row.cells[place] ?? '')
    if (cell.trim() === '') continue
    if (kind === 'answer') options[number - 1] = cell
    else if (kind === 'explanation') each[number - 1] = cell
    else if (KNOWN.has(name)) fields.set(name, cell)
    else read.lost.push(lostPart('column', title.trim()))
  }
  const plain = (text: string) => htmlInText(text, read.lost)
  read.stem = plain(fields.get('question') ?? '')
  const written = fields.get('question type') ?? ''
  const source = {
    written,
    type: nameOfColumn(written).replace(/[\s_]/g, '-'),
    options: Array.from(options, (text = '') => plain(text)),
    right: rightNumbers(fields.get('correct answers') ?? ''),
  }
  if (!isTaken('udemy-csv', source)) read.reasons.push(reason('type-unsupported', '', written, row.line))
  read.body = readParts('udemy-csv', source, read).body
  read.facts = { domain: fields.get('domain') ?? '' }
  // Each part of the explanation is converted by itself, before they are joined.
  const overall = plain(fields.get('overall explanation') ?? '')
  const explanations = Array.from(each, (text = '') => plain(text))
  read.explanation = joinExplanations({ overall, each: explanations }, explainedTexts(read.body))
  return read
}

function rightNumbers(written: string): Set<string> {
  return new Set(
    written
      .split(/[\s,;|]+/)
      .filter((number) => number !== '')
      .map((number) => number.replace(/^0+(?=\d)|\.0*$/g, '')),
  )
}

function rowOf(question: Question): string[] {
  const { type, options, right } = udemyOf(question)
  const { overall, each } = splitExplanation(question.explanation, explainedTexts(question))
  const places = Array.from({ length: TEMPLATE_OPTIONS }, (_, place) => place)
  return [
    question.stem,
    type,
    ...places.flatMap((place) => [options[place] ?? '', each[place] ?? '']),
    right,
    overall,
    question.domain,
  ]
}
