import { expect, test } from 'vitest'
import { after, DAY_MS } from '../../lib/time.ts'
import {
  accessNewsOf,
  accessStatus,
  moveUp,
  nextPeriod,
  resumePeriods,
  returnedCourses,
  type AccessPeriod,
} from './access.ts'

const now = new Date('2026-11-21T12:00:00Z')
const period = (fromDays: number, toDays: number, revokedAt: Date | null = null): AccessPeriod => ({
  startsAt: after(now, fromDays * DAY_MS),
  endsAt: after(now, toDays * DAY_MS),
  revokedAt,
})

test('access runs from its first instant to just before its last', () => {
  expect(accessStatus([], now)).toEqual({ kind: 'none' })
  expect(accessStatus([period(0, 30)], now)).toEqual({ kind: 'running', until: after(now, 30 * DAY_MS) })
  expect(accessStatus([period(-30, 0)], now)).toEqual({ kind: 'ended', since: now })
})

test('a revoked period does not count', () => {
  expect(accessStatus([period(-1, 29, now)], now)).toEqual({ kind: 'none' })
})

test('a course whose every period was revoked is a returned one, not one that was never bought', () => {
  const earlier = after(now, -DAY_MS)
  const of = (courseId: string, revokedAt: Date | null) => ({ ...period(-2, 28, revokedAt), courseId })
  const periods = [of('refunded', earlier), of('refunded', now), of('bought again', earlier), of('bought again', null)]
  expect(returnedCourses(periods)).toEqual([{ courseId: 'refunded', endedAt: now.toISOString() }])
})

test('buying again while access runs adds 30 days at its end', () => {
  expect(nextPeriod([], now)).toEqual({ startsAt: now, endsAt: after(now, 30 * DAY_MS) })
  expect(nextPeriod([period(-20, 10)], now)).toEqual({
    startsAt: after(now, 10 * DAY_MS),
    endsAt: after(now, 40 * DAY_MS),
  })
  expect(nextPeriod([period(-40, -10)], now)).toEqual({ startsAt: now, endsAt: after(now, 30 * DAY_MS) })
})

const held = (id: string, fromDays: number, toDays: number, revokedAt: Date | null = null) => ({
  id,
  ...period(fromDays, toDays, revokedAt),
})

test('periods after a revoked one move up without losing a day', () => {
  expect(moveUp([held('a', -10, 20, now), held('b', 20, 50), held('c', 50, 80)], now)).toEqual([
    { id: 'b', startsAt: now, endsAt: after(now, 30 * DAY_MS) },
    { id: 'c', startsAt: after(now, 30 * DAY_MS), endsAt: after(now, 60 * DAY_MS) },
  ])
  expect(moveUp([held('a', -10, 20), held('b', 20, 50, now), held('c', 50, 80)], now)).toEqual([
    { id: 'c', startsAt: after(now, 20 * DAY_MS), endsAt: after(now, 50 * DAY_MS) },
  ])
  expect(moveUp([held('a', -10, 20), held('b', 20, 50)], now)).toEqual([])
})

test('a restored period has the days it had left, after current access', () => {
  const taken = { ...held('a', -20, 10), revokedAt: after(now, -5 * DAY_MS) }
  expect(resumePeriods(taken, [], now)).toEqual({ id: 'a', startsAt: now, endsAt: after(now, 15 * DAY_MS) })
  expect(resumePeriods(taken, [held('b', -1, 29)], now)).toEqual({
    id: 'a',
    startsAt: after(now, 29 * DAY_MS),
    endsAt: after(now, 44 * DAY_MS),
  })
  const over = { ...held('a', -40, -10), revokedAt: after(now, -5 * DAY_MS) }
  expect(resumePeriods(over, [], now)).toEqual({ id: 'a', startsAt: over.startsAt, endsAt: over.endsAt })
})

test('an email is due from three days before the end of access to a week after it', () => {
  const kindOf = (...periods: AccessPeriod[]) => accessNewsOf(periods, now)?.kind ?? null
  expect(kindOf()).toBeNull()
  expect(kindOf(period(-26, 4))).toBeNull()
  expect(kindOf(period(-27, 3))).toBe('ends-soon')
  expect(kindOf(period(-30, 0))).toBe('ended')
  expect(kindOf(period(-36.9, -6.9))).toBe('ended')
  expect(kindOf(period(-37, -7))).toBeNull()
})

test('consecutive periods are announced by their last end, and revoked ones never', () => {
  expect(accessNewsOf([period(-29, 1), period(1, 31)], now)).toBeNull()
  expect(accessNewsOf([period(-59, -29), period(-29, 1)], now)).toEqual({
    kind: 'ends-soon',
    endsAt: after(now, DAY_MS),
  })
  expect(accessNewsOf([period(-29, 1, now)], now)).toBeNull()
})
