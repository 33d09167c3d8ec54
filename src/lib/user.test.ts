import { expect, test } from 'vitest'
import { MINUTE_MS } from './time.ts'
import { isConfirmed } from './user.ts'

test('a confirmation counts for 15 minutes, and a clock that was set back does not prolong it', () => {
  const start = new Date('2026-01-01T00:00:00Z')
  const after = (milliseconds: number) => new Date(start.getTime() + milliseconds)
  expect(isConfirmed({ confirmedAt: start }, after(15 * MINUTE_MS - 1))).toBe(true)
  expect(isConfirmed({ confirmedAt: start }, after(15 * MINUTE_MS))).toBe(false)
  expect(isConfirmed({ confirmedAt: start }, after(-2 * MINUTE_MS))).toBe(false)
  expect(isConfirmed({ confirmedAt: null }, start)).toBe(false)
})
