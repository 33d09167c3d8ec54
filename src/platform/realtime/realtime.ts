/** Shortest time between two refreshes of a page when only a gap is known, in a normal and in a large catalogue. */
export const REFRESH_COOLDOWN_MS = 15_000
export const REFRESH_COOLDOWN_LARGE_MS = 30_000
/** Shortest time between two refreshes of a page even for known changes. */
export const REFRESH_LOCK_MS = 5_000
export const REFRESH_LOCK_LARGE_MS = 10_000
/** A catalogue with more courses than this is large. */
export const LARGE_CATALOGUE = 50

/**
 * When a page may be refreshed after an event (decision 0011), in ms. A known change waits for the lock only: the first of several
 * is shown at once, the others together. A gap waits for the cooldown.
 */
export function refreshDueAt(event: {
  readonly at: number
  readonly isCertain: boolean
  readonly refreshedAt: number | null
  readonly courses: number
}): number {
  const { at, isCertain, refreshedAt, courses } = event
  if (refreshedAt === null) return at
  const isLarge = courses > LARGE_CATALOGUE
  const lock = isLarge ? REFRESH_LOCK_LARGE_MS : REFRESH_LOCK_MS
  const cooldown = isLarge ? REFRESH_COOLDOWN_LARGE_MS : REFRESH_COOLDOWN_MS
  return Math.max(at, refreshedAt + (isCertain ? lock : cooldown))
}

/** The path of the stream. Its parameter `seen` is the number of the last change that the listener knows. */
export const REALTIME_PATH = '/api/realtime'

/** Parses the number of the last change that a listener knows; null for anything else. */
export function readSeen(text: string | null | undefined): number | null {
  return text !== null && text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}
