import { counted } from './text.ts'

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export function after(instant: Date, milliseconds: number): Date {
  return new Date(instant.getTime() + milliseconds)
}

/** The span in minutes, rounded up, at least 1; for messages about a waiting time. */
export function minutesToWait(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / MINUTE_MS))
}

/** 5025 -> '1:23:45'; 65 -> '1:05'. Negative counts as zero. */
export function formatClock(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(left / 3600)
  const minutes = Math.floor((left % 3600) / 60)
  const rest = String(left % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** The clock in words for screen readers: '1 hour 2 minutes', '45 seconds'. */
export function spokenClock(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds))
  const parts: string[] = []
  const add = (count: number, unit: string) => {
    if (count > 0) parts.push(counted(count, unit))
  }
  add(Math.floor(left / 3600), 'hour')
  add(Math.floor((left % 3600) / 60), 'minute')
  if (left < 60) add(left, 'second')
  return parts.length === 0 ? 'no time' : parts.join(' ')
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** '21 Nov 2026', in UTC: the same text on the server and in every browser. */
export function formatDay(instant: Date | string): string {
  const at = new Date(instant)
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`
}

/** '21 Nov 2026, 14:05 UTC' */
export function formatInstant(instant: Date | string): string {
  const at = new Date(instant)
  return `${formatDay(at)}, ${String(at.getUTCHours()).padStart(2, '0')}:${String(at.getUTCMinutes()).padStart(2, '0')} UTC`
}
