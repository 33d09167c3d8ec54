import { afterEach, expect, test, vi } from 'vitest'
import { deviceDatabase } from './device-database-client.ts'

afterEach(() => vi.unstubAllGlobals())

type OpenRequest = EventTarget & { result: EventTarget; error: Error | null }

/** Stubs IndexedDB: each attempt to open a database has the next of these outcomes. */
function aBrowser(...outcomes: ('opens' | 'fails' | 'throws')[]) {
  vi.stubGlobal('indexedDB', {
    open() {
      const outcome = outcomes.shift()
      if (outcome === 'throws') throw new DOMException('The operation is insecure.', 'SecurityError')
      const error = outcome === 'fails' ? new Error('disk full') : null
      const request: OpenRequest = Object.assign(new EventTarget(), { result: new EventTarget(), error })
      queueMicrotask(() => request.dispatchEvent(new Event(outcome === 'fails' ? 'error' : 'success')))
      return request
    },
  })
  return outcomes
}

test('after a failure to open the database, the next call tries again', async () => {
  const left = aBrowser('throws', 'fails', 'opens')
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
