import { likelyRange } from '../../attempts/scaled-score.ts'

/** A public chart rests on at least so many results, and each of its groups on so many. */
export const PUBLIC_RESULTS = 30
export const GROUP_RESULTS = 10
const MAX_GROUPS = 5

/** A forecast and what happened. */
export type Outcome = { readonly chancePercent: number; readonly isPassed: boolean }

/** Results of about the same forecast: the mean forecast, and the share that passed with its 95% interval, in percent. */
export type ResultGroup = {
  readonly count: number
  readonly passedCount: number
  readonly lowestPercent: number
  readonly highestPercent: number
  readonly toldPercent: number
  readonly passedPercent: number
  readonly passedLow: number
  readonly passedHigh: number
}

/**
 * Results in groups of about equal size by their forecast, each of at least GROUP_RESULTS unless there are fewer in all. Equal forecasts
 * stay in one group.
 */
export function groupResults(outcomes: readonly Outcome[]): ResultGroup[] {
  const sorted = outcomes.toSorted((a, b) => a.chancePercent - b.chancePercent)
  const size = Math.max(GROUP_RESULTS, Math.ceil(sorted.length / MAX_GROUPS))
  const groups: Outcome[][] = []
  for (const outcome of sorted) {
    const last = groups.at(-1)
    const isFull = last !== undefined && last.length >= size
    if (last === undefined || (isFull && last.at(-1)?.chancePercent !== outcome.chancePercent)) groups.push([outcome])
    else last.push(outcome)
  }
  const rest = groups.at(-1)
  if (groups.length > 1 && rest !== undefined && rest.length < GROUP_RESULTS)
    groups.splice(-2, 2, [...(groups.at(-2) ?? []), ...rest])
  return groups.map(toGroup)
}

function toGroup(outcomes: readonly Outcome[]): ResultGroup {
  const chances = outcomes.map(({ chancePercent }) => chancePercent)
  const passedCount = outcomes.filter(({ isPassed }) => isPassed).length
  const passedPercent = (passedCount * 100) / outcomes.length
  const [passedLow, passedHigh] = likelyRange(passedPercent, outcomes.length)
  return {
    count: outcomes.length,
    passedCount,
    lowestPercent: Math.min(...chances),
    highestPercent: Math.max(...chances),
    toldPercent: chances.reduce((sum, chance) => sum + chance, 0) / outcomes.length,
    passedPercent,
    passedLow,
    passedHigh,
  }
}

/** How many results the public chart still needs; 0 when it can be shown. */
export function missingForPublic(count: number): number {
  return Math.max(0, PUBLIC_RESULTS - count)
}
