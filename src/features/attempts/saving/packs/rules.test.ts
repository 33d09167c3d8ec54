import { expect, test } from 'vitest'
import { packTime } from './rules.ts'

const clock = { serverMs: 1_000_000, deviceMs: 500, seenMs: 1_000_000 }

test('a pack counts from the server’s time, whatever the device’s clock says', () => {
  expect(packTime(clock, 500)).toBe(1_000_000)
  expect(packTime(clock, 60_500)).toBe(1_060_000)
})

test('a clock that is set back gains nothing', () => {
  expect(packTime(clock, -1_000_000)).toBe(1_000_000)
  expect(packTime({ ...clock, seenMs: 1_060_000 }, 500)).toBe(1_060_000)
})
