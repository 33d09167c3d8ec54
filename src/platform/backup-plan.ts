import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time.ts'

/** When backups are made, in UTC: at each full hour, or each day at a time of day. */
export type BackupSchedule = { readonly every: 'hour' } | { readonly every: 'day'; readonly atMinute: number }

/** Null for a text that is neither `hourly` nor `daily 03:30`. */
export function parseSchedule(text: string): BackupSchedule | null {
  const words = text.trim().toLowerCase()
  if (words === 'hourly') return { every: 'hour' }
  const [, hour, minute] = /^daily\s+(\d{1,2}):(\d{2})$/.exec(words) ?? []
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return null
  return { every: 'day', atMinute: Number(hour) * 60 + Number(minute) }
}

/** The time from one backup to the next. */
export const periodMs = ({ every }: BackupSchedule) => (every === 'hour' ? HOUR_MS : DAY_MS)

/** The latest instant at which a backup was due. */
export function lastDue(schedule: BackupSchedule, now: Date): Date {
  const period = periodMs(schedule)
  const offset = schedule.every === 'hour' ? 0 : schedule.atMinute * MINUTE_MS
  return new Date(Math.floor((now.getTime() - offset) / period) * period + offset)
}

/** Whether the newest tested backup is too old, as the alert AltocertBackupOld says too. */
export const isLate = (schedule: BackupSchedule, testedMadeAt: Date, now: Date) =>
  now.getTime() - testedMadeAt.getTime() > 2 * periodMs(schedule)

const PERIODS = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const
type Period = (typeof PERIODS)[number]

/** How many backups are kept: the newest of each of the last so many hours, days, and so on, that have one. */
export type BackupKeep = Readonly<Partial<Record<Period, number>>>

const MOST_KEPT = 10_000

/** Null for a text that is not like `7 daily, 4 weekly, 12 monthly`. */
export function parseKeep(text: string): BackupKeep | null {
  const keep: Partial<Record<Period, number>> = {}
  for (const part of text.toLowerCase().split(',')) {
    const [, number, name] = /^\s*(\d+)\s+([a-z]+)\s*$/.exec(part) ?? []
    const period = PERIODS.find((known) => known === name)
    const count = Number(number)
    if (period === undefined || keep[period] !== undefined || count < 1 || count > MOST_KEPT) return null
    keep[period] = count
  }
  return keep
}

/** A backup as the retention sees it. */
export type Generation = {
  readonly name: string
  readonly madeAt: Date
  readonly test: 'passed' | 'not tested' | 'failed'
}

/**
 * The backups to delete. What is in no kept period goes, once there is a newer backup whose restore was tested; so the newest
 * tested one stays, and everything newer than it.
 */
export function listExpired<Backup extends Generation>(backups: readonly Backup[], keep: BackupKeep): Backup[] {
  const newestFirst = backups.toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
  const newestTested = newestFirst.findIndex(({ test }) => test === 'passed')
  if (newestTested === -1) return []
  const kept = new Set<Backup>(newestFirst.slice(0, newestTested + 1))
  // A period that has a tested backup is not represented by an untested one, and never by a damaged one.
  const candidates = newestFirst
    .filter(({ test }) => test !== 'failed')
    .toSorted((a, b) => Number(b.test === 'passed') - Number(a.test === 'passed'))
  for (const period of PERIODS) {
    const represented = new Map<string, Backup>()
    for (const backup of candidates) {
      const key = periodOf(period, backup.madeAt)
      if (!represented.has(key)) represented.set(key, backup)
    }
    const newest = [...represented.values()].toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
    for (const backup of newest.slice(0, keep[period] ?? 0)) kept.add(backup)
  }
  return newestFirst.filter((backup) => !kept.has(backup))
}

/** The days from Thursday, 1 January 1970, to the Monday with which its week began. */
const MONDAY_BEFORE = 3

function periodOf(period: Period, instant: Date): string {
  const text = instant.toISOString()
  if (period === 'weekly') return String(Math.floor((instant.getTime() / DAY_MS + MONDAY_BEFORE) / 7))
  return text.slice(0, { hourly: 13, daily: 10, monthly: 7, yearly: 4 }[period])
}

const FIRST_RETRY_MS = MINUTE_MS
const LONGEST_RETRY_MS = HOUR_MS

/** How long to wait after so many failures in a row: a minute, then twice as long each time, up to an hour. */
export function retryDelay(failures: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10))
}
