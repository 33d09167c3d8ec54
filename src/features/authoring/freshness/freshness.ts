/** Promise 4.41: a question is worth verifying again after so many months, unless the admin asks for another number. */
export const FRESH_MONTHS = 12
export const MONTH_CHOICES = [3, 6, 12, 24] as const
/** Questions per page of the queue, and at most marked at once. */
export const QUEUE_PAGE = 50
export const MAX_MARKED = 200

/** Why a question waits to be verified, in the order of the list. */
export const STALE_REASONS = ['never', 'old', 'changed', 'guide', 'dead'] as const
export type StaleReason = (typeof STALE_REASONS)[number]

/** The first day that is not older than so many months. */
export function freshSince(today: string, months: number): string {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 - months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(day, last))
  return first.toISOString().slice(0, 10)
}
