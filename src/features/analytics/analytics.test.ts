import { expect, test } from 'vitest'
import { bucketsOf, changeOf, choosePeriod, pointsBetween, queryOf, shareOf, ticksOf } from './analytics.ts'
import { AnalyticsFilter } from './analytics.schema.ts'

const now = new Date('2026-03-31T23:59:59.999Z')
const filter = (more: Partial<AnalyticsFilter>): AnalyticsFilter => ({
  period: '30d',
  from: '',
  to: '',
  course: null,
  ...more,
})
const choose = (more: Partial<AnalyticsFilter>) => choosePeriod(filter(more), now)

test('the last days end today in UTC and are compared with the same number before', () => {
  expect(choose({ period: '7d' })).toMatchObject({
    period: { from: '2026-03-25', to: '2026-03-31', unit: 'day' },
    before: { from: '2026-03-18', to: '2026-03-24', unit: 'day' },
  })
  expect(choose({ period: '90d' }).period).toEqual({ from: '2026-01-01', to: '2026-03-31', unit: 'day' })
})

test('twelve months begin with a month and are compared with the same days a year earlier', () => {
  expect(choose({ period: '12m' })).toMatchObject({
    period: { from: '2025-04-01', to: '2026-03-31', unit: 'month' },
    before: { from: '2024-04-01', to: '2025-03-31', unit: 'month' },
  })
  const leap = choosePeriod(filter({ period: '12m' }), new Date('2024-02-29T00:00:00Z'))
  expect(leap.before).toEqual({ from: '2022-03-01', to: '2023-02-28', unit: 'month' })
})

test('a short custom period is shown by day, a long one by month', () => {
  const own = (from: string, to: string) => choose({ period: 'own', from, to })
  expect(own('2026-03-01', '2026-03-01')).toMatchObject({
    period: { from: '2026-03-01', to: '2026-03-01', unit: 'day' },
    before: { from: '2026-02-28', to: '2026-02-28' },
    problems: {},
  })
  expect(own('2025-12-30', '2026-03-31').period.unit).toBe('day')
  expect(own('2025-12-29', '2026-03-31').period.unit).toBe('month')
})

test('invalid custom dates are reported at their field, and the last 30 days are shown', () => {
  const problems = (from: string, to: string) => choose({ period: 'own', from, to }).problems
  expect(Object.keys(problems('', ''))).toEqual(['from', 'to'])
  expect(problems('2026-02-30', '2026-03-01')).toEqual({ from: 'Give a day, such as 2026-11-21' })
  expect(problems('2026-03-02', '2026-03-01')).toEqual({ to: 'The last day is before the first' })
  expect(problems('2026-03-02', '2026-04-01')).toEqual({ to: 'Not after today (UTC)' })
  expect(problems('1999-12-31', '2026-03-01')).toEqual({ from: 'Not before 2000-01-01' })
  expect(problems('2021-03-30', '2026-03-31')).toEqual({ from: 'At most five years' })
  expect(problems('2021-03-31', '2026-03-31')).toEqual({})
  expect(choose({ period: 'own', from: 'x', to: 'y' }).period.from).toBe('2026-03-02')
})

test('the charts have a point for every day or month of a period', () => {
  expect(bucketsOf({ from: '2024-02-27', to: '2024-03-01', unit: 'day' })).toEqual([
    '2024-02-27',
    '2024-02-28',
    '2024-02-29',
    '2024-03-01',
  ])
  expect(bucketsOf({ from: '2025-11-15', to: '2026-01-02', unit: 'month' })).toEqual([
    '2025-11-01',
    '2025-12-01',
    '2026-01-01',
  ])
})

test('changes are in percent and of shares in points, and null without a value to compare with', () => {
  expect([changeOf(150, 100), changeOf(50, 100), changeOf(100, 100)]).toEqual([50, -50, 0])
  expect([changeOf(5, 0), changeOf(5, -10), changeOf(null, 5)]).toEqual([null, null, null])
  expect(pointsBetween(0.5, 0.25)).toBe(25)
  expect(pointsBetween(null, 0.25)).toBeNull()
  expect([shareOf(1, 4), shareOf(0, 0)]).toEqual([0.25, null])
})

test('grid lines are round numbers around all values, also below zero', () => {
  expect(ticksOf([0, 3, 7], true)).toEqual([0, 5, 10])
  expect(ticksOf([1, 2], true)).toEqual([0, 1, 2])
  expect(ticksOf([-5000, 12_000], false)).toEqual([-10_000, 0, 10_000, 20_000])
  expect(ticksOf([0, 0], true)).toEqual([0, 1])
})

test('the address holds the filter without the defaults', () => {
  expect(queryOf(filter({}))).toBe('')
  expect(queryOf(filter({ period: '7d', from: 'x' }))).toBe('?period=7d')
  expect(queryOf(filter({ period: 'own', from: '2026-01-01', to: '2026-01-02' }))).toBe(
    '?period=own&from=2026-01-01&to=2026-01-02',
  )
})

test('custom dates take precedence over a period, and without dates the period is not custom', () => {
  const periodOf = (asked: object) => AnalyticsFilter.parse(asked).period
  expect(periodOf({ period: '90d', from: '2026-03-01', to: '2026-03-02' })).toBe('own')
  expect(periodOf({ period: '90d', from: '', to: '' })).toBe('90d')
  expect(periodOf({ period: 'own', from: '', to: '' })).toBe('30d')
  expect(periodOf({ period: 'own', from: 'x' })).toBe('own')
})
