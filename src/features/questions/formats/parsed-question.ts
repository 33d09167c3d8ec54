import { sha256Hex } from '../../../lib/sha256.ts'
import { judgeQuestion, normaliseText, reason, withReasons } from '../questions.ts'
import {
  type Judgement,
  LETTERS,
  MAX_OPTIONS,
  MAX_TEXT_LENGTH,
  type Reason,
  type ReasonCode,
} from '../questions.schema.ts'
import { fileSentences, keyTakenSentence, repeatSentence } from './formats.copy.ts'
import { readAttachedImages } from './bank-images.ts'
import type { AttachedImage, FileCode, ReadStep, Severity, SourceFile } from './formats.schema.ts'

/** A question as a file gives it, before the bank's rules judge it. */
export interface ParsedQuestion {
  file: string
  line: number
  /** Only our own formats name it; elsewhere it follows from what the question says. */
  key?: string
  stem: string
  options: ParsedOption[]
  /** What the file says is right and names none of the answers. */
  unknownRight?: string
  explanation: string
  /** Further fields of a stored question, as they are. */
  facts?: Record<string, unknown>
  reasons: Reason[]
  lost: string[]
  images: AttachedImage[]
}

export interface ParsedOption {
  text: string
  isRight: boolean
}

/** What one reading knows while it goes on. */
export interface Reading {
  files: ReadonlyMap<string, SourceFile>
  /** The keys of the questions so far, and where each stands. */
  taken: Map<string, string>
  /** The files whose content is in some step. */
  used: Set<string>
}

export function found(file: string, line: number): ParsedQuestion {
  return { file, line, stem: '', options: [], explanation: '', reasons: [], lost: [], images: [] }
}

export function questionStep(found: ParsedQuestion, reading: Reading): ReadStep {
  readAttachedImages(found, reading)
  const key = found.key ?? keyOf(found)
  const input = inputOf(found, key)
  return {
    kind: 'question',
    question: judged({ ...found, key, input, isKeyDerived: found.key === undefined }, reading),
  }
}

/** For a format whose questions are in the bank's own form already. */
export function judged(
  read: {
    file: string
    line: number
    key: string
    input: Record<string, unknown>
    reasons: Reason[]
    lost: string[]
    images: AttachedImage[]
    isKeyDerived?: boolean
  },
  reading: Reading,
) {
  const { file, line, key, input, lost, images } = read
  const earlier = key === '' ? undefined : reading.taken.get(key)
  const reasons = [...read.reasons]
  if (earlier === undefined) reading.taken.set(key, `${file}, line ${line}`)
  else
    reasons.push(
      keyTaken(key, line, read.isKeyDerived === true ? repeatSentence(earlier) : keyTakenSentence(key, earlier)),
    )
  // What was not understood at all lacks everything else too, and nobody has to hear of it.
  const isLost = reasons.some(({ code }) => NOT_UNDERSTOOD.has(code))
  const judgement: Judgement = isLost ? { verdict: 'refused', reasons } : withReasons(judgeQuestion(input), reasons)
  const placed = judgement.reasons.map((found) => ({ ...found, line: found.line ?? line }))
  return { ...judgement, reasons: placed, file, line, key, input, lost: [...new Set(lost)], images }
}

const NOT_UNDERSTOOD = new Set<ReasonCode>(['type-unsupported', 'syntax-broken', 'quote-unclosed'])

export function keyTaken(key: string, line: number, sentence: string): Reason {
  return { ...reason('key-taken', 'id', key, line), sentence }
}

export function findingStep(
  code: FileCode,
  {
    file,
    line = 1,
    about = '',
    severity = 'error',
  }: { file: string; line?: number; about?: string; severity?: Severity },
): ReadStep {
  const short = about.length > 200 ? `${about.slice(0, 199)}…` : about
  return { kind: 'finding', finding: { code, severity, file, line, sentence: fileSentences[code](short) } }
}

/** The same wherever and whenever the same question is read, so that bringing it in twice changes nothing. */
function keyOf({ stem, options }: ParsedQuestion): string {
  const texts = [stem, ...options.slice(0, MAX_OPTIONS).map(({ text }) => text)]
  const said = texts.map((text) => normaliseText(text.slice(0, MAX_TEXT_LENGTH)))
  return `q-${sha256Hex(said.join('\n\u001f\n')).slice(0, 16)}`
}

function inputOf(found: ParsedQuestion, key: string): Record<string, unknown> {
  const input: Record<string, unknown> = { id: key, question: found.stem }
  let right = ''
  for (const [place, { text, isRight }] of found.options.entries()) {
    // Every answer has a field, so that too many of them are counted and not lost.
    const letter = LETTERS[place] ?? (place < 26 ? String.fromCharCode(97 + place) : String(place + 1))
    input[`answer_${letter}`] = text
    if (isRight) right += letter.toUpperCase()
  }
  const { unknownRight = '' } = found
  const all = [...new Set(right)].join('')
  return {
    ...input,
    final_answer: unknownRight === '' ? all : [...all, unknownRight].join(', '),
    explanation: found.explanation,
    ...found.facts,
  }
}
