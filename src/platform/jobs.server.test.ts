import { setImmediate } from 'node:timers/promises'
import { expect, inject, test, vi } from 'vitest'
import { aDatabase } from '../../tests/support/test-database.ts'
import { openDatabase } from '../db/open.server.ts'
import { createJobs } from './jobs.server.ts'
import { createLog } from './log.server.ts'

const { pool, url } = await aDatabase()
const log = createLog('silent')

test('stop waits for the job under way and for every query, and sends no query afterwards', async () => {
  let open = 0
  let queries = 0
  const counted = new Proxy(pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name, target) as unknown
      return (...args: Parameters<typeof pool.query>) => {
        open += 1
        queries += 1
        const result = target.query(...args) as unknown as Promise<unknown>
        return result.finally(() => (open -= 1))
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
  const before = queries
  // The library's timers may still send queries; none may reach a pool that may be gone.
  void jobs.send('say', { word: 'Too late' }).catch(() => undefined)
  await setImmediate()
  expect(queries).toBe(before)
})

test('a job that ends while the database is down is stored as completed once it is up, and does not run again', async () => {
  const root = openDatabase(inject('databaseServer'), { connections: 1 })
  const name = new URL(url).pathname.slice(1)
  const isOpen = async (is: boolean) => root.pool.query(`alter database ${name} allow_connections ${is}`)
  const noted = vi.fn<(detail: unknown, message: string) => void>()
  const jobs = await createJobs(pool, Object.assign(createLog('silent'), { warn: noted }))
  let times = 0
  await jobs.work('end', {}, async () => {
    times += 1
    await isOpen(false)
    // Not an autovacuum worker, which only a superuser may end.
    await root.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
      [name],
    )
  })
  await jobs.send('end', {})
  await vi.waitFor(
    () => expect(noted).toHaveBeenCalledWith(expect.anything(), 'the result of a job could not be stored'),
    {
      timeout: 60_000,
    },
  )
  await isOpen(true)
  const state = async () => (await pool.query("select state::text from jobs.job where name = 'end'")).rows
  await vi.waitFor(async () => expect(await state()).toEqual([{ state: 'completed' }]), { timeout: 60_000 })
  expect(times).toBe(1)
  await jobs.stop()
  await root.close()
})

test('several processes can create the same queue at once', async () => {
  const all = [await createJobs(pool, log), await createJobs(pool, log), await createJobs(pool, log)]
  for (const name of ['one', 'two', 'three', 'four'])
    await Promise.all(all.map((jobs) => jobs.work(name, {}, () => Promise.resolve())))
  const { rows } = await pool.query("select name from jobs.queue where name in ('one', 'two', 'three', 'four')")
  expect(rows).toHaveLength(4)
  await Promise.all(all.map((jobs) => jobs.stop()))
})

const makeOld = (name: string) =>
  pool.query("update jobs.job set started_on = now() - interval '1 minute' where name = $1 and state = 'active'", [
    name,
  ])

test('a job whose process died is run by another one within seconds', async () => {
  const lost = openDatabase(url, { connections: 3 })
  const dying = await createJobs(lost.pool, log)
  const begun = vi.fn<() => void>()
  let end = () => undefined as void
  await dying.work('orphan', { retryLimit: 2 }, async () => {
    begun()
    await new Promise<void>((resolve) => (end = resolve))
  })
  await dying.send('orphan', {})
  await vi.waitFor(() => expect(begun).toHaveBeenCalled(), { timeout: 60_000 })
  // From now on it can no longer say that it is alive, as a killed process cannot.
  await lost.pool.end()
  await makeOld('orphan')
  const jobs = await createJobs(pool, log)
  const taken = vi.fn<() => Promise<void>>(() => Promise.resolve())
  await jobs.work('orphan', { retryLimit: 2 }, taken)
  await vi.waitFor(() => expect(taken).toHaveBeenCalledOnce(), { timeout: 60_000 })
  end()
  await Promise.all([dying.stop(), jobs.stop()])
})

test('a job that takes long is said to be under way, so that no other process takes it over', async () => {
  const jobs = await createJobs(pool, log)
  const begun = vi.fn<() => void>()
  let end = () => undefined as void
  await jobs.work('long', { retryLimit: 2 }, async () => {
    begun()
    await new Promise<void>((resolve) => (end = resolve))
  })
  await jobs.send('long', {})
  await vi.waitFor(() => expect(begun).toHaveBeenCalled(), { timeout: 60_000 })
  await makeOld('long')
  const isHeard = async () => {
    const { rows } = await pool.query(
      "select started_on > now() - interval '10 seconds' as is_heard from jobs.job where name = 'long' and state = 'active'",
    )
    return rows
  }
  await vi.waitFor(async () => expect(await isHeard()).toEqual([{ is_heard: true }]), { timeout: 60_000 })
  end()
  await jobs.stop()
})
