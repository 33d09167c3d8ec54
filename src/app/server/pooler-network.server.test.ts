import { describe, expect, test } from 'vitest'
import { aNetworkTo } from '../../../tests/support/database-network.ts'
import { aLearnerInAnExam, REQUEST_LIMIT_MS, timed, WELL_MS } from '../../../tests/support/learner-in-exam.ts'
import { startApp } from '../../../tests/support/start-app.ts'
import { findPgBouncer, startPgBouncer } from '../../../tests/support/start-pgbouncer.ts'
import { aDatabase } from '../../../tests/support/test-database.ts'

const AT_ONCE = 8

/** A shop behind PgBouncer, with a network before and one after it, and a learner in the middle of a timed exam. */
async function aShop() {
  const database = await aDatabase()
  const behind = await aNetworkTo(database.url)
  const pooler = await startPgBouncer(behind.url)
  const before = await aNetworkTo(pooler.url)
  // What needs a session goes the way of the pooler's own connections.
  const app = await startApp({ LOG_LEVEL: 'silent', DATABASE_URL: before.url, DATABASE_DIRECT_URL: behind.url })
  const { save, open } = await aLearnerInAnExam(app)
  /** So many requests at once that most connections are in use. */
  const all = () => Promise.all(Array.from({ length: AT_ONCE }, () => [save(), open()].map(timed)).flat())
  return { before, behind, pooler, all }
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
      expect(Math.max(...ended)).toBeLessThan(REQUEST_LIMIT_MS)
      await shop.pooler.stop()
    },
    120_000,
  )
})
