// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from 'vitest'
import { selecting } from '../../../../tests/support/answers.ts'
import { useDeviceDatabases } from '../../../../tests/support/device-databases.ts'
import { sendLeftBehind } from './answer-queue-client.ts'
import { blank, openQueue, withChange } from './answer-queue.ts'
import { readQueues, storeQueue } from './stored-answers-client.ts'

test('what a page stores while another page sends the answers that it left behind stays on the device', async () => {
  useDeviceDatabases()
  const locks = { query: () => Promise.resolve({ held: [], pending: [] }) }
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'))
  const answered = (letter: string) => ({ ...blank, answer: selecting(letter) })
  const before = withChange(withChange(openQueue('tab', [], {}), 'q1', answered('a')), 'q2', answered('a'))
  storeQueue('attempt', before)
  const after = withChange(before, 'q2', answered('b'))
  vi.stubGlobal('fetch', () => {
    // The tab is reloaded meanwhile, and another answer is pressed in it.
    storeQueue('attempt', after)
    return Promise.resolve(Response.json({ seq: 1, writer: 'tab', clock: { remainingSeconds: null } }))
  })
  expect(await sendLeftBehind()).toBe(2)
  await expect.poll(() => readQueues('attempt')).toEqual([{ ...after, unsent: { q2: after.unsent['q2'] } }])
})
