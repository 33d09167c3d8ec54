import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { inPages, type OwnData } from '../../../platform/own-data-export.server.ts'
import type { ReadinessDay } from './readiness-days.ts'

const Normal = z.object({ mean: z.number(), deviation: z.number() })
const StoredAbility = z.object({
  advantage: Normal,
  spread: z.number(),
  guess: z.number(),
  questions: z.number(),
  passingPercent: z.number(),
})

/** The days on which the learner's readiness in the course changed, oldest first, as they were told. */
export async function listReadinessDays(
  db: Db,
  of: { readonly userId: UserId; readonly courseId: CourseId },
): Promise<ReadinessDay[]> {
  const rows = await db
    .selectFrom('readiness_days')
    .where('user_id', '=', of.userId)
    .where('course_id', '=', of.courseId)
    .orderBy('day')
    .select(['answered', 'mean', 'low', 'high', 'chance', 'real_mean', 'real_low', 'real_high', 'real_chance'])
    .select(['abilities', sql<string>`day::text`.as('name')])
    .execute()
  return rows.map((row) => ({
    day: row.name,
    answered: row.answered,
    meanPercent: row.mean,
    lowPercent: row.low,
    highPercent: row.high,
    passChance: row.chance,
    realExam: {
      meanPercent: row.real_mean,
      lowPercent: row.real_low,
      highPercent: row.real_high,
      passChance: row.real_chance,
    },
    abilities: StoredAbility.parse(row.abilities),
  }))
}

/** What the user was told, day by day. */
export function exportOf(db: Db, userId: UserId): OwnData[] {
  const days = (after: { course_id: string; day: string } | null, limit: number) =>
    db
      .selectFrom('readiness_days')
      .where('user_id', '=', userId)
      .where(
        after === null
          ? sql<boolean>`true`
          : sql<boolean>`(course_id, day) > (${after.course_id}::uuid, ${after.day}::date)`,
      )
      .orderBy('course_id')
      .orderBy('readiness_days.day')
      .limit(limit)
      .select([
        'course_id',
        sql<string>`readiness_days.day::text`.as('day'),
        'answered',
        'mean',
        'low',
        'high',
        'chance',
      ])
      .select(['real_mean', 'real_low', 'real_high', 'real_chance'])
      .execute()
  return [{ name: 'readiness_days', pages: inPages(days) }]
}
