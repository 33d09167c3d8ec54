import type { Question } from '../../questions/questions.schema.ts'
import type { ItemFlag, ItemStatistics, ScoreStatistics, SortedBy, StatisticsFilter } from './statistics.schema.ts'

/**
 * Below so many attempts nothing is shown: with 30 of them a share of one half is already give or take 18 points, and a
 * correlation of 0.2 give or take 0.36 (19 times in 20). With fewer, the numbers would tell of chance and be acted upon.
 */
export const STATISTICS_FLOOR = 30

/** Who left more than this share blank has shown how far they went, and not how hard the questions are. */
export const LEAST_ANSWERED = 0.5

export const TOO_EASY = 0.95
export const TOO_HARD = 0.25
/** Ebel & Frisbie: below 0.2 a question tells learners who know from those who don't too little to keep it as it is. */
export const POOR_DISCRIMINATION = 0.2

/** What is added up of one question over all attempts, in points. A blank is 0 points. */
export type ItemSums = {
  readonly points: number
  readonly squares: number
  /** Its points times all points of the same attempt. */
  readonly timesTotal: number
}

/** What is added up of the attempts' points. */
export type TotalSums = { readonly count: number; readonly points: number; readonly squares: number }

/** The mean of a question's points, of all that it can give: 1 is right for everybody. */
export function facilityOf(item: ItemSums, count: number, most: number): number {
  return item.points / (count * most)
}

/**
 * The correlation of a question's points with those of all other questions (item-rest). Points right or wrong make it the
 * point-biserial one. Null where nothing varies. Integers go in, so nothing is lost on the way to the last division.
 */
export function discriminationOf(item: ItemSums, total: TotalSums): number | null {
  const { count } = total
  const rest = total.points - item.points
  const restSquares = total.squares - 2 * item.timesTotal + item.squares
  const timesRest = item.timesTotal - item.squares
  const itemSpread = count * item.squares - item.points ** 2
  const restSpread = count * restSquares - rest ** 2
  if (itemSpread <= 0 || restSpread <= 0) return null
  return (count * timesRest - item.points * rest) / (Math.sqrt(itemSpread) * Math.sqrt(restSpread))
}

/** Cronbach's alpha; with right-or-wrong questions it is KR-20. Null where it is not defined. */
export function alphaOf(items: readonly ItemSums[], total: TotalSums): number | null {
  const { count } = total
  const variance = (sums: { points: number; squares: number }) => count * sums.squares - sums.points ** 2
  const whole = variance(total)
  if (items.length < 2 || whole <= 0) return null
  const parts = items.reduce((sum, item) => sum + variance(item), 0)
  return (items.length / (items.length - 1)) * (1 - parts / whole)
}

/** Of a sample: divided by one less than their number. */
export function deviationOf({ count, points, squares }: TotalSums): number {
  return count < 2 ? 0 : Math.sqrt(Math.max(0, count * squares - points ** 2) / (count * (count - 1)))
}

/** What of an exam is shown, in shares of all points; null below the floor. */
export function scoreStatistics(
  items: readonly ItemSums[],
  total: TotalSums,
  facts: { readonly most: number; readonly passed: number },
): ScoreStatistics | null {
  if (total.count < STATISTICS_FLOOR || items.length === 0) return null
  const all = facts.most * items.length
  const alpha = alphaOf(items, total)
  const deviation = deviationOf(total) / all
  return {
    mean: total.points / (total.count * all),
    deviation,
    alpha,
    // How far a score may be off by chance; nothing is said where the reliability makes no sense.
    error: alpha === null || alpha < 0 ? null : deviation * Math.sqrt(1 - alpha),
    passRate: facts.passed / total.count,
  }
}

/** What somebody should look at, worded without a colour. The gravest first. */
export function flagsOf(
  item: Pick<ItemStatistics, 'facility' | 'discrimination' | 'choices'> & { readonly answers: Question['options'] },
): ItemFlag[] {
  const flags: ItemFlag[] = []
  const countOf = (id: string) => item.choices.find(({ optionId }) => optionId === id)?.count ?? 0
  const leastRight = Math.min(...item.answers.filter(({ isRight }) => isRight).map(({ id }) => countOf(id)))
  const mostWrong = Math.max(0, ...item.answers.filter(({ isRight }) => !isRight).map(({ id }) => countOf(id)))
  if (mostWrong > leastRight) flags.push('key-doubtful')
  if (item.discrimination !== null && item.discrimination < 0) flags.push('discriminates-backwards')
  // Where nearly everybody is right or wrong, the correlation has nothing to go by.
  const isExtreme = item.facility >= TOO_EASY || item.facility < TOO_HARD
  if (item.facility >= TOO_EASY) flags.push('too-easy')
  if (item.facility < TOO_HARD) flags.push('too-hard')
  const isPoor = item.discrimination !== null && item.discrimination >= 0 && item.discrimination < POOR_DISCRIMINATION
  if (isPoor && !isExtreme) flags.push('discriminates-badly')
  return flags
}

const ORDER: Record<SortedBy, (item: ItemStatistics) => number | null> = {
  number: ({ number }) => number,
  facility: ({ facility }) => facility,
  discrimination: ({ discrimination }) => discrimination,
  time: ({ medianMs }) => medianMs,
  flags: ({ flags }) => -flags.length,
}

/** Sorted as it is wanted, what has no number last; equal ones as they stand in the exam. */
export function sortItems(items: readonly ItemStatistics[], { sort, down }: StatisticsFilter): ItemStatistics[] {
  const of = ORDER[sort]
  return items.toSorted((a, b) => {
    const [left, right] = [of(a), of(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null) || a.number - b.number
    return (down ? right - left : left - right) || a.number - b.number
  })
}
