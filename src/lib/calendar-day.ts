import { DAY_MS, formatDay, MINUTE_MS } from './time.ts'

/** A day of a calendar, 'YYYY-MM-DD', without a time and a zone. Such texts sort by time. */
export type CalendarDay = string

const shape = /^(\d{4})-(\d{2})-(\d{2})$/

/** Whether a text is a day that exists. The year 0000 does not exist in the database. */
export function isCalendarDay(text: string): boolean {
  const at = shape.test(text) && !text.startsWith('0000') ? new Date(`${text}T00:00:00Z`) : null
  return at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** The day some days later, or earlier for a negative number. Days are counted in UTC, where each has 24 hours. */
export function addDays(day: CalendarDay, days: number): CalendarDay {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** How many days `to` is after `from`. */
export function daysBetween(from: CalendarDay, to: CalendarDay): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
}

/** From 1 for Monday to 7 for Sunday, as in ISO 8601. */
export function weekdayOf(day: CalendarDay): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}

/** The formatters by zone: to make one costs more than to use it. */
const formatters = new Map<string, Intl.DateTimeFormat>()
const KNOWN_ZONES_MAX = 500

/** @throws RangeError for an unknown zone */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  })
  if (formatters.size < KNOWN_ZONES_MAX) formatters.set(timeZone, made)
  return made
}

/** Whether a text names a zone of the IANA database, such as 'Europe/Berlin'. Bare offsets are refused: they know no summer time. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    formatterOf(text)
    return true
  } catch {
    return false
  }
}

/**
 * The name of a zone for the database. PostgreSQL does not know every short name of JavaScript, and reads some, such as 'CET', as an
 * offset without summer time.
 */
export function longZoneName(timeZone: string): string {
  return timeZone.includes('/') ? timeZone : formatterOf(timeZone).resolvedOptions().timeZone
}

/** The day and the hour, 0 to 23, of an instant in a zone. */
export function localTime(instant: Date, timeZone: string): { readonly day: CalendarDay; readonly hour: number } {
  const parts = Object.fromEntries(
    formatterOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const year = (parts['year'] ?? '').padStart(4, '0')
  return { day: `${year}-${parts['month']}-${parts['day']}`, hour: Number(parts['hour']) }
}

/** The day of an instant in a zone. */
export function dayIn(instant: Date, timeZone: string): CalendarDay {
  return localTime(instant, timeZone).day
}

const QUARTER_MS = 15 * MINUTE_MS

/** Tells how many days instants are after a day. In all zones days begin at a quarter of an hour, so that few are looked up. */
export function dayCounter(from: CalendarDay, timeZone: string): (instant: Date) => number {
  const known = new Map<number, number>()
  return (instant) => {
    const quarter = Math.floor(instant.getTime() / QUARTER_MS)
    const days = known.get(quarter) ?? daysBetween(from, dayIn(instant, timeZone))
    known.set(quarter, days)
    return days
  }
}

const LONGEST_DAY_QUARTERS = 26 * 4

/** The last millisecond of the day of an instant in a zone. */
export function endOfDayIn(instant: Date, timeZone: string): Date {
  const day = dayIn(instant, timeZone)
  let same = Math.floor(instant.getTime() / QUARTER_MS)
  let next = same + LONGEST_DAY_QUARTERS
  while (next - same > 1) {
    const middle = Math.floor((same + next) / 2)
    if (dayIn(new Date(middle * QUARTER_MS), timeZone) === day) same = middle
    else next = middle
  }
  return new Date(next * QUARTER_MS - 1)
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** 'Tue' for 2, as in ISO 8601. */
export function weekdayName(weekday: number): string {
  return WEEKDAYS[weekday - 1] ?? ''
}

/** 'Tue, 24 Nov 2026' */
export function formatCalendarDay(day: CalendarDay): string {
  return `${weekdayName(weekdayOf(day))}, ${formatDay(`${day}T00:00:00Z`)}`
}
