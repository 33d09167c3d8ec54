import type pg from 'pg'
import { MINUTE_MS } from '../lib/time.ts'
import type { Clock } from './clock.server.ts'
import type { Log } from './log.server.ts'

/** How far the clock of a process may be from the database's. */
const TOLERATED_MS = 30_000
const CHECK_EACH_MS = MINUTE_MS
/** How often we look whether the clock has been set meanwhile. */
const LOOK_EACH_MS = 1_000
/** A slower answer does not say what time it is. */
const ANSWER_MS = 5_000

/** The clock of this machine, compared with the database's once a minute. */
export type CheckedClock = Clock & {
  /** False while the two differ by more than 30 seconds. `now` then follows the database's clock, which all processes share. */
  isRight(): boolean
}

/**
 * Checks at once, and then each minute, and within a second after the clock has been set: until then time goes on as the machine's
 * steady clock does, which cannot be set. A check that fails changes nothing.
 */
export async function checkClock(
  own: Clock,
  pool: pg.Pool,
  log: Log,
): Promise<CheckedClock & { check(): Promise<void>; stop(): void }> {
  /** What the database's clock is ahead, in ms; 0 while that can be tolerated. */
  let aheadMs = 0
  /** Both clocks of this machine at the last check. */
  let last = { ownMs: own.now().getTime(), steadyMs: performance.now() }

  /** How far the clock has been set since the last check, in ms; 0 while that can be tolerated. */
  function setByMs(ownMs: number): number {
    const byMs = ownMs - last.ownMs - (performance.now() - last.steadyMs)
    return Math.abs(byMs) > TOLERATED_MS ? byMs : 0
  }
  const isSet = () => setByMs(own.now().getTime()) !== 0

  async function check() {
    const startedAt = performance.now()
    const before = own.now().getTime()
    const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
    const tookMs = performance.now() - startedAt
    if (tookMs > ANSWER_MS) return
    last = { ownMs: before, steadyMs: startedAt }
    // The database read its clock about in the middle.
    const foundMs = rows[0]!.now.getTime() - (before + tookMs / 2)
    const isRight = Math.abs(foundMs) <= TOLERATED_MS
    if (isRight !== (aheadMs === 0)) {
      const seconds = Math.round(Math.abs(foundMs) / 1000)
      if (isRight) log.info({}, "the clock of this machine is as the database's again")
      else log.error({ seconds }, "the clock of this machine is not as the database's; its regular jobs rest")
    }
    aheadMs = isRight ? 0 : foundMs
  }

  let underWay: Promise<void> | null = null
  const checkOrNot = () =>
    (underWay ??= check()
      .catch((error: unknown) => log.warn({ err: error }, 'the clock could not be checked'))
      .finally(() => (underWay = null)))
  await checkOrNot()
  const timers = [
    setInterval(() => void checkOrNot(), CHECK_EACH_MS),
    setInterval(() => isSet() && void checkOrNot(), LOOK_EACH_MS),
  ]
  return {
    now() {
      const ownMs = own.now().getTime()
      return new Date(ownMs - setByMs(ownMs) + aheadMs)
    },
    isRight: () => aheadMs === 0 && !isSet(),
    check,
    stop: () => timers.forEach(clearInterval),
  }
}
