import type { Answer } from '../../questions/types/question-types.schema.ts'
import { findExtraTime, readAnswer, takerId } from '../attempts-queries.server.ts'
import { sql } from 'kysely'
import { PREPARED, type Db } from '../../../db/open.server.ts'
import type { AttemptId, CourseId, ExamId, UserId } from '../../../lib/ids.ts'
import type { CachedQuery } from '../../../platform/cache/cached-queries.server.ts'
import type { ExtraTime } from '../../../lib/extra-time.ts'
import { HISTORY_PAGE } from '../attempts.ts'
import type { AttemptsAtExam, AttemptSummary, QuestionOrigin, Taker } from '../attempts.schema.ts'

/** The attempts of a user, newest first: all, or the first `limit`. */
export async function listAttempts(db: Db, of: { userId: UserId; limit?: number }): Promise<AttemptSummary[]> {
  const rows = await summaries(db)
    .where('attempts.user_id', '=', of.userId)
    .$if(of.limit !== undefined, (query) => query.limit(of.limit ?? 0))
    .execute()
  return rows.map(toSummary)
}

/** A taker's attempts at one exam, all versions, newest first. A page beyond the last one is the last one. */
export async function listAttemptsAtExam(
  db: Db,
  of: { readonly taker: Taker; readonly familyId: string; readonly page: number },
): Promise<AttemptsAtExam> {
  const column = of.taker.kind === 'person' ? 'attempts.user_id' : 'attempts.guest_id'
  const own = db
    .selectFrom('attempts')
    .where(column, '=', takerId(of.taker))
    .where('attempts.family_id', '=', of.familyId)
  const { finished: finishedCount, open: openCount } = await own
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('state', '=', 'finished').as('finished'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'open').as('open'),
    ])
    .executeTakeFirstOrThrow()
  const page = Math.max(1, Math.min(of.page, Math.ceil(finishedCount / HISTORY_PAGE)))
  const those = (state: 'open' | 'finished') =>
    summaries(db)
      .where(column, '=', takerId(of.taker))
      .where('attempts.family_id', '=', of.familyId)
      .where('attempts.state', '=', state)
  const [open, finished] = await Promise.all([
    openCount === 0 ? [] : those('open').execute(),
    finishedCount === 0
      ? []
      : those('finished')
          .limit(HISTORY_PAGE)
          .offset((page - 1) * HISTORY_PAGE)
          .execute(),
  ])
  return { open: open.map(toSummary), finished: finished.map(toSummary), finishedCount, page }
}

function summaries(db: Db) {
  return db
    .selectFrom('attempts')
    .leftJoin('test_questions', 'test_questions.id', 'attempts.exam_id')
    .innerJoin('courses', 'courses.id', 'attempts.course_id')
    .select([
      'attempts.id',
      'attempts.exam_id',
      'attempts.family_id',
      'attempts.course_id',
      'attempts.mode',
      'attempts.state',
      'attempts.started_at',
      'attempts.finished_at',
      'attempts.deadline_at',
      'attempts.score_percent',
      'attempts.is_passed',
      'test_questions.slug',
      sql<string>`coalesce(test_questions.test_name, attempts.drawn ->> 'title', '')`.as('test_name'),
      'courses.slug as course_slug',
      sql<number>`jsonb_array_length(attempts.layout)`.as('question_count'),
    ])
    .select((eb) =>
      eb
        .selectFrom('attempt_answers')
        .whereRef('attempt_answers.attempt_id', '=', 'attempts.id')
        .where('attempt_answers.answer', 'is not', null)
        .select((answers) => answers.fn.countAll<number>().as('answered'))
        .as('answered_count'),
    )
    .orderBy('attempts.started_at', 'desc')
    .orderBy('attempts.id')
}

type SummaryRow = Awaited<ReturnType<ReturnType<typeof summaries>['executeTakeFirstOrThrow']>>

function toSummary(row: SummaryRow): AttemptSummary {
  return {
    id: row.id,
    examId: row.exam_id,
    familyId: row.family_id,
    examSlug: row.slug,
    examTitle: row.test_name,
    courseId: row.course_id,
    courseSlug: row.course_slug,
    mode: row.mode,
    state: row.state,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    deadlineAt: row.deadline_at?.toISOString() ?? null,
    scorePercent: row.score_percent === null ? null : Number(row.score_percent),
    isPassed: row.is_passed,
    answeredCount: row.answered_count ?? 0,
    questionCount: row.question_count,
  }
}

/**
 * A text in SQL that changes whenever an attempt of the user starts, ends or is regraded. Each use of a cached result compares it:
 * notifying the caches of each start and end would make the commits wait for each other (decision 0011). Transaction ids grow, so
 * their sum changes with each.
 */
export const attemptsState = (userId: UserId) => sql<string>`(
  select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) from attempts where user_id = ${userId})`

/** A user's attempts at an exam, and their extra time, as the start page shows them. */
export type OwnAttemptsAtExam = { readonly attempts: AttemptsAtExam; readonly extraTime: ExtraTime }

/** Cached by user, exam and page of the history. Saved answers change its state too: the page says how many there are. */
export const attemptsOfUser: CachedQuery<[UserId, string, string], OwnAttemptsAtExam> = {
  kind: 'user-progress',
  async read(db, userId, familyId, page) {
    const taker = { kind: 'person' as const, userId }
    const [attempts, extraTime] = await Promise.all([
      listAttemptsAtExam(db, { taker, familyId, page: Number(page) }),
      findExtraTime(db, userId),
    ])
    return { attempts, extraTime }
  },
  async state(db, userId, familyId) {
    const { rows } = await sql<{ state: string }>`${sql.raw(PREPARED)}
      select concat_ws(' ', (select extra_time from profiles where id = ${userId}), count(*), sum(xmin::text::bigint), sum(
        case when state = 'open' then
          (select count(*) from attempt_answers where attempt_id = attempts.id and answer is not null) end)) as state
      from attempts where user_id = ${userId} and family_id = ${familyId}`.execute(db)
    return rows[0]?.state ?? ''
  },
}

/** The results of a user's attempts at an exam of a course. */
export type ExamResults = {
  readonly courseId: string
  readonly examSlug: string
  readonly finishedCount: number
  /** Whether any of them passed. */
  readonly isPassed: boolean
  /** The finished attempt with the highest score, the latest of equal ones. */
  readonly best: { readonly id: string; readonly scorePercent: number; readonly isPassed: boolean } | null
  /** The latest open attempt. */
  readonly open: AttemptSummary | null
}

type FinishedRow = Pick<ExamResults, 'courseId' | 'examSlug' | 'finishedCount' | 'isPassed'> & {
  readonly bestId: string
  readonly bestPercent: string | null
  readonly isBestPassed: boolean | null
}

/** The results of a user at each exam, to be cached. */
export async function listExamResults(db: Db, userId: UserId): Promise<ExamResults[]> {
  const bestFirst = sql`order by score_percent desc nulls last, started_at desc, attempts.id`
  const [{ rows: finished }, openRows] = await Promise.all([
    sql<FinishedRow>`
      select attempts.course_id as "courseId", slug as "examSlug", count(*) as "finishedCount",
        coalesce(bool_or(is_passed), false) as "isPassed", max(score_percent) as "bestPercent",
        (array_agg(attempts.id ${bestFirst}))[1] as "bestId",
        (array_agg(is_passed ${bestFirst}))[1] as "isBestPassed"
      from attempts join test_questions on test_questions.id = exam_id
      where attempts.user_id = ${userId} and state = 'finished' group by 1, 2`.execute(db),
    summaries(db)
      .where('attempts.user_id', '=', userId)
      .where('attempts.state', '=', 'open')
      .where('attempts.exam_id', 'is not', null)
      .execute(),
  ])
  const results = new Map<string, ExamResults>()
  for (const { bestId: id, bestPercent, isBestPassed, ...row } of finished) {
    const best = { id, scorePercent: Number(bestPercent ?? 0), isPassed: isBestPassed === true }
    results.set(`${row.courseId} ${row.examSlug}`, { ...row, best, open: null })
  }
  for (const open of openRows.map(toSummary).toReversed()) {
    const { courseId, examSlug } = open
    if (examSlug === null) continue
    const key = `${courseId} ${examSlug}`
    const known = results.get(key) ?? { courseId, examSlug, finishedCount: 0, isPassed: false, best: null }
    results.set(key, { ...known, open })
  }
  return [...results.values()]
}

/** Cached results with the answers of open attempts, which are counted each time, because saves do not invalidate the cache. */
export async function withAnswered(db: Db, results: readonly ExamResults[]): Promise<readonly ExamResults[]> {
  const open = results.flatMap((one) => one.open?.id ?? [])
  if (open.length === 0) return results
  const rows = await db
    .selectFrom('attempt_answers')
    .where('attempt_id', 'in', open)
    .where('answer', 'is not', null)
    .groupBy('attempt_id')
    .select((eb) => ['attempt_id', eb.fn.countAll<number>().as('answered')])
    .execute()
  const answered = new Map(rows.map((row) => [row.attempt_id, row.answered]))
  return results.map((one) =>
    one.open === null ? one : { ...one, open: { ...one.open, answeredCount: answered.get(one.open.id) ?? 0 } },
  )
}

/** A finished attempt with the answer to each of its questions, in the order that was shown. */
type FinishedAnswers = {
  readonly attemptId: AttemptId
  readonly courseId: CourseId
  readonly finishedAt: Date
  /** By the ids that they have in their exams. */
  readonly questions: readonly {
    readonly examId: ExamId
    readonly familyId: string
    readonly questionId: string
    readonly answer: Answer | null
    readonly isFlagged: boolean
    readonly activeMs: number
    readonly confidence: 'sure' | 'unsure' | null
  }[]
}

/**
 * The range of a user's answers in a course: after an instant, if there is one, up to another. Both are texts, as the database
 * writes them.
 */
export type GivenIn = {
  readonly userId: UserId
  readonly courseId: CourseId
  readonly after: string | null
  readonly until: string
}

export function between(column: 'attempts.finished_at' | 'drill_answers.answered_at', { after, until }: GivenIn) {
  const to = sql<boolean>`${sql.ref(column)} <= ${until}::timestamptz`
  return after === null ? to : sql<boolean>`${to} and ${sql.ref(column)} > ${after}::timestamptz`
}

/** The finished attempts of a user in a course, oldest first. */
export async function listFinishedAnswers(db: Db, of: GivenIn): Promise<FinishedAnswers[]> {
  const finished = db
    .selectFrom('attempts')
    .where('attempts.user_id', '=', of.userId)
    .where('attempts.course_id', '=', of.courseId)
    .where('attempts.state', '=', 'finished')
    .where(between('attempts.finished_at', of))
  const [attempts, answers] = await Promise.all([
    finished
      .select(['id', 'exam_id', 'family_id', 'course_id', 'finished_at'])
      .select(sql<string[]>`jsonb_path_query_array(layout, '$[*].question')`.as('question_ids'))
      // Empty unless the exam was drawn.
      .select(sql<QuestionOrigin[]>`jsonb_path_query_array(layout, '$[*].from')`.as('origins'))
      .orderBy('finished_at')
      .orderBy('id')
      .execute(),
    finished
      .innerJoin('attempt_answers', 'attempt_answers.attempt_id', 'attempts.id')
      .select(['attempts.id', 'question_id', 'answer', 'is_flagged', 'active_ms', 'confidence'])
      .execute(),
  ])
  const given = new Map(answers.map((row) => [`${row.id} ${row.question_id}`, row]))
  return attempts.flatMap((row) =>
    row.finished_at === null
      ? []
      : [
          {
            attemptId: row.id as AttemptId,
            courseId: row.course_id as CourseId,
            finishedAt: row.finished_at,
            questions: row.question_ids.flatMap((questionId, place) => {
              const stored = given.get(`${row.id} ${questionId}`)
              const { exam_id: examId, family_id: familyId } = row
              const ofExam = examId === null || familyId === null ? undefined : { examId, familyId, questionId }
              const origin = row.origins[place] ?? ofExam
              if (origin === undefined) return []
              const answered = {
                answer: readAnswer(stored?.answer ?? null),
                isFlagged: stored?.is_flagged ?? false,
                activeMs: stored?.active_ms ?? 0,
                confidence: stored?.confidence ?? null,
              }
              return [{ ...origin, examId: origin.examId as ExamId, ...answered }]
            }),
          },
        ],
  )
}
