import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { addDays, dayIn } from '../../../lib/calendar-day.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import type { EntitledCourse } from '../../access/access.schema.ts'
import { DATE_MAX_DAYS, fail, type PlanWish } from './plan.schema.ts'

/**
 * Sets or moves the exam date of a course, with the wishes for the plan. A date that was not over yet counts as moved; after an exam
 * the next date is a new one.
 * @throws Failure plan.date.past, plan.date.far
 */
export async function setPlan(
  db: Db,
  { proof, wish, now }: { proof: EntitledCourse; wish: PlanWish; now: Date },
): Promise<void> {
  const { examDate, timeZone } = wish
  const today = dayIn(now, timeZone)
  if (examDate < today) throw refusedDate('plan.date.past')
  if (examDate > addDays(today, DATE_MAX_DAYS)) throw refusedDate('plan.date.far')
  const wishes = {
    exam_date: examDate,
    time_zone: timeZone,
    wished_percent: wish.wishedPercent,
    minutes_a_day: wish.minutesADay,
    rest_days: wish.restDays,
  }
  await db
    .insertInto('study_plans')
    .values({ user_id: proof.userId, course_id: proof.courseId, ...wishes, date_set_at: now })
    .onConflict((on) =>
      on.columns(['user_id', 'course_id']).doUpdateSet({
        ...wishes,
        date_set_at: sql`case when study_plans.exam_date < ${today} and study_plans.exam_date <> excluded.exam_date
          then excluded.date_set_at else study_plans.date_set_at end`,
        date_moved_at: sql`case when study_plans.exam_date = excluded.exam_date then study_plans.date_moved_at
          when study_plans.exam_date < ${today} then null else excluded.date_set_at end`,
      }),
    )
    .execute()
}

function refusedDate(code: 'plan.date.past' | 'plan.date.far') {
  const { message } = fail(code)
  return fail(code, { fields: [{ field: 'examDate', message }] })
}

/** Removes the exam date and the plan of a course. Idempotent. */
export async function removePlan(db: Db, of: { readonly userId: UserId; readonly courseId: CourseId }): Promise<void> {
  await db.deleteFrom('study_plans').where('user_id', '=', of.userId).where('course_id', '=', of.courseId).execute()
}

/** Deletes the plans of a user whose account is deleted. */
export async function erasePlans(tx: Db, userId: UserId): Promise<void> {
  await tx.deleteFrom('study_plans').where('user_id', '=', userId).execute()
}
