import { DAY_MS } from '../../lib/time.ts'
import { copy } from './analytics.copy.ts'
import type { AnalyticsFilter, PeriodName } from './analytics.schema.ts'

/** Days in UTC, the first and the last included, and the length of a chart's point. */
export type Period = { readonly from: string; readonly to: string; readonly unit: 'day' | 'month' }

/** The longest period with a point per day; longer periods have a point per month. */
const DAILY_POINTS_DAYS = 92
/** Five years with their leap days. */
const LONGEST_DAYS = 1827
const EARLIEST = '2000-01-01'

const lengths = { '7d': 7, '30d': 30, '90d': 90 } as const

type ChosenPeriod = {
  readonly name: PeriodName
  readonly period: Period
  /** The period of the same length right before; for twelve months, the same days a year earlier. */
  readonly before: Period
  /** Why custom dates are not valid, by field. The last 30 days replace them. */
  readonly problems: { readonly from?: string; readonly to?: string }
}

export function choosePeriod(filter: AnalyticsFilter, now: Date): ChosenPeriod {
  const today = dayOf(now)
  if (filter.period === 'own') {
    const problems = problemsOf(filter, today)
    if (Object.keys(problems).length > 0) return { name: 'own', ...lastDays(lengths['30d'], today), problems }
    return { name: 'own', ...withBefore(filter.from, filter.to), problems }
  }
  if (filter.period === '12m') {
    const from = `${shiftMonths(today, -11).slice(0, 7)}-01`
    return {
      name: '12m',
      period: { from, to: today, unit: 'month' },
      before: { from: shiftMonths(from, -12), to: shiftMonths(today, -12), unit: 'month' },
      problems: {},
    }
  }
  return { name: filter.period, ...lastDays(lengths[filter.period], today), problems: {} }
}

function lastDays(count: number, today: string) {
  return withBefore(shiftDays(today, 1 - count), today)
}

function withBefore(from: string, to: string): { period: Period; before: Period } {
  const count = daysBetween(from, to) + 1
  const unit = count > DAILY_POINTS_DAYS ? 'month' : 'day'
  return {
    period: { from, to, unit },
    before: { from: shiftDays(from, -count), to: shiftDays(from, -1), unit },
  }
}

function problemsOf({ from, to }: AnalyticsFilter, today: string): ChosenPeriod['problems'] {
  const bad = {
    ...(isDay(from) ? {} : { from: copy['analytics.own.day'] }),
    ...(isDay(to) ? {} : { to: copy['analytics.own.day'] }),
  }
  if (Object.keys(bad).length > 0) return bad
  if (from < EARLIEST) return { from: copy['analytics.own.early'] }
  if (to > today) return { to: copy['analytics.own.future'] }
  if (from > to) return { to: copy['analytics.own.order'] }
  return daysBetween(from, to) >= LONGEST_DAYS ? { from: copy['analytics.own.long'] } : {}
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(new Date(text)) === text
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

export function shiftDays(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * DAY_MS))
}

/** The same day of another month; the last day when that month is shorter. */
function shiftMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return dayOf(new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))))
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** The first day of every point of a period's charts, also of points without events. */
export function bucketsOf({ from, to, unit }: Period): string[] {
  const buckets: string[] = []
  let at = unit === 'day' ? from : `${from.slice(0, 7)}-01`
  while (at <= to) {
    buckets.push(at)
    at = unit === 'day' ? shiftDays(at, 1) : shiftMonths(at, 1)
  }
  return buckets
}

/** The change in whole percent; null without a positive value to compare with. */
export function changeOf(value: number | null, before: number | null): number | null {
  if (value === null || before === null || before <= 0) return null
  return Math.round(((value - before) / before) * 100)
}

/** The difference of two shares in percentage points; null when one of them is unknown. */
export function pointsBetween(share: number | null, before: number | null): number | null {
  return share === null || before === null ? null : Math.round((share - before) * 100)
}

export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

/** Round numbers for the grid lines of a chart, around all values and including zero. */
export function ticksOf(values: readonly number[], isWhole: boolean): number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  if (low === high) return [0, isWhole ? 1 : 100]
  const raw = (high - low) / 3
  const size = 10 ** Math.floor(Math.log10(raw))
  const step = Math.max(isWhole ? 1 : 0, ([1, 2, 5, 10].find((times) => times * size >= raw) ?? 10) * size)
  const first = Math.floor(low / step)
  const last = Math.ceil(high / step)
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step)
}

/** The query string of a filter, without the parts that are the default. */
export function queryOf(filter: AnalyticsFilter): string {
  const pairs: [string, string][] = []
  if (filter.period !== '30d') pairs.push(['period', filter.period])
  if (filter.period === 'own') pairs.push(['from', filter.from], ['to', filter.to])
  if (filter.course !== null) pairs.push(['course', filter.course])
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return query === '' ? '' : `?${query}`
}
