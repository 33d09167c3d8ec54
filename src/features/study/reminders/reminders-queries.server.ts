import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { inOnePage, type OwnData } from '../../../platform/own-data-export.server.ts'
import type { ReminderWish } from './reminders.schema.ts'

export async function findReminder(db: Db, userId: UserId): Promise<ReminderWish | null> {
  const row = await db.selectFrom('study_reminders').where('user_id', '=', userId).select('hour').executeTakeFirst()
  return row ?? null
}

/** The reminders of a user, for the export of their data. */
export function exportReminders(db: Db, userId: UserId): OwnData[] {
  const reminders = () =>
    db.selectFrom('study_reminders').where('user_id', '=', userId).select(['hour', 'reminded_on']).execute()
  return [{ name: 'study_reminders', pages: inOnePage(reminders) }]
}
