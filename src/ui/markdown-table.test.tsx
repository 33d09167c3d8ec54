// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Markdown } from './markdown-text.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

/** Shows a table whose content is as wide as given; the environment itself has no layout. */
async function aTable(contentWidth: number, as: 'flow' | 'phrasing') {
  const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300)
  const scrollWidth = vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(contentWidth)
  const observers: (() => void)[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(report: () => void) {
        observers.push(report)
      }
      observe() {}
      disconnect() {}
    },
  )
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  onTestFinished(async () => {
    await act(async () => root.unmount())
    place.remove()
    width.mockRestore()
    scrollWidth.mockRestore()
    vi.unstubAllGlobals()
  })
  await act(async () => root.render(<Markdown text={'| Store | Cost |\n| --- | --- |\n| S3 | 9 |'} as={as} />))
  await act(async () => observers.forEach((report) => report()))
  return place
}

test.each(['flow', 'phrasing'] as const)(
  '%s: a table wider than the page is a named region for the keyboard',
  async (as) => {
    const region = (await aTable(301, as)).querySelector('[role=region]')
    expect(region?.getAttribute('tabindex')).toBe('0')
    const head = document.getElementById(region?.getAttribute('aria-labelledby') ?? '')
    expect(head?.textContent).toBe('StoreCost')
  },
)

test('a table that fits is no stop for the keyboard', async () => {
  const place = await aTable(300, 'flow')
  expect(place.querySelector('table')).not.toBeNull()
  expect(place.querySelector('[tabindex], [role=region]')).toBeNull()
})
