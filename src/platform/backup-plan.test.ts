import { expect, test } from 'vitest'
import { lastDue, listExpired, parseKeep, parseSchedule, retryDelay, type Generation } from './backup-plan.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'

test('a schedule is hourly, or daily at a time of day; anything else is refused', () => {
  expect(parseSchedule('hourly')).toEqual({ every: 'hour' })
  expect(parseSchedule(' Daily 3:30 ')).toEqual({ every: 'day', atMinute: 210 })
  for (const text of ['', 'daily', 'daily 24:00', 'daily 3:60', 'weekly', '03:30', 'daily 03:30 CET', '0 3 * * *'])
    expect({ text, parsed: parseSchedule(text) }).toEqual({ text, parsed: null })
})

test('what is kept is a number for each period; a period twice, zero and other words are refused', () => {
  expect(parseKeep('7 daily, 4 weekly,12 Monthly')).toEqual({ daily: 7, weekly: 4, monthly: 12 })
  for (const text of [
    '',
    '7',
    'daily',
    '0 daily',
    '-1 daily',
    '7 daily,',
    '7 daily, 3 daily',
    '7 days',
    '1.5 daily',
    '99999 daily',
  ])
    expect({ text, parsed: parseKeep(text) }).toEqual({ text, parsed: null })
})

test('a backup is due since the last full hour, or since the last passing of its time of day', () => {
  const at = (text: string) => new Date(`2026-11-28T${text}Z`)
  expect(lastDue({ every: 'hour' }, at('03:59:59'))).toEqual(at('03:00:00'))
  expect(lastDue({ every: 'day', atMinute: 210 }, at('03:30:00'))).toEqual(at('03:30:00'))
  expect(lastDue({ every: 'day', atMinute: 210 }, at('03:29:59'))).toEqual(new Date('2026-11-27T03:30:00Z'))
})

const START = new Date('2025-01-01T03:30:00Z')
const daily = (count: number, test: Generation['test'] = 'passed'): Generation[] =>
  Array.from({ length: count }, (_, day) => ({
    name: String(day),
    madeAt: new Date(START.getTime() + day * DAY_MS),
    test,
  }))

test('seven days, four weeks and twelve months are left of two years of daily backups, whether sorted out daily or at once', () => {
  const keep = parseKeep('7 daily, 4 weekly, 12 monthly')!
  const left = (from: Generation[]) => {
    const expired = new Set(listExpired(from, keep))
    return from.filter((backup) => !expired.has(backup))
  }
  const atOnce = left(daily(700))
  let day: Generation[] = []
  for (const backup of daily(700)) day = left([...day, backup])
  const names = (backups: Generation[]) => backups.map(({ madeAt }) => madeAt.toISOString().slice(0, 10))
  expect(names(day)).toEqual(names(atOnce))
  expect(names(atOnce)).toEqual([
    '2026-01-31',
    '2026-02-28',
    '2026-03-31',
    '2026-04-30',
    '2026-05-31',
    '2026-06-30',
    '2026-07-31',
    '2026-08-31',
    '2026-09-30',
    '2026-10-31',
    '2026-11-15',
    '2026-11-22',
    '2026-11-25',
    '2026-11-26',
    '2026-11-27',
    '2026-11-28',
    '2026-11-29',
    '2026-11-30',
    '2026-12-01',
  ])
})

test('without a tested backup nothing is deleted, and never the newest tested one or anything newer', () => {
  const keep = { daily: 1 }
  expect(listExpired(daily(30, 'not tested'), keep)).toEqual([])
  expect(listExpired(daily(30, 'failed'), keep)).toEqual([])
  const mixed = daily(6).map((backup, day): Generation => ({ ...backup, test: day === 3 ? 'passed' : 'failed' }))
  expect(listExpired(mixed, keep).map(({ name }) => name)).toEqual(['2', '1', '0'])
  expect(listExpired([], keep)).toEqual([])
})

test('a day is represented by its newest tested backup, not by a newer untested one', () => {
  const at = (name: string, hours: number, test: Generation['test']): Generation => ({
    name,
    madeAt: new Date(START.getTime() + hours * HOUR_MS),
    test,
  })
  const backups = [at('tested', 0, 'passed'), at('untested', 1, 'not tested'), at('next day', 24, 'passed')]
  expect(listExpired(backups, { daily: 2 }).map(({ name }) => name)).toEqual(['untested'])
})

test('a failure is tried again after a minute, and at least once an hour', () => {
  expect(retryDelay(1)).toBe(60_000)
  expect(retryDelay(3)).toBe(240_000)
  expect(retryDelay(7)).toBe(HOUR_MS)
  expect(retryDelay(5000)).toBe(HOUR_MS)
})
