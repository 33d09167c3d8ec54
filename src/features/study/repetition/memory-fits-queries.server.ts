import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { inOnePage, type OwnData } from '../../../platform/own-data-export.server.ts'
import { answersForFit } from './fit-choice.ts'
import type { Weights } from './repetition.ts'

/** The parameters that were fitted to a learner, from how many reviews, and how many later ones confirmed them. */
export type FittedMemory = { readonly weights: Weights; readonly reviews: number; readonly heldOut: number }

/** Null where the published parameters count. */
export async function findFittedMemory(db: Db, userId: UserId): Promise<FittedMemory | null> {
  const row = await db
    .selectFrom('memory_fits')
    .where('user_id', '=', userId)
    .select(['weights', 'reviews', 'held_out'])
    .executeTakeFirst()
  if (row === undefined || row.weights === null) return null
  return { weights: row.weights, reviews: row.reviews, heldOut: row.held_out }
}

export type LearnerNews = { readonly userId: UserId; readonly answers: number }

/** The learners with enough answers since their last fit. */
export async function listLearnersToFit(db: Db): Promise<LearnerNews[]> {
  const { rows } = await sql<LearnerNews & { before: number }>`
    with given as (
      select user_id, (result->>'answeredCount')::int as count from attempts where state = 'finished' and user_id is not null
      union all
      select user_id, 1 from drill_answers join drills on drills.id = drill_id
      where answered_at is not null and user_id is not null
    ), totals as (select user_id, sum(count)::int as answers from given group by user_id having sum(count) >= ${answersForFit(0)})
    select totals.user_id as "userId", totals.answers, coalesce(memory_fits.answers, 0) as before
    from totals left join memory_fits on memory_fits.user_id = totals.user_id
    where totals.answers > coalesce(memory_fits.answers, 0) order by 1`.execute(db)
  return rows
    .filter(({ answers, before }) => answers >= answersForFit(before))
    .map(({ userId, answers }) => ({ userId, answers }))
}

/** The courses in which a learner has answered. */
export async function listAnsweredCourses(db: Db, userId: UserId): Promise<CourseId[]> {
  const { rows } = await sql<{ courseId: CourseId }>`
    select course_id as "courseId" from attempts where user_id = ${userId} and state = 'finished'
    union select course_id from drills where user_id = ${userId} order by 1`.execute(db)
  return rows.map(({ courseId }) => courseId)
}

/** The last fit of a user's memory, for the export of their data. */
export function exportMemoryFits(db: Db, userId: UserId): OwnData[] {
  const fits = () =>
    db
      .selectFrom('memory_fits')
      .where('user_id', '=', userId)
      .select(['fitted_at', 'answers', 'reviews', 'held_out', 'fitted_loss', 'published_loss', 'weights'])
      .execute()
  return [{ name: 'memory_fits', pages: inOnePage(fits) }]
}
