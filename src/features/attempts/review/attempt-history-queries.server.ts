import type { Answer } from '../../questions/types/question-types.schema.ts'
import { readAnswer } from '../attempts-queries.server.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { AttemptId, CourseId, ExamId, UserId } from '../../../lib/ids.ts'
import { userQuery, type CachedQueries } from '../../../platform/cache/cached-queries.server.ts'
import { takerId } from '../attempts-queries.server.ts'
import type { AttemptSummary, Taker } from '../attempts.schema.ts'

/** The attempts of a user, newest first: all, or the first `limit`. */
export async function listAttempts(db: Db, of: { userId: UserId; limit?: number }): Promise<AttemptSummary[]> {
  const rows = await summaries(db)
    .where('attempts.user_id', '=', of.userId)
    .$if(of.limit !== undefined, (query) => query.limit(of.limit ?? 0))
    .execute()
  return rows.map(toSummary)
}

/** A taker's attempts at one exam, all versions, newest first. */
export async function listAttemptsAtExam(db: Db, of: { taker: Taker; familyId: string }): Promise<AttemptSummary[]> {
  const column = of.taker.kind === 'person' ? 'attempts.user_id' : 'attempts.guest_id'
  const rows = await summaries(db)
    .where(column, '=', takerId(of.taker))
    .where('attempts.family_id', '=', of.familyId)
    .execute()
  return rows.map(toSummary)
}

function summaries(db: Db) {
  return db
    .selectFrom('attempts')
    .innerJoin('test_questions', 'test_questions.id', 'attempts.exam_id')
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
      'test_questions.test_name',
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

/** A user's attempts and answers so far, for their own pages. */
type Progress = { readonly attempts: readonly AttemptSummary[]; readonly finished: readonly FinishedAnswers[] }

/**
 * Cached until an attempt starts, ends or is regraded. Each use compares the ids of the transactions that wrote the user's
 * attempts: notifying the cache of each start and end would make the commits wait for each other (decision 0011).
 */
const progressOfUser = userQuery(
  'user-progress',
  async (db, userId): Promise<Progress> => {
    const [attempts, finished] = await Promise.all([listAttempts(db, { userId }), listFinishedAnswers(db, { userId })])
    return { attempts, finished }
  },
  async (db, userId) => {
    const { state } = await db
      .selectFrom('attempts')
      .where('user_id', '=', userId)
      .select(sql<string>`coalesce(md5(string_agg(id::text || xmin::text, ' ' order by id)), '')`.as('state'))
      .executeTakeFirstOrThrow()
    return state
  },
)

/** The cached progress. The answers of open attempts are counted each time, because saves do not invalidate the cache. */
export async function getProgress(
  { cachedQueries, db }: { readonly cachedQueries: CachedQueries; readonly db: Db },
  userId: UserId,
): Promise<Progress> {
  const { attempts, finished } = await cachedQueries.get(progressOfUser, db, userId)
  const open = attempts.filter(({ state }) => state === 'open').map(({ id }) => id)
  if (open.length === 0) return { attempts, finished }
  const rows = await db
    .selectFrom('attempt_answers')
    .where('attempt_id', 'in', open)
    .where('answer', 'is not', null)
    .groupBy('attempt_id')
    .select((eb) => ['attempt_id', eb.fn.countAll<number>().as('answered')])
    .execute()
  const answered = new Map(rows.map((row) => [row.attempt_id, row.answered]))
  return {
    attempts: attempts.map((one) =>
      one.state === 'open' ? { ...one, answeredCount: answered.get(one.id) ?? 0 } : one,
    ),
    finished,
  }
}

/** A finished attempt with the answer to each of its questions, in the order that was shown. */
export type FinishedAnswers = {
  readonly attemptId: AttemptId
  readonly examId: ExamId
  readonly familyId: string
  readonly courseId: CourseId
  readonly finishedAt: Date
  readonly questions: readonly {
    readonly questionId: string
    readonly answer: Answer | null
    readonly isFlagged: boolean
  }[]
}

/** Every finished attempt of a user, oldest first, in all courses or in the given ones. */
export async function listFinishedAnswers(
  db: Db,
  of: { userId: UserId; courseIds?: readonly CourseId[] },
): Promise<FinishedAnswers[]> {
  const { userId, courseIds } = of
  if (courseIds?.length === 0) return []
  let finished = db
    .selectFrom('attempts')
    .where('attempts.user_id', '=', userId)
    .where('attempts.state', '=', 'finished')
  if (courseIds !== undefined) finished = finished.where('attempts.course_id', 'in', courseIds)
  const [attempts, answers] = await Promise.all([
    finished
      .select(['id', 'exam_id', 'family_id', 'course_id', 'finished_at'])
      .select(sql<string[]>`jsonb_path_query_array(layout, '$[*].question')`.as('question_ids'))
      .orderBy('finished_at')
      .orderBy('id')
      .execute(),
    finished
      .innerJoin('attempt_answers', 'attempt_answers.attempt_id', 'attempts.id')
      .select(['attempts.id', 'question_id', 'answer', 'is_flagged'])
      .execute(),
  ])
  const given = new Map(answers.map((row) => [`${row.id} ${row.question_id}`, row]))
  return attempts.flatMap((row) =>
    row.finished_at === null
      ? []
      : [
          {
            attemptId: row.id as AttemptId,
            examId: row.exam_id as ExamId,
            familyId: row.family_id,
            courseId: row.course_id as CourseId,
            finishedAt: row.finished_at,
            questions: row.question_ids.map((questionId) => {
              const stored = given.get(`${row.id} ${questionId}`)
              return { questionId, answer: readAnswer(stored?.answer ?? null), isFlagged: stored?.is_flagged ?? false }
            }),
          },
        ],
  )
}
