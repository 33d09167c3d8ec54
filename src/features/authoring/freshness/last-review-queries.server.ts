import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { cachedQuery } from '../../../platform/cache/cached-queries.server.ts'

/** The latest day on which a question of a course was verified, and how many were then or in the 12 months before. */
export type LastReview = { readonly day: string; readonly verified: number; readonly questions: number }

/**
 * Null if none was. Counted back from that day and not from today, so that a page that is cached stays true. A question that
 * changed after it was verified does not count.
 */
export async function getLastReview(db: Db, courseId: string): Promise<LastReview | null> {
  const { rows } = await sql<LastReview>`
    with known as (
      select case when verified_hash = text_hash and verified_on <= current_date + 1 then verified_on end as verified_on
      from question_freshness as question
      join test_questions as exam on exam.family_id = question.family_id and exam.is_current_version
      where exam.course_id = ${courseId})
    select max(verified_on)::text as day, count(*)::int as questions,
      count(*) filter (where verified_on >= (select max(verified_on) from known) - interval '12 months')::int as verified
    from known`.execute(db)
  const [review] = rows
  return review === undefined || review.verified === 0 ? null : review
}

/** Cached until the catalogue changes. */
export const lastReview = cachedQuery('course-detail', getLastReview)
