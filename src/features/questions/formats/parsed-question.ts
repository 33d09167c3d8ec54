import { normaliseText } from '../question-text.ts'
import { contentText, toStored } from '../types/content-registry.ts'
import { emptyBody, inputOfBody, keyTextsOf } from '../types/format-registry.ts'
import { MAX_TEXT_LENGTH } from '../types/question-base.schema.ts'
import type { ParsedBody } from '../types/type-formats.ts'
import { md5Hex } from '../../../lib/md5.ts'
import { counted } from '../../../lib/text.ts'
import { sha256Hex } from '../../../lib/sha256.ts'
import { judgeQuestion, reason, withReasons } from '../questions.ts'
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
  /** What tells questions apart that say the same in different places, such as the key of their case study. */
  keyScope?: string
  stem: string
  body: ParsedBody
  explanation: string
  /** Further fields of a stored question, whatever its type. */
  facts?: Record<string, unknown>
  reasons: Reason[]
  lost: LostPart[]
  images: AttachedImage[]
}

interface Earlier {
  where: string
  /** A hash of what it says; null if it was refused. */
  said: string | null
}

/** The state of one reading. */
export interface Reading {
  files: ReadonlyMap<string, SourceFile>
  /** The questions so far by their keys. */
  taken: Map<string, Earlier>
  /** The files whose content was read. */
  used: Set<string>
}

export function found(file: string, line: number): ParsedQuestion {
  return { file, line, stem: '', body: emptyBody(), explanation: '', reasons: [], lost: [], images: [] }
}

export function questionStep(found: ParsedQuestion, reading: Reading): ReadStep {
  readAttachedImages(found, reading)
  if (found.lost.some(isFormula)) found.reasons.push(reason('formula-missing', 'question'))
  const key = found.key ?? keyOf(found)
  const input = inputOf(found, key)
  return {
    kind: 'question',
    question: judged({ ...found, key, input, isKeyDerived: found.key === undefined }, reading),
  }
}

/** MathML, whose text without its structure would say something else: x² would read as x2. */
const isFormula = ({ code, facts: [name] }: LostPart) => code === 'markup' && name === 'math'

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
  const { file, line, key, input, reasons, lost, images } = read
  // A question that could not be parsed lacks everything else too; further reasons would only distract.
  const isLost = reasons.some(({ code }) => NOT_UNDERSTOOD.has(code))
  const judgement: Judgement = isLost ? { verdict: 'refused', reasons } : withReasons(judgeQuestion(input), reasons)
  const compared = withEarlier(judgement, { file, line, key, isKeyDerived: read.isKeyDerived === true }, reading)
  const placed = compared.reasons.map((found) => ({ ...found, line: found.line ?? line }))
  return { ...compared, reasons: placed, file, line, key, input, lost: distinctParts(lost), images }
}

const NOT_UNDERSTOOD = new Set<ReasonCode>(['type-unsupported', 'syntax-broken', 'quote-unclosed'])

/**
 * Compares a question with an earlier one that has its key: one that says the same is a repeat, another one is refused. A key that
 * follows from the texts of a question says nothing about its explanation, so only the fingerprints are compared then.
 */
export function withEarlier(
  judgement: Judgement,
  { file, line, key, isKeyDerived = false }: { file: string; line: number; key: string; isKeyDerived?: boolean },
  reading: Reading,
): Judgement {
  if (key === '') return judgement
  const { question } = judgement
  const said =
    question === undefined ? null : isKeyDerived ? toStored(question).fingerprint : md5Hex(contentText(question))
  const earlier = reading.taken.get(key)
  if (earlier === undefined) {
    reading.taken.set(key, { where: `${file}, line ${line}`, said })
    return judgement
  }
  const { where } = earlier
  if (said !== null && said === earlier.said) return withReasons(judgement, [reason('repeated', '', where, line)])
  const isKeyOther = said !== null && earlier.said !== null
  const facts = [key, where, ...(isKeyDerived ? [isKeyOther ? 'other-key' : 'repeat'] : [])]
  const taken: Reason = { code: 'key-taken', field: 'id', facts, sentence: wordReason('key-taken', facts), line }
  return withReasons(judgement, [taken])
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

/** Names files from which nothing was read. */
export function leftAsideStep(paths: readonly string[]): ReadStep {
  const named = paths.slice(0, 5).join(', ')
  const about = paths.length > 5 ? `${named} and ${counted(paths.length - 5, 'other file')}` : named
  return findingStep('files-left-aside', { file: paths[0] ?? '', about, severity: 'warning' })
}

/** The same wherever and whenever the same question is read, so that importing it twice changes nothing. */
function keyOf({ stem, body, keyScope }: ParsedQuestion): string {
  const texts = [stem, ...keyTextsOf(body), ...(keyScope === undefined ? [] : [keyScope])]
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
