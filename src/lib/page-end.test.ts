import { expect, test } from 'vitest'
import { isPageOver, PAGE_END_HEADER } from './page-end.ts'

test('a stored page is over at its end, and one without an end never is', () => {
  const end = '2026-01-30T00:00:00.000Z'
  const isOver = (value: string, now: string) => isPageOver(new Headers({ [PAGE_END_HEADER]: value }), Date.parse(now))
  expect(isOver(end, '2026-01-29T23:59:59.999Z')).toBe(false)
  expect(isOver(end, end)).toBe(true)
  expect(isOver('someday', end)).toBe(true)
  expect(isPageOver(new Headers(), Date.parse(end))).toBe(false)
})
