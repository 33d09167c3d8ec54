import { fill } from '../../../../lib/failure.ts'
import type { PartCount, StatisticsLabels } from '../type-statistics.ts'
import { copy } from './written.copy.ts'

/** How many of the texts that learners wrote are listed. */
const LISTED_TEXTS = 10

/**
 * How many are right in all, and then the most frequent texts.
 * @param sameText what equal answers have in common
 */
export function countTexts(
  given: readonly { readonly text: string; readonly count: number }[],
  { key, sameText, isRight }: { key: string; sameText: (text: string) => string; isRight: (text: string) => boolean },
): PartCount[] {
  const counts = new Map<string, number>()
  for (const { text, count } of given) counts.set(sameText(text), (counts.get(sameText(text)) ?? 0) + count)
  const texts = [...counts].map(([text, count]) => ({ id: `text:${text}`, text, isRight: isRight(text), count }))
  const rightCount = texts.reduce((sum, text) => sum + (text.isRight ? text.count : 0), 0)
  const mostFrequent = texts.toSorted((one, other) => other.count - one.count).slice(0, LISTED_TEXTS)
  return [
    { id: 'right', text: fill(copy['statistics.all-right'], { key }), isRight: true, count: rightCount },
    ...mostFrequent,
  ]
}

/** One wrong text that more learners write than all right ones. */
export function isTextPreferred([right, ...texts]: readonly PartCount[]): boolean {
  return texts.some(({ isRight, count }) => !isRight && count > (right?.count ?? 0))
}

export const writtenLabels: StatisticsLabels = {
  parts: copy['statistics.texts'],
  partsOfQuestion: copy['statistics.texts.of'],
  right: copy['statistics.right'],
}
