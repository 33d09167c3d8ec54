import { Answer, type Question } from '../../questions/types/question-types.schema.ts'
import { ScoringPolicy } from '../../questions/types/question-base.schema.ts'
import { POINTS } from '../../questions/types/type-grading.ts'
import { pointsOf } from '../../questions/types/grading-registry.ts'
import { countParts, isKeyDoubtful } from '../../questions/types/statistics-registry.ts'
import type { AnswerCount } from '../../questions/types/type-statistics.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { AdaptiveCache } from '../../../lib/adaptive-cache.ts'
import type { ExamId } from '../../../lib/ids.ts'
import { LIFETIMES_MS, ADAPTIVE_TTL } from '../../../platform/cache/cache-classes.ts'
import { countCacheUse } from '../../../platform/cache/cache-counts.server.ts'
import { getItemCalibrations } from '../calibrations/item-calibrations-queries.server.ts'
import { getExamCaseStudies, getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
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

type Version = { readonly id: string; readonly familyId: string; readonly now: Date }

/** The statistics of one version, cached until an attempt of the exam is finished, an answer key is corrected or the course calibrated. */
export async function getStatistics(db: Db, version: Version): Promise<ExamStatistics> {
  const state = await stateOf(db, version.familyId)
  const cached = cache.get(version.id)
  countCacheUse('analytics', cached?.state === state)
  if (cached?.state === state) return cached.statistics
  const statistics = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => compute(tx, version))
  cache.set(version.id, { state, statistics }, LIFETIMES_MS.analytics)
  return statistics
}

const cache = new AdaptiveCache<{ readonly state: string; readonly statistics: ExamStatistics }>({
  ...ADAPTIVE_TTL,
  now: () => performance.now(),
})

/** A text that changes whenever the statistics may have changed. */
async function stateOf(db: Db, familyId: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select concat_ws(' ',
      (select count(*) from attempts where family_id = ${familyId} and state = 'finished'),
      (select max(finished_at) from attempts where family_id = ${familyId} and state = 'finished'),
      (select count(*) from regrades where family_id = ${familyId}),
      (select max(at) from course_calibrations join test_questions using (course_id) where family_id = ${familyId})) as state`.execute(
    db,
  )
  return rows[0]?.state ?? ''
}

async function compute(tx: Db, version: Version): Promise<ExamStatistics> {
  const [questions, caseStudies, policy, taken] = [
    await getExamQuestions(tx, version.id as ExamId),
    await getExamCaseStudies(tx, version.id as ExamId),
    await policyOf(tx, version.id),
    await listTaken(tx, version),
  ]
  const titles = new Map(caseStudies.map(({ id, title }) => [id, title]))
  const asOf = version.now.toISOString()
  const count = taken.ids.length
  if (count < STATISTICS_FLOOR) return { count, asOf, scores: null, items: [] }
  const given = await countAnswers(tx, taken.ids)
  const sums = await addUp(tx, taken.ids, worthOf(questions, given, policy))
  const medians = await medianTimes(tx, taken.ids)
  const calibrations = await getItemCalibrations(tx, version.familyId, questions)
  const itemSums = questions.map(({ id }) => sums.items.get(id) ?? NOTHING)
  return {
    count,
    asOf,
    scores: scoreStatistics(itemSums, sums.total, { most: POINTS, passed: taken.passed }),
    items: questions.map((question, place) => {
      const item = itemSums[place] ?? NOTHING
      const facts = {
        facility: facilityOf(item, count, POINTS),
        discrimination: discriminationOf(item, sums.total),
      }
      const counts = countsOf(question, given.get(question.id) ?? [], count)
      return {
        questionId: question.id,
        calibration: calibrations[place] ?? null,
        type: question.type,
        number: place + 1,
        stem: question.stem,
        caseStudy: titles.get(question.caseStudy ?? '') ?? null,
        count,
        ...facts,
        ...counts,
        medianMs: medians.get(question.id) ?? null,
        flags: flagsOf({ ...facts, isKeyDoubtful: isKeyDoubtful(question.type, counts.parts) }),
      }
    }),
  }
}

/** How learners answered some questions of a version in their first attempt, without the statistics of the whole exam. */
export async function countFirstAnswers(
  db: Db,
  version: Omit<Version, 'now'>,
  questionIds: readonly string[],
): Promise<{ readonly takerCount: number; readonly given: ReadonlyMap<string, readonly AnswerCount[]> }> {
  const { ids } = await listTaken(db, version)
  return { takerCount: ids.length, given: await countAnswers(db, ids, questionIds) }
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

/** The first finished attempt of each learner at the exam, if it was at this version. */
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

/** An answer as the database holds it, and how often it was given. */
type Given = AnswerCount & { readonly stored: unknown }

/** The different answers to each question, or to those that are named, and how often each was given. */
async function countAnswers(
  db: Db,
  ids: readonly string[],
  questionIds: readonly string[] | null = null,
): Promise<Map<string, Given[]>> {
  const named = questionIds === null ? sql`` : sql`and question_id = any(${questionIds}::text[])`
  const { rows } = await sql<{ questionId: string; answer: unknown; count: number }>`
    select question_id as "questionId", answer, count(*)::int as count
    from attempt_answers join unnest(${ids}::uuid[]) as taken (id) on taken.id = attempt_id
    where answer is not null ${named} group by question_id, answer`.execute(db)
  const given = new Map<string, Given[]>()
  for (const { questionId, answer, count } of rows) {
    const one = { stored: answer, answer: Answer.parse(answer), count }
    const others = given.get(questionId)
    if (others === undefined) given.set(questionId, [one])
    else others.push(one)
  }
  return given
}

/** The points of an answer, which is named as the database holds it. */
type Worth = { readonly question_id: string; readonly answer: unknown; readonly points: number }

/** The points of each answer that was given, by the rule that grades attempts. */
function worthOf(
  questions: readonly Question[],
  given: ReadonlyMap<string, readonly Given[]>,
  policy: ScoringPolicy,
): Worth[] {
  return questions.flatMap((question) =>
    (given.get(question.id) ?? [])
      .map(({ stored, answer }) => ({
        question_id: question.id,
        answer: stored,
        points: pointsOf(question, answer, policy),
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
      select question_id, answer, points
      from json_to_recordset(${JSON.stringify(worth)}::json) as given (question_id text, answer jsonb, points int)),
    scored as materialized (
      select attempt_id, question_id, points
      from attempt_answers join unnest(${ids}::uuid[]) as taken (id) on taken.id = attempt_id
      join worth using (question_id, answer)),
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

/** The median of the time that the page measured, without learners who never looked at the question. */
async function medianTimes(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ questionId: string; median: number }>`
    select question_id as "questionId", percentile_cont(0.5) within group (order by active_ms) as median
    from attempt_answers join unnest(${ids}::uuid[]) as taken (id) on taken.id = attempt_id
    where active_ms > 0 group by question_id`.execute(db)
  return new Map(rows.map(({ questionId, median }) => [questionId, Math.round(median)]))
}

function countsOf(
  question: Question,
  given: readonly Given[],
  count: number,
): Pick<ItemStatistics, 'parts' | 'blankCount'> {
  const answered = given.reduce((sum, one) => sum + one.count, 0)
  return { parts: countParts(question, given), blankCount: count - answered }
}
