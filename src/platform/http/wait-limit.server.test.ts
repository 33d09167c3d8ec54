import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WAIT_MS, WaitLimit } from './wait-limit.server.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Work that takes `ms`. */
const work = (ms: number) => () => new Promise<'done'>((resolve) => setTimeout(() => resolve('done'), ms))
const outcome = (waiting: Promise<string>) => waiting.catch((error: { code: string }) => error.code)

test('a request that waits longer than the limit fails, and one that waits less does not', async () => {
  const late = outcome(new WaitLimit().within(work(WAIT_MS + 1)))
  const timely = outcome(new WaitLimit().within(work(WAIT_MS - 1)))
  await vi.advanceTimersByTimeAsync(WAIT_MS + 1)
  expect([await late, await timely]).toEqual(['server.away', 'done'])
})

test('what a request has waited before counts, and with nothing left its work does not begin', async () => {
  const never = vi.fn<() => Promise<string>>(work(0))
  expect(await outcome(new WaitLimit(WAIT_MS).within(never))).toBe('server.away')
  expect(never).not.toHaveBeenCalled()
  const waiting = outcome(new WaitLimit(WAIT_MS - 10).within(work(11)))
  await vi.advanceTimersByTimeAsync(11)
  expect(await waiting).toBe('server.away')
})

test('a call that may take long has no limit, and the time until its caller has sent everything does not count', async () => {
  const long = new WaitLimit()
  const lifted = outcome(
    long.within(async () => {
      long.lift()
      await long.without(work(1000)())
      return work(10 * WAIT_MS)()
    }),
  )
  const slow = new WaitLimit()
  const sent = (after: number) =>
    slow.within(async () => {
      await slow.without(work(5 * WAIT_MS)())
      return work(after)()
    })
  const timely = outcome(sent(WAIT_MS - 1))
  await vi.advanceTimersByTimeAsync(11 * WAIT_MS)
  expect([await lifted, await timely]).toEqual(['done', 'done'])
})

test('a call to a third party ends at the limit when the database was lost since it began, though it is there again', async () => {
  const lostAt = performance.now() + 1_000
  const call = new WaitLimit(0, (began) => Promise.resolve(began > lostAt))
  call.endOnlyIfAway()
  const lost = outcome(call.within(work(10 * WAIT_MS)))
  await vi.advanceTimersByTimeAsync(WAIT_MS)
  expect(await lost).toBe('server.away')
})

test('a call to a third party goes on beyond the limit for as long as the database answers', async () => {
  let isUp = true
  const call = new WaitLimit(0, () => Promise.resolve(isUp))
  call.endOnlyIfAway()
  const slow = outcome(call.within(work(10 * WAIT_MS)))
  await vi.advanceTimersByTimeAsync(2 * WAIT_MS)
  isUp = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await slow).toBe('server.away')

  const lucky = new WaitLimit(0, () => Promise.resolve(true))
  lucky.endOnlyIfAway()
  const done = outcome(lucky.within(work(2 * WAIT_MS)))
  await vi.advanceTimersByTimeAsync(2 * WAIT_MS)
  expect(await done).toBe('done')
  expect(vi.getTimerCount()).toBe(1)
})
