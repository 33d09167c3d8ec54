import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { getExamShift } from '../exam-results/exam-results-queries.server.ts'
import { tellReadiness, type ReadinessFacts } from '../readiness/readiness.ts'
import { endOfDay } from '../study.ts'
import { getReadinessFacts } from '../study-exams-queries.server.ts'
import type { StudyAnswer } from '../study.schema.ts'

/** A day with answers, and the answers that may count for readiness at its end. */
type AnsweredDay = { readonly day: string; readonly newAnswers: readonly StudyAnswer[] }

type DaysOf = {
  readonly userId: UserId
  readonly courseId: CourseId
  /** Oldest first. */
  readonly days: readonly AnsweredDay[]
  /** Whether all answers were read again, because earlier ones changed. */
  readonly isRecomputed: boolean
}

/**
 * Records what the learner was told at the end of each of these days. What was told on an earlier day stays, even if an answer key
 * was corrected since; only the last day follows the present. A day without an estimate has no row.
 */
export async function recordReadinessDays(db: Db, of: DaysOf): Promise<void> {
  if (of.days.length === 0) return
  const told = of.isRecomputed ? await listToldDays(db, of) : new Set<string>()
  const last = of.days.at(-1)?.day
  const missing = of.days.filter(({ day }) => day === last || !told.has(day))
  const [course, shift] = await Promise.all([getReadinessFacts(db, of.courseId), getExamShift(db, of.courseId)])
  const facts = { ...course, shift }
  const rows: object[] = []
  for (const [place, day] of missing.entries()) {
    const row = rowOf(day, facts)
    if (row !== null) rows.push(row)
    // A year of days takes a while: other requests go on in between.
    if (place % 5 === 4) await setImmediate()
  }
  await store(db, of, rows)
}

async function listToldDays(db: Db, { userId, courseId }: DaysOf): Promise<Set<string>> {
  const rows = await db
    .selectFrom('readiness_days')
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .select(sql<string>`day::text`.as('name'))
    .execute()
  return new Set(rows.map(({ name }) => name))
}

function rowOf({ day, newAnswers }: AnsweredDay, course: Omit<ReadinessFacts, 'answers' | 'now'>) {
  const { readiness, told } = tellReadiness({ ...course, answers: newAnswers, now: endOfDay(new Date(day)) })
  if (readiness.kind === 'not-enough') return null
  const { realExam } = readiness
  return {
    day,
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
    insert into readiness_days (user_id, course_id, day, answered, mean, low, high, chance,
      real_mean, real_low, real_high, real_chance, abilities)
    select ${userId}, ${courseId}, day, answered, mean, low, high, chance, real_mean, real_low, real_high, real_chance, abilities
    from json_to_recordset(${JSON.stringify(rows)}::json) as told (day date, answered int, mean float8, low float8, high float8,
      chance float8, real_mean float8, real_low float8, real_high float8, real_chance float8, abilities jsonb)
    on conflict (user_id, course_id, day) do update set answered = excluded.answered, mean = excluded.mean, low = excluded.low,
      high = excluded.high, chance = excluded.chance, real_mean = excluded.real_mean, real_low = excluded.real_low,
      real_high = excluded.real_high, real_chance = excluded.real_chance, abilities = excluded.abilities`.execute(db)
}
