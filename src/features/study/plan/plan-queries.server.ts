import { sql } from 'kysely'
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

/** In SQL: the exams of plans, and the passed ones in whose place another date was set. */
export const plannedExams = sql`(
  select user_id, course_id, exam_date, time_zone, date_set_at, date_moved_at from study_plans
  union all select user_id, course_id, exam_date, time_zone, date_set_at, date_moved_at from passed_exams as old
  where not exists (select from study_plans as p
    where p.user_id = old.user_id and p.course_id = old.course_id and p.exam_date = old.exam_date))`

/** The exam of a learner on a day: that of the plan, or a passed one in whose place another date was set. */
export async function findExam(db: Db, of: PlanOf, examDate: CalendarDay): Promise<ExamDate | null> {
  const { rows } = await sql<ExamDate>`
    select exam_date::text as "examDate", time_zone as "timeZone", date_set_at as "setAt", date_moved_at as "movedAt"
    from ${plannedExams} as e
    where user_id = ${of.userId} and course_id = ${of.courseId} and exam_date = ${examDate}::date`.execute(db)
  return rows[0] ?? null
}

/** A learner's plan of a course as it is stored. */
export type PlanRecord = ExamDate & {
  readonly minutesADay: number
  readonly restDays: readonly number[]
  readonly wishedPercent: number | null
}

function plans(db: Db, userId: UserId) {
  return db
    .selectFrom('study_plans')
    .where('user_id', '=', userId)
    .select([
      'course_id',
      'exam_date',
      'time_zone',
      'minutes_a_day',
      'rest_days',
      'wished_percent',
      'date_set_at',
      'date_moved_at',
    ])
}

type PlanRow = Awaited<ReturnType<ReturnType<typeof plans>['executeTakeFirstOrThrow']>>

function toPlan(row: PlanRow): PlanRecord {
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

export async function findPlan(db: Db, { userId, courseId }: PlanOf): Promise<PlanRecord | null> {
  const row = await plans(db, userId).where('course_id', '=', courseId).executeTakeFirst()
  return row === undefined ? null : toPlan(row)
}

/** A learner's plans by course. */
export async function listPlans(db: Db, userId: UserId): Promise<Map<string, PlanRecord>> {
  const rows = await plans(db, userId).execute()
  return new Map(rows.map((row) => [row.course_id, toPlan(row)]))
}

const PACE_ANSWERS = 200
const PACE_ANSWERS_MIN = 20

/** The median of the seconds between two answers of a drill, among the latest; null with too few. Pauses and slips do not count. */
export async function findPace(db: Db, userId: UserId): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null; answers: number }>`
    select percentile_cont(0.5) within group (order by seconds)::float8 as seconds, count(*)::int as answers from (
      select extract(epoch from answered_at - lag(answered_at) over (partition by drill_id order by answered_at)) as seconds
      from (select drill_id, answered_at from drill_answers join drills on drills.id = drill_id
        where user_id = ${userId} and answered_at is not null order by answered_at desc limit ${PACE_ANSWERS}) as latest
    ) as gaps where seconds between 3 and 600`.execute(db)
  const [row] = rows
  return row === undefined || row.answers < PACE_ANSWERS_MIN ? null : row.seconds
}

/** A text in SQL that changes whenever a plan of the user is made, changed or removed. */
export const plansState = (userId: UserId) => sql<string>`(
  select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) from study_plans where user_id = ${userId})`

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
        sql<boolean>`calendar_id is not null`.as('has_calendar_address'),
      ])
      .execute()
  const passed = () =>
    db
      .selectFrom('passed_exams')
      .where('user_id', '=', userId)
      .orderBy('exam_date')
      .select(['course_id', 'exam_date', 'time_zone', 'date_set_at', 'date_moved_at'])
      .execute()
  return [
    { name: 'study_plans', pages: inOnePage(plans) },
    { name: 'passed_exams', pages: inOnePage(passed) },
  ]
}
