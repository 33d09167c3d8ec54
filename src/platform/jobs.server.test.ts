import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/support/database.ts'
import { createJobs } from './jobs.server.ts'
import { createLog } from './log.server.ts'

const { pool } = await aDatabase()
const log = createLog('silent')

test('who stops waits for the work that is being done and for every question to the database, and asks no more', async () => {
  let open = 0
  let asked = 0
  const counted = new Proxy(pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name, target) as unknown
      return (...given: Parameters<typeof pool.query>) => {
        open += 1
        asked += 1
        const answer = target.query(...given) as unknown as Promise<unknown>
        return answer.finally(() => (open -= 1))
      }
    },
  })
  const jobs = await createJobs(counted, log)
  let begin = () => undefined as void
  let goOn = () => undefined as void
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const released = new Promise<void>((resolve) => (goOn = resolve))
  let isDone = false
  await jobs.work<{ word: string }>('say', {}, async ({ word }) => {
    expect(word).toBe('Hello')
    begin()
    await released
    isDone = true
  })
  await jobs.send('say', { word: 'Hello' })
  await begun
  const stopped = jobs.stop()
  goOn()
  await stopped
  expect(isDone).toBe(true)
  expect(open).toBe(0)
  expect(jobs.figures()[0]?.values).toContainEqual([{ outcome: 'done' }, 1])
  const then = asked
  // Whatever a timer of the library still wants is not asked of a pool that may be gone.
  void jobs.send('say', { word: 'Too late' }).catch(() => undefined)
  await setImmediate()
  expect(asked).toBe(then)
})
