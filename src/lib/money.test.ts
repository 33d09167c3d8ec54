import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents, formatDollars, parseDollars, percentOf, toDollars } from './money.ts'

test('dollars with two decimals convert to cents and back without a change', () => {
  fc.assert(
    fc.property(fc.integer({ min: -999_999_999, max: 999_999_999 }), (amount) => {
      expect(parseDollars(toDollars(cents(amount)))).toBe(amount)
    }),
  )
})

test('an amount that is not dollars with at most two decimals is refused', () => {
  for (const value of ['', ' ', 'abc', '1.234', '1,000', '1e3', '.5', NaN, Infinity, 19.999])
    expect(parseDollars(value)).toBeNull()
})

test('formatted prices have two decimals and thousands separators', () => {
  expect(formatDollars(cents(0))).toBe('$0.00')
  expect(formatDollars(cents(1999))).toBe('$19.99')
  expect(formatDollars(cents(999_999))).toBe('$9,999.99')
  expect(formatDollars(cents(123_456_789))).toBe('$1,234,567.89')
  expect(formatDollars(cents(-5))).toBe('-$0.05')
})

test('a percentage is rounded half up to the cent', () => {
  expect(percentOf(cents(1999), 10)).toBe(200)
  expect(percentOf(cents(1995), 10)).toBe(200)
  expect(percentOf(cents(1994), 10)).toBe(199)
  expect(percentOf(cents(5), 10)).toBe(1)
  expect(percentOf(cents(4), 10)).toBe(0)
})
