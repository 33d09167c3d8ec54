import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import type { CachedQuery } from '../../../platform/cache/cached-queries.server.ts'
import { inOnePage, type OwnData } from '../../../platform/own-data-export.server.ts'
import { getRealExam } from '../../attempts/attempts-queries.server.ts'
import { passMarkOf } from '../../attempts/scaled-score.ts'
import { plannedExams } from '../plan/plan-queries.server.ts'
import { shiftAfter, STATED_SHIFT, type ExamResult, type ExamShift } from '../readiness/exam-shift.ts'
import { ASKED_DAYS, type ScoreScale } from './exam-results.ts'
import { ToldDay, type ResultQuestion, type ResultView } from './exam-results.schema.ts'
import type { Outcome } from './result-chart.ts'

export type ResultOf = { readonly userId: UserId; readonly courseId: CourseId }

/** The results that a learner reported for a course, the newest exam first. */
export async function listResults(db: Db, { userId, courseId }: ResultOf): Promise<ResultView[]> {
  const rows = await db
    .selectFrom('exam_results')
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .orderBy('exam_date', 'desc')
    .select(['is_passed', 'score', 'reported_at', 'told', sql<string>`exam_date::text`.as('date')])
    .execute()
  return rows.map((row) => ({
    examDate: row.date,
    isPassed: row.is_passed,
    score: row.score,
    reportedAt: row.reported_at.toISOString(),
    told: ToldDay.nullable().parse(row.told),
  }))
}

/** How scores of the course's real exam are reported. */
export async function getScoreScale(db: Db, courseId: CourseId): Promise<ScoreScale> {
  const [realExam, { score }] = await Promise.all([
    getRealExam(db, courseId),
    db
      .selectFrom('test_questions')
      .where('course_id', '=', courseId)
      .where('is_current_version', '=', true)
      .select((eb) => eb.fn.max('passing_score').as('score'))
      .executeTakeFirstOrThrow(),
  ])
  return { passMark: passMarkOf(realExam), passingScore: score ?? 70 }
}

/**
 * The exams that a learner has had and said nothing about, neither how they went nor 'not now'. They are asked from the day after the
 * exam on, in the time zone of the plan.
 */
export async function listResultQuestions(
  db: Db,
  of: { readonly userId: UserId; readonly courseId?: CourseId; readonly now: Date },
): Promise<ResultQuestion[]> {
  const ofCourse = of.courseId === undefined ? sql`` : sql`and p.course_id = ${of.courseId}`
  const { rows } = await sql<ResultQuestion>`
    select p.course_id as "courseId", courses.slug as "courseSlug", courses.title as "courseTitle", p.exam_date::text as "examDate"
    from ${plannedExams} as p join courses on courses.id = p.course_id
    where p.user_id = ${of.userId} ${ofCourse} and ${isOver(of.now)}
      and not exists (select from exam_results as r
        where r.user_id = p.user_id and r.course_id = p.course_id and r.exam_date = p.exam_date)
      and not exists (select from exam_result_questions as q
        where q.user_id = p.user_id and q.course_id = p.course_id and q.exam_date = p.exam_date and q.declined_at is not null)
    order by p.exam_date desc, p.course_id`.execute(db)
  return rows
}

/** A text in SQL that changes whenever a result of the user or an answer to a question about one does. */
export const resultsState = (userId: UserId) => sql<string>`(
  select count(*) || ' ' || coalesce(sum(written), 0) from (
    select xmin::text::bigint as written from exam_results where user_id = ${userId}
    union all select xmin::text::bigint from exam_result_questions where user_id = ${userId}) as told)`

/** Whether the exam of a plan `p` was yesterday or earlier, but not too long ago. */
export const isOver = (now: Date) => sql<boolean>`
  (${now}::timestamptz at time zone p.time_zone)::date > p.exam_date
  and (${now}::timestamptz at time zone p.time_zone)::date <= p.exam_date + ${ASKED_DAYS}::int`

async function readShifts(db: Db, courseId?: string): Promise<ReadonlyMap<string, ExamShift>> {
  const rows = await db
    .selectFrom('exam_results')
    .where('told', 'is not', null)
    .$if(courseId !== undefined, (query) => query.where('course_id', '=', courseId ?? ''))
    .orderBy('course_id')
    .orderBy('reported_at')
    .select(['course_id', 'told', 'is_passed', 'score_percent'])
    .execute()
  const byCourse = new Map<string, ExamResult[]>()
  for (const row of rows) {
    const result: ExamResult = {
      told: ToldDay.parse(row.told).abilities,
      isPassed: row.is_passed,
      scorePercent: row.score_percent,
    }
    byCourse.set(row.course_id, [...(byCourse.get(row.course_id) ?? []), result])
  }
  return new Map([...byCourse].map(([id, results]) => [id, shiftAfter(results)]))
}

/** How much harder the real exam is than the questions of a course, by the results of learners. */
export async function getExamShift(db: Db, courseId: string): Promise<ExamShift> {
  return (await readShifts(db, courseId)).get(courseId) ?? STATED_SHIFT
}

/** How much harder the real exams are than the questions of each course, by the results. Cached until a result changes. */
export const examShifts: CachedQuery<[], ReadonlyMap<string, ExamShift>> = {
  kind: 'analytics',
  read: (db) => readShifts(db),
  async state(db) {
    const { rows } = await sql<{ state: string }>`
      select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as state from exam_results`.execute(db)
    return rows[0]?.state ?? ''
  },
}

/** The forecasts for real exams with what happened, and the number of all reported results. */
export async function listOutcomes(db: Db): Promise<{ readonly outcomes: Outcome[]; readonly reportedCount: number }> {
  const rows = await db.selectFrom('exam_results').select(['told', 'is_passed']).execute()
  const outcomes = rows.flatMap(({ told, is_passed: isPassed }) => {
    const day = ToldDay.nullable().parse(told)
    return day === null ? [] : [{ chancePercent: day.realExam.passChance * 100, isPassed }]
  })
  return { outcomes, reportedCount: rows.length }
}

/** Whether everybody may see the chart of results. */
export async function areResultsPublic(db: Db): Promise<boolean> {
  const row = await db.selectFrom('result_publication').select('is_public').executeTakeFirst()
  return row?.is_public === true
}

/** The results and pledges of a user, for the export of their data. */
export function exportResults(db: Db, userId: UserId): OwnData[] {
  const results = () =>
    db
      .selectFrom('exam_results')
      .where('user_id', '=', userId)
      .orderBy('reported_at')
      .select(['id', 'course_id', 'is_passed', 'score', 'reported_at', sql<string>`exam_date::text`.as('exam_date')])
      .select(sql<object | null>`told - 'abilities'`.as('told'))
      .execute()
  const questions = () =>
    db
      .selectFrom('exam_result_questions')
      .where('user_id', '=', userId)
      .orderBy('exam_date')
      .select(['course_id', 'mailed_at', 'declined_at', sql<string>`exam_date::text`.as('exam_date')])
      .execute()
  const pledges = () =>
    db
      .selectFrom('pledges')
      .where('user_id', '=', userId)
      .orderBy('given_at')
      .select(['id', 'course_id', 'state', 'given_at', 'decided_at', 'reason'])
      .select([sql<string>`exam_date::text`.as('exam_date'), sql<object>`facts`.as('facts')])
      .execute()
  return [
    { name: 'exam_results', pages: inOnePage(results) },
    { name: 'exam_result_questions', pages: inOnePage(questions) },
    { name: 'pledges', pages: inOnePage(pledges) },
  ]
}
