// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from 'vitest'
import { DAY_MS } from '../../../lib/time.ts'
import { useDeviceDatabases } from '../../../../tests/support/device-databases.ts'
import {
  clearEverything,
  clearOthers,
  removeOfflineExam,
  renewOfflineExams,
  storeOfflineExam,
} from './offline-exams-client.ts'

const exam = () => {
  const [now, accessUntil] = [new Date(), new Date(Date.now() + 30 * DAY_MS)].map((at) => at.toISOString())
  return { examSlug: 'exam', userId: 'u', now, accessUntil, questions: [], caseStudies: [] }
}

/** A device, and a server that gives the exam when the test lets it. */
function aDevice() {
  const rows = useDeviceDatabases()
  const asked: ((reply: Response) => void)[] = []
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => asked.push(resolve)))
  onTestFinished(() => void vi.useRealTimers())
  const give = async () => {
    await expect.poll(() => asked.length).toBe(1)
    asked.pop()?.(Response.json(exam()))
  }
  return { exams: () => rows('altocert-packs', 'packs').length, asked, give }
}

test('an exam that arrives after a sign-out, in this tab or another, or after its removal, is not stored', async () => {
  const { exams, asked, give } = aDevice()
  await clearOthers('u')
  const keep = async (meanwhile: () => Promise<void>) => {
    const kept = storeOfflineExam('exam')
    await meanwhile()
    await give()
    await kept
    return exams()
  }
  expect(await keep(clearEverything)).toBe(0)
  expect(await keep(() => clearOthers('u'))).toBe(1)
  // Another tab has signed out: this one hears of it.
  expect(await keep(() => clearOthers(null))).toBe(0)

  await clearOthers('u')
  expect(await keep(() => Promise.resolve())).toBe(1)
  vi.useFakeTimers({ now: Date.now() + 2 * DAY_MS, toFake: ['Date'] })
  const renewing = renewOfflineExams()
  await expect.poll(() => asked.length).toBe(1)
  await removeOfflineExam('exam')
  await give()
  await renewing
  expect(exams()).toBe(0)
})
