import { Difficulty, LETTERS, type Question } from '../../questions/questions.schema.ts'
import type { QuestionEdit } from '../../authoring/drafts/drafts.schema.ts'
import type { ImportCounts, ImportState } from './imports.schema.ts'

/** A bank of 50,000 questions with their explanations; what is larger is no bank of questions, and would fill the memory. */
export const MAX_IMPORT_BYTES = 50 * 1024 * 1024
/** How long the bytes of an import are kept; what was read of them stays. */
export const STORED_DAYS = 30
/** So many of its questions stand on a page. */
export const PAGE_SIZE = 50
/** Who reads is heard of after every batch; whoever was silent for longer was ended with its process. */
export const SILENCE_MS = 120_000
/** How long an upload may take that says nothing more. */
export const UPLOAD_SILENCE_MS = 60 * 60 * 1000

/** The states in which somebody may still be heard of: the page asks again. */
export function isRunning(state: ImportState): boolean {
  return state === 'uploading' || state === 'waiting' || state === 'reading'
}

/** Only these name their questions by keys that stay, so that a question behind a known key was changed. */
export function isOwnFormat(format: string | null): boolean {
  return format === 'markdown' || format === 'json'
}

/** What goes in, of what has not gone in yet. */
export function countStorable(counts: ImportCounts, withReview: boolean): number {
  return counts.good.open + (withReview ? counts['needs-review'].open : 0)
}

/** '12 bytes', '340 kB', '1.2 MB': decimal, as file managers say it. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** What was read of a question that can't go in as it is, in the form of whoever mends it. */
export function toEdit(input: Readonly<Record<string, unknown>>): QuestionEdit {
  const right = new Set(text(input['final_answer']).toLowerCase())
  const answers = LETTERS.map((letter) => ({
    id: null,
    text: text(input[`answer_${letter}`]),
    isRight: right.has(letter),
  }))
  const last = answers.findLastIndex((answer) => answer.text !== '')
  return {
    stem: text(input['question']),
    options: answers.slice(0, Math.max(2, last + 1)),
    explanation: text(input['explanation']),
    domain: text(input['domain']),
    url: text(input['url']),
    difficulty: Difficulty.catch('').parse(text(input['difficulty']).trim().toLowerCase()),
    needsReview: input['needs_review'] === true,
  }
}

export function editOf(question: Question): QuestionEdit {
  const { stem, options, explanation, domain, url, difficulty, needsReview } = question
  return {
    stem,
    options: options.map(({ text, isRight }) => ({ id: null, text, isRight })),
    explanation,
    domain,
    url,
    difficulty,
    needsReview,
  }
}

/** Answers that the form has no place for: there were more than six. */
export function optionsLeftOver(input: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(input).flatMap(([name, value]) =>
    /^answer_[g-z]$/.test(name) && text(value) !== '' ? [text(value)] : [],
  )
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
