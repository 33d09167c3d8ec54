import { after, DAY_MS } from '../../lib/time.ts'
import type { OwnedCourse } from './access.schema.ts'

/** Spec 9: access to a course after purchase. */
export const ACCESS_DAYS = 30

export type AccessPeriod = { readonly startsAt: Date; readonly endsAt: Date; readonly revokedAt: Date | null }

export type AccessStatus =
  | { readonly kind: 'running'; readonly until: Date }
  | { readonly kind: 'ended'; readonly since: Date }
  | { readonly kind: 'none' }

/** Whether a person may study a course now, and until when. A period that was taken back counts for nothing. */
export function accessStatus(periods: readonly AccessPeriod[], now: Date): AccessStatus {
  const held = periods.filter((period) => period.revokedAt === null)
  const last = held.reduce<Date | null>(
    (latest, { endsAt }) => (latest === null || endsAt > latest ? endsAt : latest),
    null,
  )
  if (last === null) return { kind: 'none' }
  const isRunning = held.some((period) => period.startsAt <= now && now < period.endsAt)
  return isRunning ? { kind: 'running', until: last } : { kind: 'ended', since: last }
}

/** A period with the course that it is of. */
export type CoursePeriod = AccessPeriod & { readonly courseId: string }

/** Every course that somebody has or had at this moment, the one that ends last first. */
export function ownedCourses(periods: readonly CoursePeriod[], now: Date): OwnedCourse[] {
  const courseIds = [...new Set(periods.map(({ courseId }) => courseId))]
  return courseIds
    .flatMap((courseId): OwnedCourse[] => {
      const status = accessStatus(
        periods.filter((period) => period.courseId === courseId),
        now,
      )
      if (status.kind === 'running') return [{ courseId, status: 'running', until: status.until.toISOString() }]
      return status.kind === 'ended' ? [{ courseId, status: 'ended', until: status.since.toISOString() }] : []
    })
    .sort((a, b) => b.until.localeCompare(a.until))
}

/** The next 30 days: from now, or from the end of what still runs. Buying again never shortens anything. */
export function nextPeriod(
  periods: readonly AccessPeriod[],
  now: Date,
  days = ACCESS_DAYS,
): { readonly startsAt: Date; readonly endsAt: Date } {
  const status = accessStatus(periods, now)
  const startsAt = status.kind === 'running' ? status.until : now
  return { startsAt, endsAt: after(startsAt, days * DAY_MS) }
}

/** The most days that an admin gives at once. */
export const GIVEN_DAYS_MAX = 3650

export type StoredPeriod = AccessPeriod & { readonly id: string }
export type MovedPeriod = { readonly id: string; readonly startsAt: Date; readonly endsAt: Date }

/** When a period was taken back, those that wait behind it move up: nothing that was paid for waits behind a gap. */
export function moveUp(periods: readonly StoredPeriod[], now: Date): MovedPeriod[] {
  const held = periods.filter((period) => period.revokedAt === null)
  const begun = held.filter((period) => period.startsAt <= now)
  let free = begun.reduce((latest, { endsAt }) => (endsAt > latest ? endsAt : latest), now)
  const moved: MovedPeriod[] = []
  const waiting = held.filter((period) => period.startsAt > now)
  for (const { id, startsAt, endsAt } of waiting.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime())) {
    const next = { id, startsAt: free, endsAt: after(free, endsAt.getTime() - startsAt.getTime()) }
    if (free < startsAt) moved.push(next)
    free = free < startsAt ? next.endsAt : endsAt
  }
  return moved
}

/** A period that is given back has the days left that it had when it was taken: after what runs, or from now. */
export function resumePeriods(
  period: StoredPeriod & { readonly revokedAt: Date },
  others: readonly StoredPeriod[],
  now: Date,
): MovedPeriod {
  const { id, startsAt, endsAt, revokedAt } = period
  const leftMs = endsAt.getTime() - Math.max(startsAt.getTime(), revokedAt.getTime())
  if (leftMs <= 0) return { id, startsAt, endsAt }
  const status = accessStatus(others, now)
  const begin = status.kind === 'running' ? status.until : now
  return { id, startsAt: begin, endsAt: after(begin, leftMs) }
}

/** Spec 9 and issue 5: how long before access ends its holder hears of it. */
export const ENDS_SOON_DAYS = 3
/** What ended longer ago is no news: a shop that stood still does not write about it. */
export const ENDED_NEWS_DAYS = 7

export type AccessNews = { readonly kind: 'ends-soon' | 'ended'; readonly endsAt: Date }

/** What its holder should be told of access now, if they have not been. Periods behind each other count by the last end. */
export function accessNewsOf(periods: readonly AccessPeriod[], now: Date): AccessNews | null {
  const status = accessStatus(periods, now)
  if (status.kind === 'running' && status.until <= after(now, ENDS_SOON_DAYS * DAY_MS))
    return { kind: 'ends-soon', endsAt: status.until }
  if (status.kind === 'ended' && status.since <= now && now < after(status.since, ENDED_NEWS_DAYS * DAY_MS))
    return { kind: 'ended', endsAt: status.since }
  return null
}
