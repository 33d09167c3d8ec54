import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { dayIn, endOfDayIn } from '../../../lib/calendar-day.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { getExamShift } from '../exam-results/exam-results-queries.server.ts'
import { tellReadiness, type ReadinessFacts } from '../readiness/readiness.ts'
import { getReadinessFacts } from '../study-exams-queries.server.ts'
import type { StudyAnswer } from '../study.schema.ts'

/** A day with answers, its last answer, and the answers that may count for readiness at its end. */
export type AnsweredDay = { readonly day: string; readonly lastAt: Date; readonly newAnswers: readonly StudyAnswer[] }

type DaysOf = {
  readonly userId: UserId
  readonly courseId: CourseId
  /** That of the days. */
  readonly timeZone: string
  /** Oldest first. */
  readonly days: readonly AnsweredDay[]
  /** Whether all answers were read again, because earlier ones changed. */
  readonly isRecomputed: boolean
}

/** What is told of a day. */
const TOLD = sql.raw('answered, mean, low, high, chance, real_mean, real_low, real_high, real_chance, abilities')

/**
 * Records what the learner was told at the end of each of these days. What was told on an earlier day stays, even if an answer key
 * was corrected since; only the last day follows the present. A day without an estimate has no row.
 */
export async function recordReadinessDays(db: Db, of: DaysOf): Promise<void> {
  if (of.days.length === 0) return
  const told = of.isRecomputed ? await moveToldDays(db, of) : new Set<string>()
  const last = of.days.at(-1)?.day
  const missing = of.days.filter(({ day }) => day === last || !told.has(day))
  const [course, shift] = await Promise.all([getReadinessFacts(db, of.courseId), getExamShift(db, of.courseId)])
  const facts = { ...course, shift }
  const rows: object[] = []
  for (const [place, day] of missing.entries()) {
    const row = rowOf(day, of.timeZone, facts)
    if (row !== null) rows.push(row)
    // A year of days takes a while: other requests go on in between.
    if (place % 5 === 4) await setImmediate()
  }
  await store(db, of, rows)
}

/**
 * Moves what was told to the days on which it was told in the present zone, and returns them. Of two days that become one the later
 * one stays.
 */
async function moveToldDays(db: Db, { userId, courseId, timeZone }: DaysOf): Promise<Set<string>> {
  const rows = await db
    .selectFrom('readiness_days')
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .select(sql<string>`day::text`.as('from'))
    .select(sql<Date>`coalesce(last_at, (day + time '12:00') at time zone 'UTC')`.as('lastAt'))
    .execute()
  const moves = rows.map(({ from, lastAt }) => ({ from, to: dayIn(lastAt, timeZone) }))
  if (moves.some(({ from, to }) => from !== to))
    // Sorting takes all rows out before the first one is put back.
    await sql`
      with moved as (
        delete from readiness_days using json_to_recordset(${JSON.stringify(moves)}::json) as move ("from" date, "to" date)
        where user_id = ${userId} and course_id = ${courseId} and day = move."from"
        returning move."to", day, last_at, ${TOLD}
      )
      insert into readiness_days (user_id, course_id, day, last_at, ${TOLD})
      select distinct on ("to") ${userId}::uuid, ${courseId}::uuid, "to", last_at, ${TOLD} from moved
      order by "to", day desc`.execute(db)
  return new Set(moves.map(({ to }) => to))
}

function rowOf(
  { day, lastAt, newAnswers }: AnsweredDay,
  timeZone: string,
  course: Omit<ReadinessFacts, 'answers' | 'now'>,
) {
  const { readiness, told } = tellReadiness({ ...course, answers: newAnswers, now: endOfDayIn(lastAt, timeZone) })
  if (readiness.kind === 'not-enough') return null
  const { realExam } = readiness
  return {
    day,
    last_at: lastAt,
    answered: readiness.answered,
    mean: readiness.expectedPercent,
    low: readiness.lowPercent,
    high: readiness.highPercent,
    chance: readiness.passChance,
    real_mean: realExam.expectedPercent,
    real_low: realExam.lowPercent,
    real_high: realExam.highPercent,
    real_chance: realExam.passChance,
    abilities: told,
  }
}

async function store(db: Db, { userId, courseId }: DaysOf, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into readiness_days (user_id, course_id, day, last_at, ${TOLD})
    select ${userId}, ${courseId}, day, last_at, ${TOLD}
    from json_to_recordset(${JSON.stringify(rows)}::json) as told (day date, last_at timestamptz, answered int, mean float8,
      low float8, high float8, chance float8, real_mean float8, real_low float8, real_high float8, real_chance float8, abilities jsonb)
    on conflict (user_id, course_id, day) do update set last_at = excluded.last_at, answered = excluded.answered,
      mean = excluded.mean, low = excluded.low, high = excluded.high, chance = excluded.chance, real_mean = excluded.real_mean,
      real_low = excluded.real_low, real_high = excluded.real_high, real_chance = excluded.real_chance,
      abilities = excluded.abilities`.execute(db)
}
