import { describe, expect, test } from 'vitest'
import { selecting } from '../../../tests/support/answers.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { aNetworkTo } from '../../../tests/support/database-network.ts'
import { startApp, type Reply } from '../../../tests/support/start-app.ts'
import { findPgBouncer, startPgBouncer } from '../../../tests/support/start-pgbouncer.ts'
import { aDatabase } from '../../../tests/support/test-database.ts'
import { aStudent, giveAccess } from '../../../tests/support/users.ts'
import { AttemptView } from '../../features/attempts/attempts.schema.ts'

/** Every request has to end within this time. */
const LIMIT_MS = 10_000
/** And all be well again so long after the end of a fault. */
const WELL_MS = 30_000
const AT_ONCE = 8

/** A shop behind PgBouncer, with a network before and one after it, and a learner in the middle of a timed exam. */
async function aShop() {
  const database = await aDatabase()
  const behind = await aNetworkTo(database.url)
  const pooler = await startPgBouncer(behind.url)
  const before = await aNetworkTo(pooler.url)
  // What needs a session goes the way of the pooler's own connections.
  const app = await startApp({ LOG_LEVEL: 'silent', DATABASE_URL: before.url, DATABASE_DIRECT_URL: behind.url })
  const { db } = app.services.database
  const course = await aCourse(db)
  const exam = await anExam(db, course.id)
  const { id, browser } = await aStudent(app)
  await giveAccess(app, { id }, course.id)
  const attempt = AttemptView.parse((await browser.post('/api/attempts', { examSlug: exam.slug, mode: 'timed' })).body)
  const [question] = exam.questions
  let seq = 0
  const save = () =>
    browser.put(`/api/attempts/${attempt.id}/answers/${question!.id}`, {
      answer: selecting(question!.options[0]!.id),
      isFlagged: false,
      struck: [],
      seq: ++seq,
      writer: 'tab',
    })
  /** So many requests at once that most connections are in use. */
  const all = () =>
    Promise.all(
      Array.from({ length: AT_ONCE }, () => [save(), browser.get(`/api/attempts/${attempt.id}`)].map(timed)).flat(),
    )
  return { before, behind, pooler, all }
}

async function timed(pending: Promise<Reply>) {
  const startedAt = performance.now()
  const { status } = await pending
  return { status, ms: performance.now() - startedAt }
}

describe.skipIf(findPgBouncer() === null)('behind PgBouncer, when the network loses everything without a word', () => {
  test.each([
    ['before', 'for long'],
    ['before', 'for a moment'],
    ['behind', 'for long'],
    ['behind', 'for a moment'],
  ] as const)(
    '%s the pooler %s, requests end within ten seconds, and all is well thirty seconds after it works again',
    async (place, how) => {
      const shop = await aShop()
      const network = shop[place]
      const ended: number[] = []
      const isWell = async () => {
        const replies = await shop.all()
        ended.push(...replies.map(({ ms }) => ms))
        expect(replies.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
        return replies.every(({ status }) => status === 200)
      }
      while (!(await isWell()));
      network.freeze()
      const isWellMeanwhile = how === 'for long' && ((await isWell()) || (await isWell()))
      expect(isWellMeanwhile).toBe(false)
      // Connections from before stay open and silent for ever.
      network.swallow()
      network.thaw()
      const workedAt = performance.now()
      for (let good = 0; good < 3;) good = (await isWell()) ? good + 1 : 0
      expect(performance.now() - workedAt).toBeLessThan(WELL_MS)
      expect(Math.max(...ended)).toBeLessThan(LIMIT_MS)
      await shop.pooler.stop()
    },
    120_000,
  )
})
