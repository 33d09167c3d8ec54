import { expect, test } from 'vitest'
import { aClock } from '../../tests/support/start-app.ts'
import { aDatabase } from '../../tests/support/test-database.ts'
import { checkClock } from './clock-check.server.ts'
import { createJobs } from './jobs.server.ts'
import { createLog } from './log.server.ts'

const log = createLog('silent')
const { pool } = await aDatabase()

test("a clock that is wrong by more than 30 seconds follows the database's until it is right again", async () => {
  const own = aClock()
  const clock = await checkClock(own, pool, log)
  expect(clock.isRight()).toBe(true)
  own.forward(29_000)
  await clock.check()
  expect(clock.isRight()).toBe(true)
  expect(clock.now().getTime() - Date.now()).toBeGreaterThan(28_000)

  own.forward(60_000)
  await clock.check()
  expect(clock.isRight()).toBe(false)
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(5_000)

  own.forward(-3_600_000)
  await clock.check()
  expect(clock.isRight()).toBe(false)
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(5_000)

  own.forward(3_600_000 - 89_000)
  await clock.check()
  expect(clock.isRight()).toBe(true)
  clock.stop()
})

test('a clock that is set between two checks is not believed, and the database is asked within a second', async () => {
  const own = aClock()
  const clock = await checkClock(own, pool, log)
  for (const setByMs of [7_200_000, -7_200_000]) {
    own.forward(setByMs)
    expect(clock.isRight()).toBe(false)
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(5_000)
    await clock.check()
    expect(clock.isRight()).toBe(false)

    own.forward(-setByMs)
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(5_000)
    // Long before the minute is over.
    await expect.poll(() => clock.isRight(), { timeout: 20_000 }).toBe(true)
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(5_000)
  }
  clock.stop()
})

test('no regular job runs while the clock is wrong', async () => {
  const own = aClock()
  const clock = await checkClock(own, pool, log)
  const jobs = await createJobs(pool, log, { isClockRight: () => clock.isRight() })
  let rounds = 0
  own.forward(3_600_000)
  await clock.check()
  jobs.every('count', 0.01, async () => void (rounds += 1))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(rounds).toBe(0)
  own.forward(-3_600_000)
  await clock.check()
  await expect.poll(() => rounds).toBeGreaterThan(0)
  clock.stop()
  await jobs.stop()
})
