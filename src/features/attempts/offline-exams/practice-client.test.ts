import { afterEach, expect, test, vi } from 'vitest'
import { OpenPractice } from './practice-client.ts'
import { startPractice } from './offline-exams.ts'
import type { OfflineExam } from './offline-exams.schema.ts'

afterEach(() => vi.unstubAllGlobals())

/** Stubs the browser's storage with these records. A read has what is there when it begins, and ends when the test lets it. */
function aDevice(records: { packs: object[]; results: object[] }) {
  const [window, document] = [new EventTarget(), new EventTarget()]
  const reads: (() => void)[] = []
  const transaction = (name: keyof typeof records) => {
    const all = [...records[name]]
    const store = { get: () => ({ result: all[0] }), getAll: () => ({ result: all }) }
    const begun = Object.assign(new EventTarget(), { objectStore: () => store })
    reads.push(() => begun.dispatchEvent(new Event('complete')))
    return begun
  }
  const database = Object.assign(new EventTarget(), { transaction })
  vi.stubGlobal('indexedDB', {
    databases: () => Promise.resolve([{ name: 'altocert-packs' }]),
    open() {
      const request = Object.assign(new EventTarget(), { result: database })
      queueMicrotask(() => request.dispatchEvent(new Event('success')))
      return request
    },
  })
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', Object.assign(document, { visibilityState: 'visible' }))
  return { records, reads, tellTab: () => window.dispatchEvent(new Event('pageshow')) }
}

test('what another tab checks and finishes at once is over in this one too, although it hears of both together', async () => {
  const offlineExam = { examSlug: 'exam', questions: [{ id: 'q' }] } as unknown as OfflineExam
  const shown = startPractice(offlineExam, 'practice', new Date(0))
  const checked = { ...shown, checkedAt: new Date(1).toISOString(), answers: { q: null }, checked: ['q'] }
  const stored = { offlineExam, clock: {} }
  const device = aDevice({ packs: [{ ...stored, practice: checked }], results: [] })
  const open = new OpenPractice(offlineExam, shown)
  const close = open.open()

  device.tellTab()
  await expect.poll(() => device.reads.length).toBe(1)
  const attempt = { id: 'practice', answers: {} }
  device.records.packs = [stored]
  device.records.results = [{ userId: 'user', examSlug: 'exam', attempt }]
  device.tellTab()
  await expect.poll(() => device.reads.length).toBe(2)
  await expect
    .poll(() => {
      device.reads.shift()?.()
      return open.state()
    })
    .toMatchObject({ attempt })
  close()
})
