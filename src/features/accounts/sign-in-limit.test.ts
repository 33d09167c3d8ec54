import { expect, test } from 'vitest'
import { isWithinRate } from './sign-in-limit.ts'

test('the browser allows five attempts in five minutes', () => {
  const attempts = [0, 1, 2, 3, 4]
  expect(isWithinRate(attempts.slice(1), 10)).toBe(true)
  expect(isWithinRate(attempts, 10)).toBe(false)
  expect(isWithinRate(attempts, 300_000)).toBe(true)
})
