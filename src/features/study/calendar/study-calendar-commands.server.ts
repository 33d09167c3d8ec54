import { randomBytes } from 'node:crypto'
import type { Db } from '../../../db/open.server.ts'
import { paths } from '../../../lib/paths.ts'
import { fail } from '../plan/plan.schema.ts'
import type { CalendarOf } from './study-calendar-queries.server.ts'
import { fileOf } from './study-calendar.schema.ts'

/** Makes a secret address for the calendar of a plan and ends the former one. @throws Failure plan.none */
export async function makeAddress(db: Db, of: CalendarOf): Promise<string> {
  // The column is a UUID, which PostgreSQL reads from any 128 bits; the random ones of a UUID would be 122.
  const secret = randomBytes(16).toString('hex')
  if (!(await setSecret(db, of, secret))) throw fail('plan.none')
  return paths.calendar(fileOf(secret))
}

/** Ends the address. Idempotent. */
export async function removeAddress(db: Db, of: CalendarOf): Promise<void> {
  await setSecret(db, of, null)
}

async function setSecret(db: Db, { userId, courseId }: CalendarOf, secret: string | null): Promise<boolean> {
  const changed = await db
    .updateTable('study_plans')
    .set({ calendar_id: secret })
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .returning('course_id')
    .executeTakeFirst()
  return changed !== undefined
}
