import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId } from '../../../lib/ids.ts'
import { listMocks } from '../../attempts/drawn-exams/drawn-exams-queries.server.ts'
import { LEAST_ANSWERED } from '../../attempts/statistics/statistics.ts'
import { listPaidPeriods } from '../../access/access-queries.server.ts'
import { findExam, getExamDate } from '../plan/plan-queries.server.ts'
import { listReadinessDays } from '../readiness-history/readiness-history-queries.server.ts'
import { listResults, type ResultOf } from './exam-results-queries.server.ts'
import { PledgeState } from './exam-results.schema.ts'
import { judgePledge, type Condition, type PledgeFacts } from './pledge.ts'

/** Everything that the rule of the pledge asks about a learner and an exam: of that day, or the one that their plan names. */
export async function getPledgeFacts(db: Db, of: ResultOf, now: Date, examDate?: string): Promise<PledgeFacts> {
  const [exam, days, mocks, results, paidPeriods, used] = await Promise.all([
    examDate === undefined ? getExamDate(db, of) : findExam(db, of, examDate),
    listReadinessDays(db, of),
    listMocks(db, of),
    listResults(db, of),
    listPaidPeriods(db, of),
    db
      .selectFrom('pledges')
      .where('user_id', '=', of.userId)
      .where('course_id', '=', of.courseId)
      .select('paid_period_id')
      .execute(),
  ])
  const result = results.find(({ examDate }) => examDate === exam?.examDate)
  return {
    exam,
    days: days.map(({ day, passChance }) => ({ day, chancePercent: passChance * 100 })),
    // Of an exam that was handed in with less, the score says little.
    mocks: mocks.filter(({ answeredShare }) => answeredShare >= LEAST_ANSWERED),
    result: result === undefined ? null : { isPassed: result.isPassed, reportedAt: new Date(result.reportedAt) },
    paidPeriods,
    usedPeriodIds: used.map((row) => row.paid_period_id),
    now,
  }
}

/** The conditions of the pledge as a learner with an exam date meets them; null without a date. */
export async function getPledgeConditions(db: Db, of: ResultOf, now: Date): Promise<readonly Condition[] | null> {
  if ((await getExamDate(db, of)) === null) return null
  return judgePledge(await getPledgeFacts(db, of, now)).conditions
}

/** The pledge that was given for an exam; null if none was. */
export async function findGivenPledge(db: Db, of: ResultOf & { readonly examDate: string }) {
  const row = await db
    .selectFrom('pledges')
    .leftJoin('access_periods', 'access_periods.id', 'pledges.given_period_id')
    .where('pledges.user_id', '=', of.userId)
    .where('pledges.course_id', '=', of.courseId)
    .where('exam_date', '=', of.examDate)
    .select(['state', 'reason', 'access_periods.ends_at'])
    .executeTakeFirst()
  if (row === undefined) return null
  return { state: PledgeState.parse(row.state), reason: row.reason, until: row.ends_at?.toISOString() ?? null }
}

/** A pledge as admins see it. */
export type PledgeView = {
  readonly id: string
  readonly state: PledgeState
  readonly name: string
  readonly email: string
  readonly userId: string
  readonly courseTitle: string
  readonly examDate: string
  readonly givenAt: string
  readonly reason: string | null
}

const LISTED_PLEDGES = 100

function pledges(db: Db) {
  return db
    .selectFrom('pledges')
    .innerJoin('users', 'users.id', 'pledges.user_id')
    .innerJoin('courses', 'courses.id', 'pledges.course_id')
    .select([
      'pledges.id',
      'pledges.state',
      'pledges.given_at',
      'pledges.given_period_id',
      'pledges.course_id',
      'pledges.reason',
      'users.name',
      'users.email',
      'users.id as user_id',
      'courses.title',
      sql<string>`exam_date::text`.as('date'),
    ])
}

type PledgeRow = Awaited<ReturnType<ReturnType<typeof pledges>['executeTakeFirstOrThrow']>>

function toView(row: PledgeRow): PledgeView {
  return {
    id: row.id,
    state: PledgeState.parse(row.state),
    name: row.name,
    email: row.email,
    userId: row.user_id,
    courseTitle: row.title,
    examDate: row.date,
    givenAt: row.given_at.toISOString(),
    reason: row.reason,
  }
}

/** The pledges, those that no admin decided on first. */
export async function listPledges(db: Db): Promise<PledgeView[]> {
  const rows = await pledges(db)
    .orderBy(sql`pledges.state in ('accepted', 'declined')`)
    .orderBy('pledges.given_at', 'desc')
    .orderBy('pledges.id')
    .limit(LISTED_PLEDGES)
    .execute()
  return rows.map(toView)
}

/** A pledge, locked until the transaction ends. */
export async function lockPledge(tx: Db, id: string) {
  await sql`select from pledges where id = ${id} for update`.execute(tx)
  const row = await pledges(tx).where('pledges.id', '=', id).executeTakeFirst()
  return row === undefined
    ? null
    : { ...toView(row), courseId: row.course_id as CourseId, givenPeriodId: row.given_period_id }
}

/** Pledges that no admin has accepted or declined. */
export async function countWaitingPledges(db: Db): Promise<number> {
  const { waiting } = await db
    .selectFrom('pledges')
    .where('state', 'in', ['given', 'asked'])
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow()
  return waiting
}
