// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from 'vitest'
import { endSession, sendAndFindLosses } from './sign-out-client.ts'

/** A browser that opens no database, as with a full disk, and a server that ends each session. */
function aBrowserWithoutDatabases() {
  vi.stubGlobal('indexedDB', {
    databases: () => Promise.reject(new DOMException('Internal error.', 'UnknownError')),
    open() {
      throw new DOMException('Internal error.', 'UnknownError')
    },
  })
  const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(Response.json({})))
  vi.stubGlobal('fetch', fetch)
  const deleted: string[] = []
  const caches = {
    keys: () => Promise.resolve(['pages-guest-1', 'pages-own-1']),
    delete: (name: string) => Promise.resolve(deleted.push(name)),
  }
  vi.stubGlobal('caches', caches)
  Object.assign(window, { caches })
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistration: () => Promise.resolve(undefined) },
  })
  const locks = { request: (_name: string, run: () => unknown) => run() }
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
  vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    for (const name of ['serviceWorker', 'locks']) Reflect.deleteProperty(navigator, name)
  })
  return { fetch, deleted }
}

test('signing out works without a database on the device, and deletes the pages stored for the user', async () => {
  const { fetch, deleted } = aBrowserWithoutDatabases()
  await endSession()
  expect(fetch.mock.calls.map(([path]) => path)).toEqual(['/api/auth/sign-out'])
  expect(deleted).toEqual(['pages-own-1'])
})

test('an admin whose browser opens no database has no unsent changes to lose', async () => {
  aBrowserWithoutDatabases()
  expect(await sendAndFindLosses({ id: 'ada', role: 'admin' })).toBeNull()
})
