import { after, DAY_MS } from '../../lib/time.ts'
import type { OwnedCourse } from './access.schema.ts'

/** Days of access to a course after a purchase. */
export const ACCESS_DAYS = 30

export type AccessPeriod = { readonly startsAt: Date; readonly endsAt: Date; readonly revokedAt: Date | null }

export type AccessStatus =
  | { readonly kind: 'running'; readonly until: Date }
  | { readonly kind: 'ended'; readonly since: Date }
  | { readonly kind: 'none' }

/** Whether a user may study a course now, and until when. Revoked periods do not count. */
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

/** A period with its course. */
export type CoursePeriod = AccessPeriod & { readonly courseId: string }

/** Every course that a user has or had, the one that ends last first. */
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

/** The courses whose every period was revoked, by a refund, a dispute or an admin, the latest first. */
export function returnedCourses(
  periods: readonly CoursePeriod[],
): { readonly courseId: string; readonly endedAt: string }[] {
  const held = new Set(periods.filter(({ revokedAt }) => revokedAt === null).map(({ courseId }) => courseId))
  const ends = new Map<string, string>()
  for (const { courseId, revokedAt } of periods) {
    const endedAt = revokedAt?.toISOString() ?? ''
    if (!held.has(courseId) && endedAt > (ends.get(courseId) ?? '')) ends.set(courseId, endedAt)
  }
  return [...ends]
    .map(([courseId, endedAt]) => ({ courseId, endedAt }))
    .sort((a, b) => b.endedAt.localeCompare(a.endedAt))
}

/** The period of a new grant: from now, or from the end of the current access. Buying again never shortens access. */
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

/** Moves later periods up after one was revoked, so that no paid period waits behind a gap. */
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

/** The new dates of a restored period: the days it had left when it was revoked, after the current access or from now. */
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

/** How many days before the end of access its holder gets an email. */
export const ENDS_SOON_DAYS = 3
/** No email is sent about access that ended longer ago, for example after the shop was down. */
export const ENDED_NEWS_DAYS = 7

export type AccessNews = { readonly kind: 'ends-soon' | 'ended'; readonly endsAt: Date }

/** The email that is due about these periods; null for none. Consecutive periods count as one with the last end. */
export function accessNewsOf(periods: readonly AccessPeriod[], now: Date): AccessNews | null {
  const status = accessStatus(periods, now)
  if (status.kind === 'running' && status.until <= after(now, ENDS_SOON_DAYS * DAY_MS))
    return { kind: 'ends-soon', endsAt: status.until }
  if (status.kind === 'ended' && status.since <= now && now < after(status.since, ENDED_NEWS_DAYS * DAY_MS))
    return { kind: 'ended', endsAt: status.since }
  return null
}
