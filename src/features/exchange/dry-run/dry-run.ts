import { inOrder } from '../../questions/formats/markdown/markdown-marks.ts'
import type { ReadStep, SourceFile } from '../../questions/formats/formats.schema.ts'

/** So many questions go to the database at once: few enough that a cancel is heard soon, enough that the way there is short. */
export const BATCH_SIZE = 200
/** Or so many characters of them, where questions are long. */
export const BATCH_CHARS = 1_000_000
/** After so many questions what waits to be sent is sent. */
export const SENT_EACH = 20
/** What is wrong with files is listed up to here; the count goes on. */
export const MAX_FINDINGS = 2000

/** Says how far a reader is, in whole percent, by the lines that it has passed. Never goes back. */
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

/** What was read of a question, as far as a form can show it. */
export function correctable(input: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]): [string, string | number | boolean][] => {
      const isPlain = typeof value === 'number' || typeof value === 'boolean'
      if (typeof value === 'string') return [[name, value.slice(0, MAX_STORED_CHARS)]]
      return isPlain ? [[name, value]] : []
    }),
  )
}

/** Whatever is longer than a text may be was refused for it; who mends it sees the beginning. */
const MAX_STORED_CHARS = 110_000

/** As JSON that PostgreSQL takes: without NUL and halves of surrogate pairs. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  return /\\u0000|\\ud[89a-f]/i.test(json) ? JSON.stringify(withoutUnstorable(value)) : json
}

function withoutUnstorable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD')
  if (Array.isArray(value)) return value.map(withoutUnstorable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [String(withoutUnstorable(name)), withoutUnstorable(held)]),
  )
}
