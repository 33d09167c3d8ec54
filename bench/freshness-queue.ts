import { sql } from 'kysely'
import type { Db } from '../src/db/open.server.ts'
import { listStaleQuestions } from '../src/features/authoring/freshness/freshness-queries.server.ts'
import { StaleFilter } from '../src/features/authoring/freshness/freshness.schema.ts'
import { dayOf } from '../src/features/authoring/freshness/verification.ts'
import { aCourse } from '../tests/support/build-course.ts'
import { withDatabase } from './bank-course.ts'
import { figureRow, limitRow, logged, median, type Row } from './table.ts'

const SMALL = 500
const LARGE = 10_000
const CALLS = 25
/** Our own: the queue counts every question of the shop, so it grows with them, and an admin must not notice. */
const LIMIT_MS = 250

/** The first page of the freshness queue of a shop with 10,000 questions, in turns with that of a shop with 500. */
export function benchFreshness(): Promise<Row[]> {
  return withDatabase((small) =>
    withDatabase(async (large) => {
      await fill(small, SMALL)
      await fill(large, LARGE)
      const turns: { small: number; large: number }[] = []
      for (let call = 0; call <= CALLS; call += 1)
        turns.push({ small: await timed(small, SMALL), large: await timed(large, LARGE) })
      // The first turn warms up and does not count.
      const of = (size: 'small' | 'large') => median(turns.slice(1).map((turn) => turn[size]))
      const ratio = median(turns.slice(1).map((turn) => turn.large / turn.small))
      return [
        logged(limitRow('freshness queue of 10,000 questions, half of them stale', of('large'), LIMIT_MS, 'ms')),
        logged(figureRow('beside that of 500', `${ratio.toFixed(1)} times (${of('small').toFixed(1)} ms)`)),
      ]
    }),
  )
}

async function timed(db: Db, size: number): Promise<number> {
  const startedAt = performance.now()
  const filter = StaleFilter.parse({ course: null, reason: null })
  const { totalCount } = await listStaleQuestions(db, filter, dayOf(new Date()))
  if (totalCount !== size) throw new Error(`the queue counts ${totalCount} questions`)
  return performance.now() - startedAt
}

/** Exams of 50 questions in courses of 500; every second question was verified today. */
async function fill(db: Db, size: number): Promise<void> {
  for (let course = 0; course < size / 500; course += 1) {
    const { id } = await aCourse(db)
    await sql`
      insert into test_questions (course_id, test_name, slug, position, questions)
      select ${id}::uuid, 'Exam ' || n, 'exam-' || n || '-' || ${id}::text, n, (
        select jsonb_agg(jsonb_build_object('id', 'q-' || n || '-' || i, 'type', 'numerical', 'stem', repeat('word ', 100),
          'explanation', repeat('why ', 200), 'domain', 'Odd', 'url', 'https://example.com/' || i, 'value', '1')
          || case when i % 2 = 0 then jsonb_build_object('verifiedOn', ${dayOf(new Date())}::text) else '{}' end)
        from generate_series(1, 50) as i)
      from generate_series(1, 10) as n`.execute(db)
  }
  await sql`vacuum (analyze)`.execute(db)
}
