// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { aBrowserWith } from '../../../tests/support/browser-stubs.ts'
import { endSession, sendAndFindLosses } from './sign-out-client.ts'

/** A browser that opens no database, as with a full disk, and a server that ends each session. */
function aBrowserWithoutDatabases() {
  const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(Response.json({})))
  const deleted: string[] = []
  const caches = {
    keys: () => Promise.resolve(['pages-guest-1', 'pages-own-1']),
    delete: (name: string) => Promise.resolve(deleted.push(name)),
  }
  const indexedDB = {
    databases: () => Promise.reject(new DOMException('Internal error.', 'UnknownError')),
    open() {
      throw new DOMException('Internal error.', 'UnknownError')
    },
  }
  aBrowserWith({ indexedDB, fetch, caches }, { serviceWorker: { getRegistration: () => Promise.resolve(undefined) } })
  Object.assign(window, { caches })
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
