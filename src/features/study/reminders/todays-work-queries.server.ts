import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CalendarDay } from '../../../lib/calendar-day.ts'
import { daysBetween } from '../../../lib/calendar-day.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import type { CachedQueries } from '../../../platform/cache/cached-queries.server.ts'
import { findAccess } from '../../access/access-queries.server.ts'
import { listKnownCourses } from '../../catalogue/catalogue-queries.server.ts'
import type { PlanDay } from '../plan/plan-days.ts'
import { listPlans } from '../plan/plan-queries.server.ts'
import { getPlan } from '../plan/plan-view-queries.server.ts'
import { listSummaries, readHistory } from '../study-queries.server.ts'

/** How long after the hour a reminder is still sent, on the same day: the server may have been down. */
const LATE_HOURS = 6
const LEARNERS_PER_RUN = 500

/** A learner whose hour has come. */
export type DueLearner = {
  readonly userId: UserId
  readonly email: string
  readonly name: string
  readonly isAdmin: boolean
  /** Today where the learner is. */
  readonly day: CalendarDay
  /** When that day ends. */
  readonly dayEndsAt: Date
}

/**
 * Learners whose hour has come, and who were not considered today. A day and its hours are those of the plan whose exam is next: the hour
 * that a clock skips in spring is the next one, and the hour that comes twice in autumn is of the same day.
 */
export async function listDueLearners(db: Db, now: Date): Promise<DueLearner[]> {
  const { rows } = await sql<DueLearner>`
    select r.user_id as "userId", users.email, users.name, profiles.role = 'admin' as "isAdmin", here.at::date::text as day,
      ((here.at::date + 1)::timestamp at time zone here.time_zone) as "dayEndsAt"
    from study_reminders as r join users on users.id = r.user_id join profiles on profiles.id = r.user_id
      cross join lateral (
        select ${now}::timestamptz at time zone p.time_zone as at, p.time_zone from study_plans as p
        where p.user_id = r.user_id and p.exam_date > (${now}::timestamptz at time zone p.time_zone)::date
        order by p.exam_date, p.course_id limit 1
      ) as here
    where users.deleted_at is null and users.locked_at is null and users.email_verified
      and extract(hour from here.at) between r.hour and r.hour + ${LATE_HOURS - 1}::int
      and (r.reminded_on is null or r.reminded_on < here.at::date)
    order by r.user_id limit ${LEARNERS_PER_RUN}`.execute(db)
  return rows
}

/** What is left for today in a course. */
export type CourseWork = {
  readonly course: { readonly slug: string; readonly title: string }
  readonly day: PlanDay
  readonly daysLeft: number
}

/** What the plans of a learner have for today and is not done yet, the next exam first. */
export async function getTodaysWork(
  context: { readonly db: Db; readonly cachedQueries: CachedQueries },
  { userId, isAdmin, now }: { readonly userId: UserId; readonly isAdmin: boolean; readonly now: Date },
): Promise<CourseWork[]> {
  const { db } = context
  const plans = await listPlans(db, userId)
  const [courses, history] = await Promise.all([listKnownCourses(context, [...plans.keys()]), readHistory(db, userId)])
  const studies = await listSummaries(context, { courseIds: [...plans.keys()] as CourseId[], history, now })
  const works: CourseWork[] = []
  for (const course of courses) {
    const [record, study] = [plans.get(course.id), studies.get(course.id)]
    const access = await findAccess(db, userId, course.id as CourseId, now)
    const accessUntil = isAdmin ? null : access.kind === 'running' ? access.until : 'none'
    if (record === undefined || study === undefined || accessUntil === 'none') continue
    const { facts, days } = await getPlan(context, { userId, course, record, study, accessUntil, now })
    const [day] = days
    if (day === undefined || day.kind === 'rest' || day.isAfterAccess) continue
    if (day.dueCount + day.newByDomain.length === 0 && day.mock === null) continue
    works.push({ course, day, daysLeft: daysBetween(facts.today, facts.examDate) })
  }
  return works.toSorted((a, b) => a.daysLeft - b.daysLeft)
}
