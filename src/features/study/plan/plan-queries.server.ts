import type { Db } from '../../../db/open.server.ts'
import type { CalendarDay } from '../../../lib/calendar-day.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { inOnePage, type OwnData } from '../../../platform/own-data-export.server.ts'

type PlanOf = { readonly userId: UserId; readonly courseId: CourseId }

/** The exam date of a learner in a course: a day of the calendar in the learner's zone, never an instant. */
export type ExamDate = {
  readonly examDate: CalendarDay
  readonly timeZone: string
  /** When the learner set a date for this exam; moving it does not change this. */
  readonly setAt: Date
  /** When the date was moved last. */
  readonly movedAt: Date | null
}

export async function getExamDate(db: Db, of: PlanOf): Promise<ExamDate | null> {
  const plan = await findPlan(db, of)
  if (plan === null) return null
  const { examDate, timeZone, setAt, movedAt } = plan
  return { examDate, timeZone, setAt, movedAt }
}

/** A learner's plan of a course as it is stored. */
export type PlanRecord = ExamDate & {
  readonly minutesADay: number
  readonly restDays: readonly number[]
  readonly wishedPercent: number | null
}

export async function findPlan(db: Db, { userId, courseId }: PlanOf): Promise<PlanRecord | null> {
  const row = await db
    .selectFrom('study_plans')
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .select(['exam_date', 'time_zone', 'minutes_a_day', 'rest_days', 'wished_percent', 'date_set_at', 'date_moved_at'])
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    examDate: row.exam_date,
    timeZone: row.time_zone,
    minutesADay: row.minutes_a_day,
    restDays: row.rest_days,
    wishedPercent: row.wished_percent,
    setAt: row.date_set_at,
    movedAt: row.date_moved_at,
  }
}

/** The exam dates and plans of a user, for the export of their data. */
export function exportPlans(db: Db, userId: UserId): OwnData[] {
  const plans = () =>
    db
      .selectFrom('study_plans')
      .where('user_id', '=', userId)
      .orderBy('date_set_at')
      .select([
        'course_id',
        'exam_date',
        'time_zone',
        'wished_percent',
        'minutes_a_day',
        'rest_days',
        'date_set_at',
        'date_moved_at',
        'remind_hour',
        'reminded_on',
      ])
      .execute()
  return [{ name: 'study_plans', pages: inOnePage(plans) }]
}
