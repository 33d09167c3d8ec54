// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { aBrowserWith } from '../../../../tests/support/browser-stubs.ts'
import { sendResults } from './offline-exams-client.ts'

const result = { userId: 'u', examSlug: 'exam', attempt: { id: 'a', answers: {} } }
/** What became of the result. The database stays open from one test to the next. */
const changes: unknown[] = []

/** A device with one result that waits, and a network that gives this reply. */
function aDevice(reply: () => Response) {
  changes.length = 0
  const store = {
    getAll: () => ({ result: [result] }),
    put: (changed: unknown) => ({ result: changes.push(changed) }),
    delete: (id: string) => ({ result: changes.push(id) }),
  }
  const transaction = () => {
    const begun = Object.assign(new EventTarget(), { objectStore: () => store })
    queueMicrotask(() => begun.dispatchEvent(new Event('complete')))
    return begun
  }
  const indexedDB = {
    databases: () => Promise.resolve([{ name: 'altocert-packs' }]),
    open() {
      const request = Object.assign(new EventTarget(), { result: Object.assign(new EventTarget(), { transaction }) })
      queueMicrotask(() => request.dispatchEvent(new Event('success')))
      return request
    },
  }
  aBrowserWith({ indexedDB, fetch: () => Promise.resolve(reply()) })
}

test('a result waits while a proxy or a captive portal answers in place of the shop', async () => {
  for (const status of [403, 404, 413]) {
    aDevice(() => new Response('<h1>Please sign in to this network</h1>', { status }))
    expect([await sendResults('u'), changes]).toEqual(['no server', []])
  }
})

test('a result that the shop refuses stays on the device with the reason', async () => {
  const error = { code: 'attempt.not-found', kind: 'other', message: 'There is no such exam.' }
  aDevice(() => Response.json({ error }, { status: 404 }))
  expect([await sendResults('u'), changes]).toEqual(['done', [{ ...result, refused: error.message }]])
})
