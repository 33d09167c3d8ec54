import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { copy } from './reminders.copy.ts'

const wrong = copy['reminders.hour.wrong']

/** When a learner is reminded: an hour of the day in the time zone of their plan. */
export const ReminderWish = z.object({ hour: z.int(wrong).min(0, wrong).max(23, wrong) })
export type ReminderWish = z.infer<typeof ReminderWish>

/** The stored wish; null without reminders. */
export const StoredReminder = z.object({ reminder: ReminderWish.nullable() })

export const StopReminders = z.object({ token: z.string().max(300) })

export const fail = failureTable({
  'reminders.link': { status: 404, kind: 'validation', sentence: copy['reminders.link.wrong'] },
})
