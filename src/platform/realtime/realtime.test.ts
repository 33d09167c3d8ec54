import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSeen, refreshDueAt, REFRESH_COOLDOWN_MS, REFRESH_LOCK_LARGE_MS, REFRESH_LOCK_MS } from './realtime.ts'

test('a change refreshes a page at once when the last refresh was long ago', () => {
  expect(refreshDueAt({ at: 1000, isCertain: true, refreshedAt: null, courses: 7 })).toBe(1000)
  expect(refreshDueAt({ at: 6000, isCertain: true, refreshedAt: 1000, courses: 7 })).toBe(6000)
})

test('right after a refresh a change waits for the lock, and a gap for the cooldown', () => {
  expect(refreshDueAt({ at: 1200, isCertain: true, refreshedAt: 1000, courses: 50 })).toBe(1000 + REFRESH_LOCK_MS)
  expect(refreshDueAt({ at: 1200, isCertain: true, refreshedAt: 1000, courses: 51 })).toBe(1000 + REFRESH_LOCK_LARGE_MS)
  expect(refreshDueAt({ at: 1200, isCertain: false, refreshedAt: 1000, courses: 50 })).toBe(1000 + REFRESH_COOLDOWN_MS)
})

test('only a plain number is read as the last change seen', () => {
  expect(readSeen('12')).toBe(12)
  for (const text of [null, undefined, '', '-1', '1.5', '1e9', ' 1', '9'.repeat(16), 'x'])
    expect(readSeen(text)).toBe(null)
  fc.assert(
    fc.property(
      fc.string(),
      (text) => readSeen(text) === null || String(readSeen(text)) === text.replace(/^0+(?=\d)/, ''),
    ),
  )
})
