import type { ImportCounts, ImportState } from './imports.schema.ts'
import { counted } from '../../../lib/text.ts'

/** Enough for 50,000 questions with explanations; a larger file would exhaust the memory. */
export const MAX_IMPORT_BYTES = 50 * 1024 * 1024
/** Days for which the bytes of an import are stored; the result stays. */
export const STORED_DAYS = 30
/** Questions of an import per page. */
export const PAGE_SIZE = 50
/**
 * A reader that takes no step for longer is ended, so that the imports behind it are read. Its longest pause without a fault is a
 * statement of the database, which may take half of it.
 */
export const STEP_SILENCE_MS = 60_000
/** An upload that is older is treated as aborted. */
export const UPLOAD_SILENCE_MS = 60 * 60 * 1000

/** The longest that reading a file may take: a multiple of what the slowest format needs on a busy machine. */
export function longestReadingMs(bytes: number): number {
  return 120_000 + Math.ceil(bytes / 1_000_000) * 10_000
}

/** Whether the state may change without the admin; the page polls then. */
export function isRunning(state: ImportState): boolean {
  return state === 'uploading' || state === 'waiting' || state === 'reading'
}

/** Only these formats hold our question keys, so that a different question under a known key is a change. */
export function isOwnFormat(format: string | null): boolean {
  return format === 'markdown' || format === 'json' || format === 'anki'
}

/** The number of open questions that storing would add. */
export function countStorable(counts: ImportCounts, withReview: boolean): number {
  return counts.good.open + (withReview ? counts['needs-review'].open : 0)
}

/** '12 bytes', '340 kB', '1.2 MB': decimal units, as file managers show. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte')
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
