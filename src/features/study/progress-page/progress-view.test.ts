import { expect, test } from 'vitest'
import type { StudyDay } from '../progress/study-progress.ts'
import type { ReadinessDay } from '../readiness-history/readiness-days.ts'
import type { Readiness } from '../study.schema.ts'
import {
  CALENDAR_WEEKS,
  calendarOf,
  dayName,
  dayNumber,
  levelOf,
  longestRun,
  mondayOf,
  paceOf,
  readinessPoints,
  totalsOf,
  weakestDomain,
} from './progress-view.ts'

const today = '2026-11-24'
const dayAt = (ago: number) => dayName(dayNumber(today) - ago)
const answered = (day: string, more: Partial<StudyDay> = {}): StudyDay => ({
  day,
  answered: 10,
  right: 7,
  activeMs: 600_000,
  timedCount: 10,
  ...more,
})
const percents = { meanPercent: 70, lowPercent: 60, highPercent: 80, passChance: 0.5 }
const told = (day: string): ReadinessDay => ({
  ...percents,
  day,
  answered: 40,
  realExam: { ...percents, lowPercent: 55, highPercent: 85 },
  abilities: {
    advantage: { mean: 1, deviation: 0.3 },
    spread: 0.8,
    guess: 0.25,
    questions: 65,
    passingPercent: 70,
  },
})
const notEnough: Readiness = { kind: 'not-enough', answered: 3, needed: 30, thinDomains: [] }

test('the calendar ends today, begins with a Monday, and has a place for each day between', () => {
  expect(mondayOf(today)).toBe('2026-11-23')
  expect(mondayOf('2026-11-22')).toBe('2026-11-16')
  const { firstDay, counts } = calendarOf([answered(dayAt(400)), answered(dayAt(1)), answered(today)], today)
  expect(mondayOf(firstDay)).toBe(firstDay)
  expect(counts).toHaveLength(7 * (CALENDAR_WEEKS - 1) + 2)
  expect(counts.slice(-3)).toEqual([0, 10, 10])
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20)
  expect(longestRun(counts)).toBe(2)
  expect(longestRun([])).toBe(0)
  expect([0, 1, 10, 30, 65].map(levelOf)).toEqual([0, 1, 2, 3, 4])
})

test('a year of days is told by a point a week, so that the page does not grow with the answers', () => {
  const year = Array.from({ length: 364 }, (_, place) => told(dayAt(364 - place)))
  expect(readinessPoints(year, notEnough, today).length).toBeLessThanOrEqual(CALENDAR_WEEKS)
  expect(readinessPoints(year.slice(-20), notEnough, today)).toHaveLength(20)
  expect(readinessPoints([], notEnough, today)).toEqual([])
})

test('the line of readiness ends with the estimate of today', () => {
  const forecast = { expectedPercent: 75, lowPercent: 65, highPercent: 85, passChance: 0.8 }
  const readiness: Readiness = {
    kind: 'estimate',
    answered: 50,
    passingPercent: 70,
    ...forecast,
    realExam: { ...forecast, resultCount: 0 },
  }
  const points = readinessPoints([told(dayAt(3)), told(today)], readiness, today)
  expect(points.map(({ day, mean }) => [day, mean])).toEqual([
    [dayAt(3), 70],
    [today, 75],
  ])
})

test('pace counts measured answers only, and totals count days with answers', () => {
  const days = [answered('2026-11-16'), answered('2026-11-17', { activeMs: 0, timedCount: 0 }), answered(today)]
  expect(paceOf(days, today).map(({ week, seconds, timed }) => [week, seconds, timed])).toEqual([
    ['2026-11-16', 60, 10],
    ['2026-11-23', 60, 10],
  ])
  expect(totalsOf(days)).toEqual({ answered: 30, right: 21, days: 3, hours: 0.3 })
})

test('most is to be gained in a domain that is weak and heavy; in none where each is known well enough', () => {
  const domain = (name: string, weight: number, expected: number) => ({
    name,
    weight,
    seen: 5,
    total: 10,
    mastery: { expected, low: expected - 5, high: expected + 5 },
  })
  const domains = [domain('Heavy', 40, 60), domain('Light', 10, 50), domain('Strong', 50, 90)]
  expect(weakestDomain(domains, 70)?.name).toBe('Heavy')
  expect(weakestDomain([domain('Strong', 50, 90)], 70)).toBe(null)
  expect(weakestDomain([{ name: 'New', weight: 100, seen: 0, total: 10, mastery: null }], 70)).toBe(null)
})
