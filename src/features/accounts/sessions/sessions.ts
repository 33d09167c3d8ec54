import { after, DAY_MS, MINUTE_MS } from '../../../lib/time.ts'

/** A session ends this long after its start … */
export const SESSION_DAYS = 30
/** … or after this long without use. */
const IDLE_DAYS = 7
/** The last use is stored at most this often. */
const USE_STEP_MS = 5 * MINUTE_MS

type SessionTimes = { readonly createdAt: Date; readonly lastUsedAt: Date; readonly expiresAt: Date }

/** The first end of a session, before it is used again. */
export function firstExpiry(now: Date): Date {
  return after(now, IDLE_DAYS * DAY_MS)
}

/** The new end of a session that is used now; null when the stored times are recent enough. Never earlier than the stored end. */
export function expiryAfterUse({ createdAt, lastUsedAt, expiresAt }: SessionTimes, now: Date): Date | null {
  if (now.getTime() - lastUsedAt.getTime() < USE_STEP_MS) return null
  const ends = [expiresAt, after(createdAt, SESSION_DAYS * DAY_MS), firstExpiry(now)].map((at) => at.getTime())
  const [stored = 0, last = 0, idle = 0] = ends
  return new Date(Math.max(stored, Math.min(last, idle)))
}

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** The device of a User-Agent header as people name it, such as 'Firefox on Windows'. Null when the header names none that we know. */
export function deviceName(userAgent: string | null): string | null {
  const nameIn = (names: readonly (readonly [string, string])[]) =>
    names.find(([sign]) => userAgent?.includes(sign))?.[1]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  return browser ?? system ?? null
}
