import { inOrder } from '../../questions/formats/markdown/markdown-marks.ts'
import type { ReadStep, SourceFile } from '../../questions/formats/formats.schema.ts'

/** Questions per batch: small enough to notice a cancellation soon, large enough to save round trips. */
export const BATCH_SIZE = 200
/** A batch also ends at this many characters, for long questions. */
export const BATCH_CHARS = 1_000_000
/** The reader yields to the event loop after this many questions. */
export const YIELD_EACH = 20
/** Findings about files that are stored; further ones are dropped. */
export const MAX_FINDINGS = 2000

/** The progress of a reader in whole percent, by the lines that it has passed. It never decreases. */
export function progressOf(files: readonly SourceFile[]): (step: ReadStep) => number {
  const before = new Map<string, { start: number; lines: number }>()
  let total = 0
  for (const { path, bytes } of inOrder(files)) {
    const lines = countLines(bytes)
    before.set(path, { start: total, lines })
    total += lines
  }
  let percent = 0
  return (step) => {
    const { file, line } = placeOf(step)
    const known = before.get(file)
    if (known !== undefined && total > 0)
      percent = Math.max(percent, Math.min(99, Math.floor((100 * (known.start + Math.min(line, known.lines))) / total)))
    return percent
  }
}

function placeOf(step: ReadStep): { file: string; line: number } {
  if (step.kind === 'question') return step.question
  return step.kind === 'finding' ? step.finding : { file: step.file, line: 0 }
}

function countLines(bytes: Uint8Array): number {
  let lines = 1
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1
  return lines
}

/** The plain values of a question that was read, for the form that corrects it. */
export function correctable(input: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]): [string, string | number | boolean][] => {
      const isPlain = typeof value === 'number' || typeof value === 'boolean'
      if (typeof value === 'string') return [[name, value.slice(0, MAX_STORED_CHARS)]]
      return isPlain ? [[name, value]] : []
    }),
  )
}

/** Texts that are too long are refused; the form shows their beginning. */
const MAX_STORED_CHARS = 110_000

/** JSON that PostgreSQL accepts: without NUL and lone surrogates. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  return /\\u0000|\\ud[89a-f]/i.test(json) ? JSON.stringify(withoutUnstorable(value)) : json
}

function withoutUnstorable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD')
  if (Array.isArray(value)) return value.map(withoutUnstorable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [String(withoutUnstorable(name)), withoutUnstorable(field)]),
  )
}
