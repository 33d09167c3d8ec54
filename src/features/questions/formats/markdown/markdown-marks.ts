import type { SourceFile } from '../formats.schema.ts'

/** The names of the facts that a question's lines `name: value` can give. */
export const FACTS = ['domain', 'difficulty', 'url', 'needs_review', 'suggested_answer', 'most_voted_answer'] as const
export type Fact = (typeof FACTS)[number]

/**
 * Puts a backslash before every line that would read as a mark, or opens fenced code that never ends.
 * `withoutEscapes` takes exactly these away again, whatever the text held before.
 */
export function withEscapes(text: string): string {
  const lines = text.split('\n')
  const isFenced = fencesIn(lines).isFenced
  return lines.map((line, at) => (isFenced[at] ? line : line.replace(MARK, '$1\\$2$3'))).join('\n')
}

export function withoutEscapes(lines: string[]): string {
  const isFenced = fencesIn(lines).isFenced
  return lines.map((line, at) => (isFenced[at] ? line : line.replace(ESCAPED_MARK, '$1$2'))).join('\n')
}

/** Which lines stand in fenced code, and which would open a fence that has no end: those are text like any other. */
export function fencesIn(lines: string[]): { isFenced: boolean[]; unclosed: number[] } {
  const isFenced = lines.map(() => false)
  const unclosed: number[] = []
  const endOf = fenceFinder(lines)
  for (let at = 0; at < lines.length; at++) {
    const end = endOf(at)
    if (end === null) unclosed.push(at)
    if (typeof end !== 'number') continue
    isFenced.fill(true, at, end + 1)
    at = end
  }
  return { isFenced, unclosed }
}

/**
 * Answers, for the number of a line: where the fenced code that it opens ends, null when it never does, undefined when
 * the line opens none. A search that failed is not made again, so that a file of broken fences takes no longer than others.
 */
export function fenceFinder(lines: string[]): (at: number) => number | null | undefined {
  const hopelessFrom = new Map<string, number>()
  return (at) => {
    const fence = FENCE.exec(lines[at] ?? '')?.[1]
    if (fence === undefined) return undefined
    const sign = fence.charAt(0)
    if (fence.length >= (hopelessFrom.get(sign) ?? Number.POSITIVE_INFINITY)) return null
    for (let end = at + 1; end < lines.length; end++) {
      const close = FENCE_END.exec(lines[end] ?? '')?.[1] ?? ''
      if (close.startsWith(sign) && close.length >= fence.length) return end
    }
    hopelessFrom.set(sign, fence.length)
    return null
  }
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*$/

/** Wider than what is read as a mark, so that near misses can be told from text that was meant. */
const MARK_PATTERN =
  '#{2,3}(?!#)|#(?=[ \\t]|$)|[-*+][ \\t]*\\[[ \\t]*[xX]?[ \\t]*\\]|`{3,}[^`]*$|~{3,}|' +
  `(?:${FACTS.join('|')}):(?=[ \\t]|$)`
const MARK = new RegExp(`^( {0,3})(\\\\*)(${MARK_PATTERN})`)
const ESCAPED_MARK = new RegExp(`^( {0,3})\\\\(\\\\*(?:${MARK_PATTERN}))`)

const byPath = new Intl.Collator('en', { numeric: true })

/** The order in which files are read. */
export function inOrder(files: readonly SourceFile[]): SourceFile[] {
  return [...files].sort((a, b) => byPath.compare(a.path, b.path))
}
