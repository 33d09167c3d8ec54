import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { AttemptId, CourseId, UserId } from '../../../lib/ids.ts'
import { Drawn, type DrawnKind, type QuestionOrigin } from '../attempts.schema.ts'

type Learner = { readonly userId: UserId; readonly courseId: CourseId }

function drawnOf(db: Db, { userId, courseId }: Learner) {
  return db
    .selectFrom('attempts')
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .where('drawn', 'is not', null)
}

const kindIs = (kind: DrawnKind) => sql<boolean>`drawn ->> 'kind' = ${kind}`

/** An open drawn exam in few words. */
export type OpenDrawn = {
  readonly id: AttemptId
  readonly title: string
  readonly startedAt: Date
  readonly deadlineAt: Date | null
  readonly answeredCount: number
  readonly questionCount: number
}

export async function findOpenDrawn(db: Db, of: Learner & { readonly kind: DrawnKind }): Promise<OpenDrawn | null> {
  const row = await drawnOf(db, of)
    .where(kindIs(of.kind))
    .where('state', '=', 'open')
    .select(['id', 'drawn', 'started_at', 'deadline_at'])
    .select(sql<number>`jsonb_array_length(layout)`.as('question_count'))
    .select(
      sql<number>`(select count(*)::int from attempt_answers where attempt_id = attempts.id and answer is not null)`.as(
        'answered_count',
      ),
    )
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id as AttemptId,
    title: Drawn.parse(row.drawn).title,
    startedAt: row.started_at,
    deadlineAt: row.deadline_at,
    answeredCount: row.answered_count,
    questionCount: row.question_count,
  }
}

/** How many exams of a kind were drawn for a learner in a course, open and finished. */
export async function countDrawn(db: Db, of: Learner & { readonly kind: DrawnKind }): Promise<number> {
  const { count } = await drawnOf(db, of)
    .where(kindIs(of.kind))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** A finished drawn exam and its result. */
export type FinishedDrawn = {
  readonly attemptId: AttemptId
  readonly kind: DrawnKind
  readonly title: string
  readonly finishedAt: Date
  readonly scorePercent: number
  readonly isPassed: boolean
  readonly questionCount: number
}

/** A learner's finished drawn exams in a course, newest first. */
export async function listFinishedDrawn(
  db: Db,
  of: Learner & { readonly kind?: DrawnKind; readonly limit?: number },
): Promise<FinishedDrawn[]> {
  const { kind, limit } = of
  const rows = await drawnOf(db, of)
    .where('state', '=', 'finished')
    .$if(kind !== undefined, (query) => query.where(kindIs(kind ?? 'mock')))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('finished_at', 'desc')
    .orderBy('id')
    .select(['id', 'drawn', 'finished_at', 'score_percent', 'is_passed'])
    .select(sql<number>`jsonb_array_length(layout)`.as('question_count'))
    .execute()
  return rows.flatMap((row) => {
    if (row.finished_at === null) return []
    const drawn = Drawn.parse(row.drawn)
    return [
      {
        attemptId: row.id as AttemptId,
        kind: drawn.kind,
        title: drawn.title,
        finishedAt: row.finished_at,
        scorePercent: Number(row.score_percent),
        isPassed: row.is_passed === true,
        questionCount: row.question_count,
      },
    ]
  })
}

/**
 * What counts as a mock exam, for the plan, the pledge and the progress page: a finished timed exam, drawn or not, except those of the
 * learner's own choice of questions.
 */
export const countsAsMock = sql<boolean>`attempts.state = 'finished' and attempts.mode = 'timed'
  and attempts.finished_at is not null and attempts.drawn->>'kind' is distinct from 'custom'`

export type Mock = {
  readonly attemptId: AttemptId
  readonly title: string
  readonly finishedAt: Date
  readonly percent: number
  readonly isPassed: boolean
  /** From 0 to 1. */
  readonly answeredShare: number
}

/** What counts as a mock exam of a learner in a course, newest first. */
export async function listMocks(db: Db, of: Learner & { readonly limit?: number }): Promise<Mock[]> {
  const rows = await db
    .selectFrom('attempts')
    .leftJoin('test_questions', 'test_questions.id', 'attempts.exam_id')
    .where('attempts.user_id', '=', of.userId)
    .where('attempts.course_id', '=', of.courseId)
    .where(countsAsMock)
    .$if(of.limit !== undefined, (query) => query.limit(of.limit ?? 0))
    .orderBy('attempts.finished_at', 'desc')
    .orderBy('attempts.id')
    .select(['attempts.id', 'finished_at', 'score_percent', 'is_passed'])
    .select(sql<string>`coalesce(test_questions.test_name, attempts.drawn ->> 'title', '')`.as('title'))
    .select(
      sql<number | null>`(result->>'answeredCount')::float8 / nullif((result->>'questionCount')::float8, 0)`.as(
        'share',
      ),
    )
    .execute()
  return rows.flatMap(({ id, title, finished_at: finishedAt, score_percent, is_passed, share }) =>
    finishedAt === null
      ? []
      : [
          {
            attemptId: id as AttemptId,
            title,
            finishedAt,
            percent: Number(score_percent ?? 0),
            isPassed: is_passed === true,
            answeredShare: share ?? 0,
          },
        ],
  )
}

/** The questions of a learner's last drawn exams in a course, open ones too. */
export async function listDrawnLately(db: Db, of: Learner & { readonly exams: number }): Promise<QuestionOrigin[]> {
  const rows = await drawnOf(db, of)
    .orderBy('started_at', 'desc')
    .limit(of.exams)
    .select(sql<QuestionOrigin[]>`jsonb_path_query_array(layout, '$[*].from')`.as('origins'))
    .execute()
  return rows.flatMap(({ origins }) => origins)
}

/** The exams of a course of which a learner has finished an attempt, in any mode and version. */
export async function listFinishedExams(db: Db, { userId, courseId }: Learner): Promise<Set<string>> {
  const rows = await db
    .selectFrom('attempts')
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .where('state', '=', 'finished')
    .where('family_id', 'is not', null)
    .select('family_id')
    .distinct()
    .execute()
  return new Set(rows.flatMap(({ family_id: id }) => id ?? []))
}
