// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { whenSeen } from './when-seen.tsx'

test('a part whose code cannot be loaded leaves the page as it is, and is loaded when it is seen again', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  let announceSeen = () => {}
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(report: (entries: { isIntersecting: boolean }[]) => void) {
        announceSeen = () => report([{ isIntersecting: true }])
      }
      observe() {}
      disconnect() {}
    },
  )
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const load = vi
    .fn<() => Promise<{ default: () => string }>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockResolvedValue({ default: () => 'the part' })
  const Part = whenSeen(load)
  const page = document.createElement('main')
  const root = createRoot(page)
  await act(async () => root.render(<Part fallback="waiting" />))
  expect([page.textContent, load.mock.calls.length]).toEqual(['waiting', 0])
  await act(async () => announceSeen())
  expect([page.textContent, warn.mock.calls.length]).toEqual(['waiting', 1])
  await act(async () => announceSeen())
  expect(page.textContent).toBe('the part')
  await act(async () => root.unmount())
})
