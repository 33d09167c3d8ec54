import { afterEach, beforeEach, expect, vi } from 'vitest'

// An unexpected console.error fails the test.
beforeEach(() => {
  vi.spyOn(console, 'error')
})
afterEach(() => {
  const printed = vi.mocked(console.error).mock.calls
  vi.mocked(console.error).mockRestore()
  expect(printed).toEqual([])
})
