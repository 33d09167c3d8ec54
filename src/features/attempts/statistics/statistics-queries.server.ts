import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { AdaptiveCache } from '../../../lib/adaptive-cache.ts'
import type { ExamId } from '../../../lib/ids.ts'
import { LIFETIMES_MS, ADAPTIVE_TTL } from '../../../platform/cache/cache-classes.ts'
import { countCacheUse } from '../../../platform/cache/cache-counts.server.ts'
import { getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import type { Question } from '../../questions/questions.schema.ts'
import { POINTS, pointsOf } from '../attempts.ts'
import { ScoringPolicy } from '../attempts.schema.ts'
import {
  discriminationOf,
  facilityOf,
  flagsOf,
  LEAST_ANSWERED,
  scoreStatistics,
  STATISTICS_FLOOR,
  type ItemSums,
  type TotalSums,
} from './statistics.ts'
import type { ExamStatistics, ItemStatistics } from './statistics.schema.ts'

/** The statistics of one version, kept until another attempt of the exam is finished or a key is mended. */
export async function getStatistics(
  db: Db,
  version: { readonly id: string; readonly familyId: string; readonly now: Date },
): Promise<ExamStatistics> {
  const state = await stateOf(db, version.familyId)
  const held = kept.get(version.id)
  countCacheUse('analytics', held?.state === state)
  if (held?.state === state) return held.statistics
  const statistics = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => compute(tx, version))
  kept.set(version.id, { state, statistics }, LIFETIMES_MS.analytics)
  return statistics
}

const kept = new AdaptiveCache<{ readonly state: string; readonly statistics: ExamStatistics }>({
  ...ADAPTIVE_TTL,
  now: () => performance.now(),
})

/** Changes whenever the statistics may. */
async function stateOf(db: Db, familyId: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select concat_ws(' ',
      (select count(*) from attempts where family_id = ${familyId} and state = 'finished'),
      (select max(finished_at) from attempts where family_id = ${familyId} and state = 'finished'),
      (select count(*) from regrades where family_id = ${familyId})) as state`.execute(db)
  return rows[0]?.state ?? ''
}

async function compute(
  tx: Db,
  version: { readonly id: string; readonly familyId: string; readonly now: Date },
): Promise<ExamStatistics> {
  const [questions, policy, taken] = [
    await getExamQuestions(tx, version.id as ExamId),
    await policyOf(tx, version.id),
    await listTaken(tx, version),
  ]
  const asOf = version.now.toISOString()
  const count = taken.ids.length
  if (count < STATISTICS_FLOOR) return { count, asOf, scores: null, items: [] }
  const chosen = await countChosen(tx, taken.ids)
  const sums = await addUp(tx, taken.ids, worthOf(questions, chosen, policy))
  const medians = await medianTimes(tx, taken.ids)
  const itemSums = questions.map(({ id }) => sums.items.get(id) ?? NOTHING)
  return {
    count,
    asOf,
    scores: scoreStatistics(itemSums, sums.total, { most: POINTS, passed: taken.passed }),
    items: questions.map((question, place) => {
      const item = itemSums[place] ?? NOTHING
      const facts = {
        ...choicesOf(question, chosen.get(question.id) ?? [], count),
        facility: facilityOf(item, count, POINTS),
        discrimination: discriminationOf(item, sums.total),
      }
      return {
        questionId: question.id,
        number: place + 1,
        stem: question.stem,
        count,
        ...facts,
        medianMs: medians.get(question.id) ?? null,
        flags: flagsOf({ ...facts, answers: question.options }),
      }
    }),
  }
}

const NOTHING: ItemSums = { points: 0, squares: 0, timesTotal: 0 }

async function policyOf(db: Db, examId: string): Promise<ScoringPolicy> {
  const { scoring_policy: policy } = await db
    .selectFrom('test_questions')
    .where('id', '=', examId)
    .select('scoring_policy')
    .executeTakeFirstOrThrow()
  return ScoringPolicy.parse(policy)
}

/** The first finished attempt of each learner at any version of the exam, where that was at this one. */
async function listTaken(
  db: Db,
  { id, familyId }: { readonly id: string; readonly familyId: string },
): Promise<{ ids: string[]; passed: number }> {
  const { rows } = await sql<{ id: string; isPassed: boolean }>`
    with first_attempts as (
      select distinct on (user_id) id, exam_id, is_passed, result
      from attempts
      where family_id = ${familyId} and state = 'finished' and mode in ('timed', 'practice') and user_id is not null
      order by user_id, finished_at, id)
    select first_attempts.id, is_passed as "isPassed"
    from first_attempts
    where exam_id = ${id}
      and (result->>'answeredCount')::int >= ${LEAST_ANSWERED}::float8 * (result->>'questionCount')::int
      and not exists (
        select from attempts as theirs join profiles on profiles.id = theirs.user_id
        where theirs.id = first_attempts.id and profiles.role = 'admin')`.execute(db)
  return { ids: rows.map((row) => row.id), passed: rows.filter((row) => row.isPassed).length }
}

type Chosen = { readonly selection: readonly string[]; readonly count: number }

/** For each question the different selections that were made, and how often. There are few: answers are at most six. */
async function countChosen(db: Db, ids: readonly string[]): Promise<Map<string, Chosen[]>> {
  const { rows } = await sql<Chosen & { questionId: string }>`
    select question_id as "questionId", selection, count(*)::int as count
    from attempt_answers join unnest(${ids}::uuid[]) as taken (id) on taken.id = attempt_id
    where selection <> '{}' group by question_id, selection`.execute(db)
  const chosen = new Map<string, Chosen[]>()
  for (const { questionId, ...one } of rows) chosen.set(questionId, [...(chosen.get(questionId) ?? []), one])
  return chosen
}

type Worth = { readonly question_id: string; readonly selection: readonly string[]; readonly points: number }

/** What each selection that was made is worth, by the one rule that grades attempts. */
function worthOf(
  questions: readonly Question[],
  chosen: ReadonlyMap<string, readonly Chosen[]>,
  policy: ScoringPolicy,
): Worth[] {
  return questions.flatMap((question) =>
    (chosen.get(question.id) ?? [])
      .map(({ selection }) => ({
        question_id: question.id,
        selection,
        points: pointsOf(question, selection, policy),
      }))
      .filter(({ points }) => points > 0),
  )
}

type SumRow = { questionId: string; points: number; squares: number; timesTotal: number }

async function addUp(
  db: Db,
  ids: readonly string[],
  worth: readonly Worth[],
): Promise<{ items: Map<string, ItemSums>; total: TotalSums }> {
  const { rows } = await sql<SumRow & { count: number | null }>`
    with worth as materialized (
      select question_id, selection, points
      from json_to_recordset(${JSON.stringify(worth)}::json) as given (question_id text, selection text[], points int)),
    scored as materialized (
      select attempt_id, question_id, points
      from attempt_answers join unnest(${ids}::uuid[]) as taken (id) on taken.id = attempt_id
      join worth using (question_id, selection)),
    totals as materialized (select attempt_id, sum(points) as total from scored group by attempt_id)
    select question_id as "questionId", sum(points)::float8 as points, sum(points * points)::float8 as squares,
      sum(points * total)::float8 as "timesTotal", null::int as count
    from scored join totals using (attempt_id) group by question_id
    union all
    select '', coalesce(sum(total), 0)::float8, coalesce(sum(total * total), 0)::float8, 0, ${ids.length}::int
    from totals`.execute(db)
  const total = rows.find(({ count }) => count !== null)
  return {
    items: new Map(rows.filter(({ count }) => count === null).map((row) => [row.questionId, row])),
    total: { count: ids.length, points: total?.points ?? 0, squares: total?.squares ?? 0 },
  }
}

/** Of those who looked at it at all, by the time that the page measured. */
async function medianTimes(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ questionId: string; median: number }>`
    select question_id as "questionId", percentile_cont(0.5) within group (order by active_ms) as median
    from attempt_answers join unnest(${ids}::uuid[]) as taken (id) on taken.id = attempt_id
    where active_ms > 0 group by question_id`.execute(db)
  return new Map(rows.map(({ questionId, median }) => [questionId, Math.round(median)]))
}

/** How often each answer was chosen; who chose several counts at each of them. */
function choicesOf(
  question: Question,
  chosen: readonly Chosen[],
  count: number,
): Pick<ItemStatistics, 'choices' | 'blankCount'> {
  const answered = chosen.reduce((sum, one) => sum + one.count, 0)
  return {
    choices: question.options.map(({ id, text, isRight }) => ({
      optionId: id,
      text,
      isRight,
      count: chosen.reduce((sum, one) => sum + (one.selection.includes(id) ? one.count : 0), 0),
    })),
    blankCount: count - answered,
  }
}
