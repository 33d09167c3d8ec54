import { afterEach, expect, test, vi } from 'vitest'
import { deviceDatabase } from './device-database-client.ts'

afterEach(() => vi.unstubAllGlobals())

type Asked = EventTarget & { result: EventTarget; error: Error | null }

/** A browser that lets a database be opened, refuses it, or blocks it, in this order. */
function aBrowser(...fates: ('opens' | 'fails' | 'throws')[]) {
  vi.stubGlobal('indexedDB', {
    open() {
      const fate = fates.shift()
      if (fate === 'throws') throw new DOMException('The operation is insecure.', 'SecurityError')
      const error = fate === 'fails' ? new Error('no room') : null
      const asked: Asked = Object.assign(new EventTarget(), { result: new EventTarget(), error })
      queueMicrotask(() => asked.dispatchEvent(new Event(fate === 'fails' ? 'error' : 'success')))
      return asked
    },
  })
  return fates
}

test('a database that could not be opened is tried again by whoever needs it next', async () => {
  const left = aBrowser('throws', 'fails', 'opens')
  const open = deviceDatabase('a', ['b'])
  await expect(open()).rejects.toThrow('insecure')
  await expect(open()).rejects.toThrow('no room')
  const database = await open()
  expect(await open()).toBe(database)
  expect(left).toEqual([])
})

test('a database that the browser closed is opened anew', async () => {
  aBrowser('opens', 'opens')
  const open = deviceDatabase('a', ['b'])
  const first = await open()
  first.dispatchEvent(new Event('close'))
  expect(await open()).not.toBe(first)
})
