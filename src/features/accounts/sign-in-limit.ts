/** The browser's own limit on sign-in and sign-up: attempts per email address and action in a sliding window. */
export const RATE_ATTEMPTS = 5
export const RATE_WINDOW_MS = 300_000

/** Whether another attempt is allowed after attempts at these times. */
export function isWithinRate(timestamps: readonly number[], nowMs: number): boolean {
  return recentAttempts(timestamps, nowMs).length < RATE_ATTEMPTS
}

/** The times that are still within the window. */
export function recentAttempts(timestamps: readonly number[], nowMs: number): readonly number[] {
  return timestamps.filter((at) => nowMs - at < RATE_WINDOW_MS)
}
