import { afterEach, expect, test, vi } from 'vitest'
import { deviceDatabase } from './device-database-client.ts'

afterEach(() => vi.unstubAllGlobals())

type OpenRequest = EventTarget & { result: EventTarget; error: Error | null }

/** Stubs IndexedDB: each attempt to open a database has the next of these outcomes. */
function aBrowser(...outcomes: ('opens' | 'fails' | 'throws')[]) {
  const closed: unknown[] = []
  vi.stubGlobal('indexedDB', {
    open() {
      const outcome = outcomes.shift()
      if (outcome === 'throws') throw new DOMException('The operation is insecure.', 'SecurityError')
      const error = outcome === 'fails' ? new Error('disk full') : null
      const result = Object.assign(new EventTarget(), { close: () => closed.push(result) })
      const request: OpenRequest = Object.assign(new EventTarget(), { result, error })
      queueMicrotask(() => request.dispatchEvent(new Event(outcome === 'fails' ? 'error' : 'success')))
      return request
    },
  })
  return { left: outcomes, closed }
}

test('after a failure to open the database, the next call tries again', async () => {
  const { left } = aBrowser('throws', 'fails', 'opens')
  const open = deviceDatabase('a', ['b'])
  await expect(open()).rejects.toThrow('insecure')
  await expect(open()).rejects.toThrow('disk full')
  const database = await open()
  expect(await open()).toBe(database)
  expect(left).toEqual([])
})

test('a database that the browser closed is opened again', async () => {
  aBrowser('opens', 'opens')
  const open = deviceDatabase('a', ['b'])
  const first = await open()
  first.dispatchEvent(new Event('close'))
  expect(await open()).not.toBe(first)
})

test('a database that is deleted, here or in another tab, is let go and made anew by the next call', async () => {
  const { closed } = aBrowser('opens', 'opens')
  const open = deviceDatabase('a', ['b'])
  const first = await open()
  first.dispatchEvent(new Event('versionchange'))
  expect(closed).toEqual([first])
  expect(await open()).not.toBe(first)
})
