import { normaliseText } from '../question-text.ts'
import { emptyBody, inputOfBody, keyTextsOf } from '../types/format-registry.ts'
import { MAX_TEXT_LENGTH } from '../types/question-base.schema.ts'
import type { ParsedBody } from '../types/type-formats.ts'
import { sha256Hex } from '../../../lib/sha256.ts'
import { judgeQuestion, withReasons } from '../questions.ts'
import { type Judgement, type Reason, type ReasonCode } from '../questions.schema.ts'
import { fileFinding } from './formats.schema.ts'
import { wordReason } from '../questions.copy.ts'
import { distinctParts, type LostPart } from './lost-parts.schema.ts'
import { readAttachedImages } from './bank-images.ts'
import type { AttachedImage, FileCode, ReadStep, Severity, SourceFile } from './formats.schema.ts'

/** A question as a file gives it, before it is judged. */
export interface ParsedQuestion {
  file: string
  line: number
  /** Only our own formats name it; elsewhere it is derived from the texts of the question. */
  key?: string
  stem: string
  body: ParsedBody
  explanation: string
  /** Further fields of a stored question, whatever its type. */
  facts?: Record<string, unknown>
  reasons: Reason[]
  lost: LostPart[]
  images: AttachedImage[]
}

/** The state of one reading. */
export interface Reading {
  files: ReadonlyMap<string, SourceFile>
  /** The keys of the questions so far, and where each question is. */
  taken: Map<string, string>
  /** The files whose content was read. */
  used: Set<string>
}

export function found(file: string, line: number): ParsedQuestion {
  return { file, line, stem: '', body: emptyBody(), explanation: '', reasons: [], lost: [], images: [] }
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

/** For formats that give the fields of a stored question. */
export function judged(
  read: {
    file: string
    line: number
    key: string
    input: Record<string, unknown>
    reasons: Reason[]
    lost: LostPart[]
    images: AttachedImage[]
    isKeyDerived?: boolean
  },
  reading: Reading,
) {
  const { file, line, key, input, lost, images } = read
  const earlier = key === '' ? undefined : reading.taken.get(key)
  const reasons = [...read.reasons]
  if (earlier === undefined) reading.taken.set(key, `${file}, line ${line}`)
  else reasons.push(keyTaken(key, line, earlier, read.isKeyDerived === true))
  // A question that could not be parsed lacks everything else too; further reasons would only distract.
  const isLost = reasons.some(({ code }) => NOT_UNDERSTOOD.has(code))
  const judgement: Judgement = isLost ? { verdict: 'refused', reasons } : withReasons(judgeQuestion(input), reasons)
  const placed = judgement.reasons.map((found) => ({ ...found, line: found.line ?? line }))
  return { ...judgement, reasons: placed, file, line, key, input, lost: distinctParts(lost), images }
}

const NOT_UNDERSTOOD = new Set<ReasonCode>(['type-unsupported', 'syntax-broken', 'quote-unclosed'])

/** @param isDerived the key follows from what the question says, so the earlier question says the same */
export function keyTaken(key: string, line: number, where: string, isDerived = false): Reason {
  const facts = [key, where, ...(isDerived ? ['repeat'] : [])]
  return { code: 'key-taken', field: 'id', facts, sentence: wordReason('key-taken', facts), line }
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
  return { kind: 'finding', finding: fileFinding(code, { file, line, severity, about: short }) }
}

/** The same wherever and whenever the same question is read, so that importing it twice changes nothing. */
function keyOf({ stem, body }: ParsedQuestion): string {
  const texts = [stem, ...keyTextsOf(body)]
  const said = texts.map((text) => normaliseText(text.slice(0, MAX_TEXT_LENGTH)))
  return `q-${sha256Hex(said.join('\n\u001f\n')).slice(0, 16)}`
}

function inputOf(found: ParsedQuestion, key: string): Record<string, unknown> {
  return {
    id: key,
    question: found.stem,
    ...inputOfBody(found.body),
    explanation: found.explanation,
    ...found.facts,
  }
}
