/** Spec 9: an open page is not refreshed twice within this time on mere doubt. */
export const REFRESH_COOLDOWN_MS = 15_000
export const REFRESH_COOLDOWN_LARGE_MS = 30_000
/** Spec 9: after a refresh nothing refreshes the page again for this long, a known change neither. */
export const REFRESH_LOCK_MS = 5_000
export const REFRESH_LOCK_LARGE_MS = 10_000
/** Spec 9: with more courses than this the large values hold. */
export const LARGE_CATALOGUE = 50

/**
 * When a page that heard something may be refreshed (decision 0011). A change that it knows of waits for the lock alone, so
 * the first of several is seen at once and the others together. What may have been missed waits for the cooldown.
 */
export function refreshDueAt(heard: {
  readonly at: number
  readonly isCertain: boolean
  readonly refreshedAt: number | null
  readonly courses: number
}): number {
  const { at, isCertain, refreshedAt, courses } = heard
  if (refreshedAt === null) return at
  const isLarge = courses > LARGE_CATALOGUE
  const lock = isLarge ? REFRESH_LOCK_LARGE_MS : REFRESH_LOCK_MS
  const cooldown = isLarge ? REFRESH_COOLDOWN_LARGE_MS : REFRESH_COOLDOWN_MS
  return Math.max(at, refreshedAt + (isCertain ? lock : cooldown))
}

/** The path of the stream, and the parameter by which a new listener says what it has seen. */
export const REALTIME_PATH = '/api/realtime'

/** The number that a listener says it has seen; null for what is no number. */
export function readSeen(text: string | null | undefined): number | null {
  return text !== null && text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}
