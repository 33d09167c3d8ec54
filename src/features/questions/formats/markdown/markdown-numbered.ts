import { readParts } from '../../types/format-registry.ts'
import { findingStep, type ParsedQuestion, found, questionStep, type Reading } from '../parsed-question.ts'
import { withoutEnd } from '../../question-text.ts'
import { htmlInText } from '../markup/html-to-markdown.ts'
import { fencesIn } from './markdown-fences.ts'
import type { ReadStep } from '../formats.schema.ts'

const START = /^ {0,3}(?:\d{1,5}[.)][ \t]+|#{1,6}[ \t]+(?:(?:question|q)[ \t]*)?\d{1,5}[.):]?[ \t]+)(\S.*)$/i
/** A heading or bold words with the number alone: the text of the question follows below. */
const NUMBER_ALONE = /^ {0,3}(?:#{1,6}[ \t]+|\*\*)(?:question|q)[ \t]*\d{1,5}[.):]?\**[ \t]*$/i
const TITLE = /^#{1,2}[ \t]+(.*)$/
const OPTION = /^[ \t]*[-*+][ \t]+\**([A-Za-z])[.)]\**(?:[ \t]+(.*)|[ \t]*$)/
/** Letters without a list: only those that follow each other are options, for a sentence may begin with a letter, too. */
const BARE_OPTION = /^[ \t]*\**\(?([A-La-l])[.)]\**(?:[ \t]+(.*)|[ \t]*$)/
const LETTERS = '[A-L](?:(?:[ \\t]*(?:,|;|/|&|\\+|\\band\\b)[ \\t]*|[ \\t]*)[A-L]\\b)*'
/** `Answer: B, C` or `Answer: B. The text of it`, and in a block of details the letters alone. */
const OTHER_KEY = new RegExp(
  `^[ \\t>]*\\**(?:the )?(?:right )?(?:answers?|key|solution)(?: is| are)?\\**[ \\t]*:\\**[ \\t]*\\(?(${LETTERS}|[A-L]{2,12})\\)?\\**(?:[ \\t]*|[.):][ \\t]+(.*))$`,
  'i',
)
const KEY_ALONE = new RegExp(`^[ \\t]*\\**(${LETTERS}|[A-L]{2,12})\\**[ \\t]*$`)
const KEY = /^[ \t]*\**correct answers?\**[ \t]*:\**[ \t]*(.*)$/i
const RULE = /^[ \t]*(?:---|\*\*\*|___)[ \t]*$/
const LABEL = /^[ \t]*\**explanation\**[ \t]*:\**[ \t]*(.*)$/i

/** Reads numbered questions with options `- A. text`, and `Correct answer: B, E` in a details block or below. */
export function* readNumbered(file: string, text: string, reading: Reading): Generator<ReadStep> {
  const lines = text.split('\n')
  const { isFenced } = fencesIn(lines)
  let piece: Piece | null = null
  let hasTitle = false
  const headEnd = lines[0] === '---' ? lines.indexOf('---', 1) : -1
  for (const [at, line] of lines.entries()) {
    const start = isFenced[at] || (piece && !mayEnd(piece, lines, at)) ? null : startOf(line)
    if (start !== null) {
      if (piece) yield questionStep(foundIn(piece, file), reading)
      piece = newPiece(at + 1, start)
    } else if (piece) takeLine(piece, line, isFenced[at] === true)
    else if (!hasTitle && TITLE.test(line)) {
      hasTitle = true
      yield { kind: 'exam', file, facts: { title: withoutEnd(TITLE.exec(line)?.[1] ?? '', ' \t#').slice(0, 199) } }
    } else if (line.trim() !== '' && at > headEnd && !RULE.test(line))
      yield findingStep('text-outside-questions', { file, line: at + 1, about: line.trim(), severity: 'warning' })
  }
  if (piece) yield questionStep(foundIn(piece, file), reading)
}

/** The text of a question in the line that begins it; null if the line begins none. */
function startOf(line: string): string | null {
  return START.exec(line)?.[1] ?? (NUMBER_ALONE.test(line) ? '' : null)
}

interface Piece {
  line: number
  section: 'stem' | 'answers' | 'details'
  isOpen: boolean
  stem: string[]
  parts: { letter: string; lines: string[] }[]
  key: string | null
  explanation: string[]
}

function newPiece(line: number, stem: string): Piece {
  return { line, section: 'stem', isOpen: false, stem: [stem], parts: [], key: null, explanation: [] }
}

/** In how many lines the options of a question are looked for if the block before it has no end. */
const LOOK_AHEAD = 20

/** A number begins a question, but not inside the details of another, unless they have no end and options follow. */
function mayEnd(piece: Piece, lines: string[], at: number): boolean {
  if (!piece.isOpen) return true
  const isOption = (line: string) => OPTION.test(line) || BARE_OPTION.exec(line)?.[1]?.toUpperCase() === 'A'
  const next = lines.slice(at, at + LOOK_AHEAD).find((line) => isOption(line) || /<\/details>/i.test(line))
  return next !== undefined && isOption(next)
}

function takeLine(piece: Piece, written: string, isFenced: boolean): void {
  const line = isFenced ? written : withoutDetails(piece, written)
  if (line === null) return
  const key = isFenced ? null : keyIn(piece, line)
  const option = isFenced || piece.section === 'details' ? null : optionIn(piece, line)
  if (key && piece.parts.length > 0) {
    piece.key = [piece.key, key.written].filter(Boolean).join(', ')
    piece.section = 'details'
    if (key.rest !== '' && !piece.parts.some(({ lines }) => lines.join('\n').trim() === key.rest))
      piece.explanation.push(key.rest)
  } else if (option) {
    piece.section = 'answers'
    piece.parts.push({ letter: (option[1] ?? '').toUpperCase(), lines: [option[2] ?? ''] })
  } else if (piece.section === 'stem') piece.stem.push(line.replace(/^ {1,4}/, ''))
  else if (piece.section === 'answers') piece.parts.at(-1)?.lines.push(isFenced ? line : line.trim())
  else piece.explanation.push((LABEL.exec(line)?.[1] ?? line).replace(/^ {1,6}/, ''))
}

function keyIn(piece: Piece, line: string): { written: string; rest: string } | null {
  const named = KEY.exec(line)
  if (named) return { written: withoutMarks(named[1] ?? ''), rest: '' }
  // One key is enough: below it, an explanation may speak of answers.
  if (piece.key !== null) return null
  const [, written, rest = ''] =
    OTHER_KEY.exec(line) ?? (piece.section === 'details' ? KEY_ALONE.exec(line) : null) ?? []
  return written === undefined ? null : { written, rest: rest.trim() }
}

/** Without the stars behind it that make it bold. */
function withoutMarks(key: string): string {
  return withoutEnd(withoutEnd(withoutEnd(key, ' \t'), '*'), ' \t')
}

function optionIn(piece: Piece, line: string): RegExpExecArray | null {
  const bare = BARE_OPTION.exec(line)
  const isNext = bare?.[1]?.toUpperCase() === String.fromCharCode(65 + piece.parts.length)
  const hasStem = piece.stem.some((written) => written.trim() !== '')
  return OPTION.exec(line) ?? (isNext && hasStem ? bare : null)
}

/** The line without the tags of the block; null if nothing else is in it. */
function withoutDetails(piece: Piece, line: string): string | null {
  if (!/<\/?(?:details|summary)\b/i.test(line)) return line
  if (/<details\b/i.test(line)) {
    piece.isOpen = true
    piece.section = 'details'
  }
  if (/<\/details>/i.test(line)) piece.isOpen = false
  const rest = line
    .replace(/<summary\b[^<>]*>[^<>]*<\/summary>/gi, '')
    .replace(/<\/?(?:details|summary)\b[^<>]*>/gi, '')
  return rest.trim() === '' || /^answers?:?$/i.test(rest.trim()) ? null : rest
}

function foundIn(piece: Piece, file: string): ParsedQuestion {
  const read = found(file, piece.line)
  const markdownOf = (text: string) => htmlInText(text, read.lost)
  read.stem = markdownOf(piece.stem.join('\n'))
  const parts = piece.parts.map(({ letter, lines }) => ({ letter, text: markdownOf(lines.join('\n').trim()) }))
  read.explanation = markdownOf(piece.explanation.join('\n'))
  read.body = readParts('markdown-numbered', { parts, key: piece.key }, read).body
  return read
}
