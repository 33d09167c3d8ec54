import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CalendarDay } from '../../../lib/calendar-day.ts'
import type { UserId } from '../../../lib/ids.ts'
import { countsAsMock } from '../../attempts/drawn-exams/drawn-exams-queries.server.ts'
import { findPace, listPlans, type PlanRecord } from './plan-queries.server.ts'

/** A plan of a learner with what its tasks for today depend on besides the progress. */
export type PlannedCourse = {
  readonly courseId: string
  readonly courseSlug: string
  readonly courseTitle: string
  readonly record: PlanRecord
  /** The median of the seconds for a question; null while it is not known. */
  readonly pace: number | null
  readonly timedExamsAt: readonly Date[]
  /** Whether the learner has said how this exam went, or does not want to be asked. */
  readonly isAnswered: boolean
}

/** All plans of a learner, to be cached until `plansState` changes, which a change of the progress must change too. */
export async function listPlannedCourses(db: Db, userId: UserId): Promise<PlannedCourse[]> {
  const records = await listPlans(db, userId)
  if (records.size === 0) return []
  const [pace, { rows }] = await Promise.all([
    findPace(db, userId),
    sql<{ courseId: string; slug: string; title: string; timedExamsAt: string[] | null; isAnswered: boolean }>`
      select p.course_id as "courseId", slug, title,
        ${isAnswered} as "isAnswered",
        (select json_agg(finished_at) from attempts where ${countsAsMock} and attempts.user_id = p.user_id and attempts.course_id = p.course_id)
          as "timedExamsAt"
      from study_plans as p join courses on courses.id = p.course_id
      where p.user_id = ${userId} order by p.exam_date desc, p.course_id`.execute(db),
  ])
  return rows.flatMap(({ courseId, slug: courseSlug, title: courseTitle, timedExamsAt, isAnswered }) => {
    const record = records.get(courseId)
    if (record === undefined) return []
    const dates = (timedExamsAt ?? []).map((at) => new Date(at))
    return [{ courseId, courseSlug, courseTitle, record, pace, timedExamsAt: dates, isAnswered }]
  })
}

/** A passed exam in whose place another date was set, and about which the learner has said nothing yet. */
export type PassedExam = {
  readonly courseId: string
  readonly courseSlug: string
  readonly courseTitle: string
  readonly examDate: CalendarDay
  readonly timeZone: string
}

/** To be cached like the plans. */
export async function listPassedExams(db: Db, userId: UserId): Promise<PassedExam[]> {
  const { rows } = await sql<PassedExam>`
    select p.course_id as "courseId", slug as "courseSlug", title as "courseTitle", p.exam_date::text as "examDate",
      p.time_zone as "timeZone"
    from passed_exams as p join courses on courses.id = p.course_id
    where p.user_id = ${userId} and not ${isAnswered}
      and not exists (select from study_plans as s
        where s.user_id = p.user_id and s.course_id = p.course_id and s.exam_date = p.exam_date)
    order by p.exam_date desc, p.course_id`.execute(db)
  return rows
}

/** Whether the learner has said how exam `p` went, or does not want to be asked. */
const isAnswered = sql<boolean>`(exists (select from exam_results as r
  where r.user_id = p.user_id and r.course_id = p.course_id and r.exam_date = p.exam_date)
  or exists (select from exam_result_questions as q
    where q.user_id = p.user_id and q.course_id = p.course_id and q.exam_date = p.exam_date and q.declined_at is not null))`
