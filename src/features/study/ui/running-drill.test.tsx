// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, onTestFinished, test, vi } from 'vitest'
import { copy } from '../study.copy.ts'
import type { DrillView } from '../study.schema.ts'
import { RunningDrill } from './running-drill.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

test('a learner who has left a drill that they ended stays where they are, and the page there is loaded again', async () => {
  let end: (reply: Response) => void = () => {}
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (end = resolve)))
  onTestFinished(() => void vi.unstubAllGlobals())
  const drill = { id: 'd', courseSlug: 'c', courseTitle: 'C', questions: [], caseStudies: [] } as unknown as DrillView
  const [onFinished, loader] = [vi.fn<() => void>(), vi.fn<() => null>(() => null)]
  const slots = { renderExplanation: () => null, onFinished }
  const Running = () => <RunningDrill drill={drill} at={null} posted={undefined} {...slots} />
  const router = createMemoryRouter(
    [
      { path: '/drill', Component: Running },
      { path: '/left', loader, element: 'Left' },
    ],
    { initialEntries: ['/drill'] },
  )
  const place = document.body.appendChild(document.createElement('div'))
  const page = createRoot(place)
  await act(async () => page.render(<RouterProvider router={router} />))
  onTestFinished(() => act(() => page.unmount()))
  const button = [...place.querySelectorAll('button')].find(({ textContent }) => textContent === copy['drill.end'])
  await act(async () => button?.click())
  await act(() => router.navigate('/left'))
  await act(async () => end(Response.json({})))
  await expect.poll(() => loader.mock.calls.length).toBe(2)
  expect(onFinished).not.toHaveBeenCalled()
})
