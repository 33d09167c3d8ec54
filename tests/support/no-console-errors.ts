import { afterEach, beforeEach, expect, vi } from 'vitest'

// An error that nobody looked at fails the test in which it was printed.
beforeEach(() => {
  vi.spyOn(console, 'error')
})
afterEach(() => {
  const printed = vi.mocked(console.error).mock.calls
  vi.mocked(console.error).mockRestore()
  expect(printed).toEqual([])
})
