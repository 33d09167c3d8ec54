import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { Db } from '../../../db/open.server.ts'
import { addDays, dayIn } from '../../../lib/calendar-day.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import type { EntitledCourse } from '../../access/access.schema.ts'
import { DATE_MAX_DAYS, fail, type PlanWish } from './plan.schema.ts'

type ExamOf = { readonly userId: UserId; readonly courseId: CourseId }

/**
 * Sets or moves the exam date of a course, with the wishes for the plan. A date that was not over yet counts as moved; after an exam
 * the next date is a new one.
 * @throws Failure plan.date.past, plan.date.far, plan.zone.wrong
 */
export async function setPlan(
  db: Db,
  { proof, wish, now }: { proof: EntitledCourse; wish: PlanWish; now: Date },
): Promise<void> {
  const { examDate, timeZone } = wish
  const today = dayIn(now, timeZone)
  if (examDate < today) throw refused('plan.date.past', 'examDate')
  if (examDate > addDays(today, DATE_MAX_DAYS)) throw refused('plan.date.far', 'examDate')
  await refuseUnknownZone(db, timeZone)
  const wishes = {
    exam_date: examDate,
    time_zone: timeZone,
    wished_percent: wish.wishedPercent,
    minutes_a_day: wish.minutesADay,
    rest_days: wish.restDays,
  }
  await db.transaction().execute(async (tx) => {
    await keepPassedExam(tx, proof, now)
    await tx
      .insertInto('study_plans')
      .values({ user_id: proof.userId, course_id: proof.courseId, ...wishes, date_set_at: now })
      .onConflict((on) =>
        on.columns(['user_id', 'course_id']).doUpdateSet({
          ...wishes,
          date_set_at: sql`case when ${isPassed(now)} and study_plans.exam_date <> excluded.exam_date
            then excluded.date_set_at else study_plans.date_set_at end`,
          date_moved_at: sql`case when study_plans.exam_date = excluded.exam_date then study_plans.date_moved_at
            when ${isPassed(now)} then null else excluded.date_set_at end`,
        }),
      )
      .execute()
  })
}

/** Whether the exam of a plan was before the present day of the plan's zone. */
const isPassed = (now: Date) =>
  sql<boolean>`study_plans.exam_date < (${now}::timestamptz at time zone study_plans.time_zone)::date`

/** Keeps a date that has passed, with when it was set and moved, before another one takes its place or it is removed. */
async function keepPassedExam(tx: Db, { userId, courseId }: ExamOf, now: Date): Promise<void> {
  await sql`
    insert into passed_exams (user_id, course_id, exam_date, time_zone, date_set_at, date_moved_at)
    select user_id, course_id, exam_date, time_zone, date_set_at, date_moved_at from study_plans
    where user_id = ${userId} and course_id = ${courseId} and ${isPassed(now)} for update
    on conflict do nothing`.execute(tx)
}

/** The SQLSTATE of PostgreSQL for a zone that it does not know. */
const INVALID_VALUE = '22023'

/**
 * PostgreSQL has its own list of zones. A name that it does not know would make every statement fail that computes the days of all plans,
 * such as that of the reminders.
 */
async function refuseUnknownZone(db: Db, timeZone: string): Promise<void> {
  try {
    await sql`select now() at time zone ${timeZone}`.execute(db)
  } catch (error) {
    if (error instanceof DatabaseError && error.code === INVALID_VALUE) throw refused('plan.zone.wrong', 'timeZone')
    throw error
  }
}

function refused(code: Parameters<typeof fail>[0], field: keyof PlanWish) {
  const { message } = fail(code)
  return fail(code, { fields: [{ field, message }] })
}

/** Removes the exam date and the plan of a course. Idempotent. */
export async function removePlan(db: Db, of: ExamOf, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await keepPassedExam(tx, of, now)
    await tx.deleteFrom('study_plans').where('user_id', '=', of.userId).where('course_id', '=', of.courseId).execute()
  })
}

/** Deletes the plans of a user whose account is deleted. */
export async function erasePlans(tx: Db, userId: UserId): Promise<void> {
  await tx.deleteFrom('passed_exams').where('user_id', '=', userId).execute()
  await tx.deleteFrom('study_plans').where('user_id', '=', userId).execute()
}
