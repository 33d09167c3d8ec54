import { isStudySheet } from './markdown/study-sheet-markdown.ts'
import { isAnkiText } from './anki/anki-text.ts'
import type { ImportFormat } from './formats.schema.ts'
import { delimiterOf, type Row, rowsOf } from './tables/table-reader.ts'
import { isUdemyHeader } from './tables/udemy-csv.ts'

/** Detects the format from the beginning of a text. The path decides only if the content fits several. */
export function signOf(beginning: string, path: string): ImportFormat | null {
  const text = beginning.trimStart()
  if (isAnkiText(text)) return 'anki'
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

/** As `signOf`, for a piece from the middle of a long text: a preface may be longer than the beginning. Tables begin at once. */
export function laterSignOf(piece: string, beginning: string): ImportFormat | null {
  const first = beginning.trimStart().charAt(0)
  if (first === '<') return xmlSign(piece)
  return (first === '{' || first === '[' ? jsonSign(piece) : null) ?? markdownSign(piece) ?? plainSign(piece)
}

/** Canvas describes the test of a QTI package by a `quiz` in a namespace, which has no questions. */
const MOODLE_QUIZ = /<quiz(?:\s(?![^>]*\bxmlns=)|>)/

/** What a format is known by, to tell where it stands. Tables and workbooks are known by their first row. */
const SIGNS: Partial<Record<ImportFormat, RegExp>> = {
  markdown: /^(?:slug|time_limit|passing_score|price|sources):|^##[ \t]+[A-Za-z0-9][A-Za-z0-9._-]*[ \t]*$/m,
  json: /"(?:final_answer|answer_ids|altocert-questions)"/,
  'markdown-numbered': /correct answers?:/i,
  'markdown-checked': /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[[ xX]\]/m,
  'markdown-files': /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[[ xX]\]/m,
  gift: /^[ \t]*(?:\$CATEGORY:|::)|\{[^{}=~TF#]*[=~TF#][^{}]*\}/m,
  aiken: /^ANSWER:[ \t]*[A-Z][ \t]*$/im,
  'moodle-xml': MOODLE_QUIZ,
  'qti-1': /<(?:\w+:)?questestinterop[\s>]/,
  'qti-2': /<(?:\w+:)?assessment(?:Item|Test)[\s>]/,
  'qti-3': /<qti-(?:assessment-(?:item|test)|choice-interaction)[\s>]/,
  'voted-json': /"question(?:s|_text)?"\s*:/,
}

/** The line of a text, from 1, at which the sign of a format stands. */
export function lineOfSign(format: ImportFormat, text: string): number {
  const at = SIGNS[format]?.exec(text)?.index ?? text.search(/\S/)
  return linesBefore(text, at) + 1
}

export function linesBefore(text: string, at: number): number {
  let lines = 0
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) lines += 1
  return lines
}

/** What a text of a format may have without being known by it, and how much each speaks for the format. */
const HINTS: readonly (readonly [ImportFormat, RegExp, number])[] = [
  ['moodle-xml', /<(?:question|quiz|questiontext|answer)\b/i, 3],
  ['qti-1', /<(?:\w+:)?(?:item|presentation|response_lid|respcondition)\b/i, 3],
  ['qti-2', /<(?:\w+:)?(?:itemBody|choiceInteraction|responseDeclaration|simpleChoice)\b/, 3],
  ['qti-3', /<qti-/, 3],
  ['json', /"(?:answer_a|final_answer|explanation|needs_review)"\s*:/, 3],
  ['voted-json', /"(?:options|choices|answers?|correct\w*|prompt|stem)"\s*:/i, 2],
  ['markdown-checked', /^[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]*)?\[[ xX]?\]/m, 3],
  ['markdown-checked', /^#{1,4}[ \t]+\S/m, 1],
  ['markdown', /^##[ \t]+\S/m, 1],
  ['markdown', /^### explanation/im, 2],
  ['markdown-numbered', /^[ \t>]*\**(?:correct |right )?(?:answers?|key|solution)\**[ \t]*[:=-]/im, 2],
  ['markdown-numbered', /^[ \t]*(?:\d{1,5}[.)]|q(?:uestion)?[ \t]*\d{1,5})[ \t:.)]/im, 1],
  ['aiken', /^[ \t]*(?:ANSWER|ANS|KEY)[ \t]*[:=]/im, 2],
  ['aiken', /^[ \t]*\(?[A-La-l][.)][ \t]+\S/m, 1],
  ['gift', /\{[^{}]{1,2000}\}/, 1],
  ['gift', /^[ \t]*[=~][^=~\n]+$/m, 2],
  ['csv', /^[^\n]*(?:[,;\t][^,;\t\n]*){3,}$/m, 1],
]
/** How many formats are offered. */
export const NEAREST = 3

/** The formats that a text resembles most, although it may be none of them. */
export function formatsLike(text: string): ImportFormat[] {
  const points = new Map<ImportFormat, number>()
  for (const [format, hint, worth] of HINTS) if (hint.test(text)) points.set(format, (points.get(format) ?? 0) + worth)
  const inOrder = [...points].toSorted((one, other) => other[1] - one[1])
  return inOrder.slice(0, NEAREST).map(([format]) => format)
}

function xmlSign(text: string): ImportFormat | null {
  if (MOODLE_QUIZ.test(text)) return 'moodle-xml'
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
  if (isStudySheet(text)) return 'markdown'
  if (BOXED.test(text)) {
    if (KEY_HEADING.test(text)) return 'markdown'
    if (head !== undefined) return 'markdown-files'
    return /^#{1,4}[ \t]+\S/m.test(text) ? 'markdown-checked' : null
  }
  const isNumbered =
    /^[ \t]*(?:\d{1,5}[.)]|#{1,4}[ \t]).*\S/m.test(text) && /^[ \t]*[-*+][ \t]+[A-Za-z][.)][ \t]/m.test(text)
  if (isNumbered && /correct answers?:/i.test(text)) return 'markdown-numbered'
  return isNumberedOtherwise(text) ? 'markdown-numbered' : null
}

/** Numbered headings, or answers in a block that opens, tell Markdown from Aiken, which has lettered answers and a key, too. */
function isNumberedOtherwise(text: string): boolean {
  const isHeaded = /^ {0,3}(?:#{1,6}[ \t]+|\*\*)(?:question|q)[ \t]*\d{1,5}\b/im.test(text)
  const isFolded = /<details\b/i.test(text)
  const isNumbered = isHeaded || (isFolded && /^ {0,3}\d{1,5}[.)][ \t]/m.test(text))
  const isLettered = /^[ \t]*(?:[-*+][ \t]+)?\**\(?[Aa][.)]/m.test(text)
  return isNumbered && isLettered && (isFolded || /^[ \t>]*\**(?:correct |right )?answers?\**[ \t]*:/im.test(text))
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
  const isGift = /^[ \t]*(?:\$CATEGORY:|::)/m.test(text) || /\{[^{}=~TF#]*[=~TF#][^{}]*\}/.test(text)
  return isGift ? 'gift' : null
}
