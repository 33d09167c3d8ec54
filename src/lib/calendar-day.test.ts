import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDays,
  dayIn,
  daysBetween,
  endOfDayIn,
  isCalendarDay,
  isTimeZone,
  localTime,
  weekdayOf,
} from './calendar-day.ts'

test('a day is one that exists', () => {
  expect(['2026-11-24', '2028-02-29'].map(isCalendarDay)).toEqual([true, true])
  expect(
    ['2026-02-29', '2026-13-01', '0000-01-01', '2026-1-1', '', 'tomorrow', '2026-11-24T00:00'].map(isCalendarDay),
  ).toEqual(Array.from({ length: 7 }, () => false))
})

test('days are added and counted across months, years and summer time', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  fc.assert(
    fc.property(fc.integer({ min: -800, max: 800 }), (days) => {
      expect(daysBetween('2026-06-15', addDays('2026-06-15', days))).toBe(days)
    }),
  )
})

test('a week begins on Monday', () => {
  expect(['2026-11-23', '2026-11-29'].map(weekdayOf)).toEqual([1, 7])
})

test('an instant is another day elsewhere', () => {
  const instant = new Date('2026-11-24T23:30:00Z')
  expect(dayIn(instant, 'UTC')).toBe('2026-11-24')
  expect(localTime(instant, 'Pacific/Auckland')).toEqual({ day: '2026-11-25', hour: 12 })
  expect(localTime(instant, 'Pacific/Honolulu')).toEqual({ day: '2026-11-24', hour: 13 })
  // The clocks of Berlin go from 2:00 to 3:00 on this day.
  expect(localTime(new Date('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toEqual({ day: '2026-03-29', hour: 3 })
  expect(localTime(new Date('2026-11-24T00:00:00Z'), 'UTC').hour).toBe(0)
})

test('a day ends where the next one begins, also when it has 23 or 25 hours', () => {
  const endOf = (instant: string, timeZone: string) => endOfDayIn(new Date(instant), timeZone).toISOString()
  expect(endOf('2026-11-24T00:00:00Z', 'UTC')).toBe('2026-11-24T23:59:59.999Z')
  expect(endOf('2026-11-24T23:59:59.999Z', 'UTC')).toBe('2026-11-24T23:59:59.999Z')
  expect(endOf('2026-03-28T23:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T21:59:59.999Z')
  expect(endOf('2026-10-24T22:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T22:59:59.999Z')
  expect(endOf('2026-11-24T12:00:00Z', 'Asia/Kathmandu')).toBe('2026-11-24T18:14:59.999Z')
})

test('a zone is named', () => {
  expect(['Europe/Berlin', 'UTC', 'America/Argentina/Ushuaia'].map(isTimeZone)).toEqual([true, true, true])
  expect(['', 'Atlantis/Center', '+02:00', 'Europe/Berlin; drop table'].map(isTimeZone)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
