// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, onTestFinished, test, vi } from 'vitest'
import FrameEffects from './frame-effects.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

/** A device that notes what its service worker is told, and when somebody looks for offline exams. */
function aDevice() {
  const messages: unknown[] = []
  const databases = vi.fn<() => Promise<object[]>>(() => Promise.resolve([]))
  vi.stubGlobal('indexedDB', { databases })
  const active = { postMessage: (message: unknown) => messages.push(message) }
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve({ active }) },
  })
  Object.assign(window, { requestIdleCallback: (run: () => void) => queueMicrotask(run) })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'serviceWorker')
    Reflect.deleteProperty(window, 'requestIdleCallback')
  })
  return { messages, databases }
}

async function render(root: object | undefined) {
  const router = createMemoryRouter(
    [{ id: 'root', path: '/', Component: FrameEffects, loader: () => null, HydrateFallback: () => null }],
    { hydrationData: { loaderData: { root } } },
  )
  const page = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () => page.render(<RouterProvider router={router} />))
  onTestFinished(() => act(() => page.unmount()))
}

test('a page that came without its user deletes nothing that a user stored on the device', async () => {
  const { messages, databases } = aDevice()
  await render(undefined)
  expect([messages, databases.mock.calls]).toEqual([[], []])
  await render({ site: {}, user: null, wasDenied: false, changesSeen: 0, build: '' })
  await expect.poll(() => databases.mock.calls.length).toBe(1)
  await vi.dynamicImportSettled()
  expect(messages).toEqual([{ kind: 'seen', path: '/', user: null }])
})
