/** Which lines are fenced code, and which open a fence that has no end: those are ordinary text. */
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
 * Finds, for the index of a line, the end of the fenced code that it opens: null if there is no end, undefined if the line opens
 * none. A failed search is not repeated, so that a file of broken fences takes no longer than others.
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

/** A text without fenced code and code spans, for checks of its words. */
export function withoutCode(text: string): string {
  if (!/[`~]/.test(text)) return text
  const lines = text.split('\n')
  const { isFenced } = fencesIn(lines)
  return lines
    .filter((_, at) => !isFenced[at])
    .join('\n')
    .replace(/(?<!`)(`+)(?!`)(?:[\s\S]*?[^`])\1(?!`)/g, ' ')
}
