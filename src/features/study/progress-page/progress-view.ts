import { DAY_MS } from '../../../lib/time.ts'
import type { ConfidenceTally, StudyDay } from '../progress/study-progress.ts'
import type { ReadinessDay } from '../readiness-history/readiness-days.ts'
import type { Readiness, Repetition } from '../study.schema.ts'

/** Weeks in the calendar, the present one included. */
export const CALENDAR_WEEKS = 53
/** With more days than this, a line has one point a week. */
const POINTS = 60

/** The readiness at the end of a day, in percent. */
export type ReadinessPoint = {
  readonly day: string
  readonly mean: number
  readonly low: number
  readonly high: number
  readonly realLow: number
  readonly realHigh: number
}

export type DomainView = {
  readonly name: string
  /** Its share of the exam, in percent. */
  readonly weight: number
  readonly seen: number
  readonly total: number
  readonly mastery: { readonly expected: number; readonly low: number; readonly high: number } | null
}

export type Calendar = {
  /** The Monday of the first week. */
  readonly firstDay: string
  /** Answers a day, from the first day up to today. */
  readonly counts: readonly number[]
}

/** The mean time of an answer in a week, by the Monday of the week. */
export type PaceWeek = {
  readonly week: string
  readonly seconds: number
  readonly timed: number
  readonly hours: number
}

/** A finished timed exam. */
export type MockResult = {
  readonly day: string
  readonly percent: number
  readonly isPassed: boolean
  readonly title: string
}

/** What a learner sees of their progress in a course: numbers, whose count does not grow with the answers. */
export type ProgressView = {
  readonly totals: { readonly answered: number; readonly right: number; readonly days: number; readonly hours: number }
  /** Where the learner is. */
  readonly today: string
  /** That of the plan; UTC without one. Days are counted in it. */
  readonly timeZone: string
  readonly readiness: Readiness
  readonly passingPercent: number
  readonly points: readonly ReadinessPoint[]
  readonly domains: readonly DomainView[]
  readonly calendar: Calendar
  /** Due cards by day: what is due today first. */
  readonly dueAhead: readonly number[]
  /** The day of the first of them, where the learner is. */
  readonly dueFrom: string
  /** The reviews to which the intervals of the cards are fitted; null for the published intervals. */
  readonly fitted: Repetition['fitted']
  readonly pace: readonly PaceWeek[]
  /** Seconds that the real exam gives for a question; null without a blueprint. */
  readonly examSeconds: number | null
  readonly confidence: ConfidenceTally
  readonly mocks: readonly MockResult[]
}

export function dayNumber(day: string): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS)
}

export function dayName(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10)
}

/** The Monday of the week of a day. */
export function mondayOf(day: string): string {
  const number = dayNumber(day)
  // The first of January 1970, day 0, was a Thursday.
  return dayName(number - ((((number + 3) % 7) + 7) % 7))
}

export function totalsOf(days: readonly StudyDay[]): ProgressView['totals'] {
  return {
    answered: sum(days.map(({ answered }) => answered)),
    right: sum(days.map(({ right }) => right)),
    days: days.filter(({ answered }) => answered > 0).length,
    hours: hoursOf(sum(days.map(({ activeMs }) => activeMs))),
  }
}

/** The line of readiness: what was told day by day, and the estimate of today. Long lines have the last day of each week. */
export function readinessPoints(told: readonly ReadinessDay[], readiness: Readiness, today: string): ReadinessPoint[] {
  const past = told.map(({ day, meanPercent, lowPercent, highPercent, realExam }) => ({
    day,
    mean: meanPercent,
    low: lowPercent,
    high: highPercent,
    realLow: realExam.lowPercent,
    realHigh: realExam.highPercent,
  }))
  const before = past.filter(({ day }) => day < today)
  const points = readiness.kind === 'estimate' ? [...before, pointOf(readiness, today)] : past
  return points.length <= POINTS ? points : lastOfWeeks(points)
}

function pointOf(readiness: Extract<Readiness, { kind: 'estimate' }>, day: string): ReadinessPoint {
  const { expectedPercent: mean, lowPercent: low, highPercent: high, realExam } = readiness
  return { day, mean, low, high, realLow: realExam.lowPercent, realHigh: realExam.highPercent }
}

function lastOfWeeks(points: readonly ReadinessPoint[]): ReadinessPoint[] {
  return [...new Map(points.map((point) => [mondayOf(point.day), point])).values()].slice(-CALENDAR_WEEKS)
}

export function calendarOf(days: readonly StudyDay[], today: string): Calendar {
  const first = dayNumber(mondayOf(today)) - 7 * (CALENDAR_WEEKS - 1)
  const counts = Array.from({ length: dayNumber(today) - first + 1 }, () => 0)
  for (const { day, answered } of days) {
    const place = dayNumber(day) - first
    if (place >= 0 && place < counts.length) counts[place] = answered
  }
  return { firstDay: dayName(first), counts }
}

/** How full a day is, from 0 (nothing) to 4 (as much as a whole exam). */
export function levelOf(count: number): 0 | 1 | 2 | 3 | 4 {
  if (count === 0) return 0
  if (count < 10) return 1
  if (count < 30) return 2
  return count < 65 ? 3 : 4
}

/** The longest run of days with answers. */
export function longestRun(counts: readonly number[]): number {
  let [run, longest] = [0, 0]
  for (const count of counts) {
    run = count > 0 ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

/** The weeks with measured answers in the last year, oldest first. */
export function paceOf(days: readonly StudyDay[], today: string): PaceWeek[] {
  const first = dayName(dayNumber(mondayOf(today)) - 7 * (CALENDAR_WEEKS - 1))
  const weeks = new Map<string, { ms: number; timed: number }>()
  for (const { day, activeMs, timedCount } of days) {
    if (timedCount === 0 || day < first) continue
    const week = mondayOf(day)
    const known = weeks.get(week) ?? { ms: 0, timed: 0 }
    weeks.set(week, { ms: known.ms + activeMs, timed: known.timed + timedCount })
  }
  return [...weeks].map(([week, { ms, timed }]) => ({
    week,
    timed,
    seconds: Math.round(ms / timed / 1000),
    hours: hoursOf(ms),
  }))
}

/** The domain in which a point of mastery is worth most: far below the passing score and heavy. */
export function weakestDomain(domains: readonly DomainView[], passingPercent: number): DomainView | null {
  const loss = ({ mastery, weight }: DomainView) =>
    weight * Math.max(0, passingPercent - (mastery?.expected ?? passingPercent))
  const [worst] = domains.filter((domain) => loss(domain) > 0).toSorted((a, b) => loss(b) - loss(a))
  return worst ?? null
}

function hoursOf(milliseconds: number): number {
  return Math.round(milliseconds / 360_000) / 10
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
