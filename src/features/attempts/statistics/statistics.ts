import type { ItemFlag, ItemStatistics, ScoreStatistics, SortedBy, StatisticsFilter } from './statistics.schema.ts'

/**
 * The fewest attempts for which statistics are shown. With 30, a share of one half has an error of 18 percentage points and a
 * correlation of 0.2 one of 0.36 (95% confidence); with fewer, admins would act on chance.
 */
export const STATISTICS_FLOOR = 30

/** The least share of answered questions. An attempt below it shows how far a learner went, not how hard the questions are. */
export const LEAST_ANSWERED = 0.5

const TOO_EASY = 0.95
const TOO_HARD = 0.25
/** A question below it should be improved (Ebel & Frisbie). */
const POOR_DISCRIMINATION = 0.2

/** Sums of a question's points over all attempts. A question without an answer has 0 points. */
export type ItemSums = {
  readonly points: number
  readonly squares: number
  /** Its points times all points of the same attempt. */
  readonly timesTotal: number
}

/** Sums of the points of whole attempts. */
export type TotalSums = { readonly count: number; readonly points: number; readonly squares: number }

/** The mean of a question's points as a share of the most that it can give: 1 if everybody was right. */
export function facilityOf(item: ItemSums, count: number, most: number): number {
  return item.points / (count * most)
}

/**
 * The correlation of a question's points with those of all other questions (item-rest); for questions that are right or wrong
 * it is the point-biserial one. Null if nothing varies. The sums are integers, so only the last division rounds.
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

/** Cronbach's alpha; for questions that are right or wrong it is KR-20. Null where it is undefined. */
export function alphaOf(items: readonly ItemSums[], total: TotalSums): number | null {
  const { count } = total
  const variance = (sums: { points: number; squares: number }) => count * sums.squares - sums.points ** 2
  const whole = variance(total)
  if (items.length < 2 || whole <= 0) return null
  const parts = items.reduce((sum, item) => sum + variance(item), 0)
  return (items.length / (items.length - 1)) * (1 - parts / whole)
}

/** The standard deviation of a sample. */
export function deviationOf({ count, points, squares }: TotalSums): number {
  return count < 2 ? 0 : Math.sqrt(Math.max(0, count * squares - points ** 2) / (count * (count - 1)))
}

/** The statistics of an exam's scores, in shares of all points; null below STATISTICS_FLOOR. */
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
    // The standard error of a score. A negative reliability makes no sense, so there is none.
    error: alpha === null || alpha < 0 ? null : deviation * Math.sqrt(1 - alpha),
    passRate: facts.passed / total.count,
  }
}

/** Why a question should be reviewed, gravest reason first. */
export function flagsOf(
  item: Pick<ItemStatistics, 'facility' | 'discrimination'> & { readonly isKeyDoubtful: boolean },
): ItemFlag[] {
  const flags: ItemFlag[] = []
  if (item.isKeyDoubtful) flags.push('key-doubtful')
  if (item.discrimination !== null && item.discrimination < 0) flags.push('discriminates-backwards')
  // If nearly all learners are right or wrong, the correlation rests on too few.
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
  difficulty: ({ calibration }) => calibration?.difficulty ?? null,
  time: ({ medianMs }) => medianMs,
  flags: ({ flags }) => -flags.length,
}

/** Questions without a number come last, equal ones in the order of the exam. */
export function sortItems(items: readonly ItemStatistics[], { sort, down }: StatisticsFilter): ItemStatistics[] {
  const of = ORDER[sort]
  return items.toSorted((a, b) => {
    const [left, right] = [of(a), of(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null) || a.number - b.number
    return (down ? right - left : left - right) || a.number - b.number
  })
}
