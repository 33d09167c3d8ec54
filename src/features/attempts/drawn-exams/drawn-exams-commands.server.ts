import type { Db } from '../../../db/open.server.ts'
import type { AttemptId } from '../../../lib/ids.ts'
import type { EntitledCourse } from '../../access/access.schema.ts'
import type { ScoringPolicy } from '../../questions/types/question-base.schema.ts'
import { waitForTaker } from '../attempts-commands.server.ts'
import { findExtraTime } from '../attempts-queries.server.ts'
import { deadlineOf, isOverdue } from '../attempts.ts'
import { fail, type Drawn, type DrawnKind } from '../attempts.schema.ts'
import { closeAttempt } from '../close-attempts-commands.server.ts'
import { drawnLayout, type DrawnQuestion } from './drawn-exams.ts'
import { countDrawn, findOpenDrawn } from './drawn-exams-queries.server.ts'

/** An exam that was drawn from a bank, before it is started. */
export type DrawnExam = Omit<Drawn, 'kind' | 'title'> & {
  readonly questions: readonly DrawnQuestion[]
  readonly timeLimitMinutes: number
  readonly passingScore: number
  readonly scoringPolicy: ScoringPolicy
}

/**
 * Starts a drawn exam, or returns the open one: a learner has one open exam of a kind per course. `replaces` ends the open one, graded
 * as it is. An exam is always timed.
 * @param draw draws the questions; it is called only if an exam is started
 * @throws Failure attempt.no-questions
 */
export async function startDrawnExam(
  db: Db,
  start: {
    readonly proof: EntitledCourse
    readonly kind: DrawnKind
    readonly title: (number: number) => string
    readonly replaces: string | undefined
    readonly now: Date
    readonly draw: (tx: Db, number: number) => Promise<DrawnExam>
  },
): Promise<AttemptId> {
  const { kind, replaces, now } = start
  const { userId, courseId } = start.proof
  const of = { userId, courseId, kind }
  return db.transaction().execute(async (tx) => {
    await waitForTaker(tx, { kind: 'person', userId })
    const open = await findOpenDrawn(tx, of)
    if (open !== null && open.id !== replaces && !isOverdue(open.deadlineAt, now)) return open.id
    const number = (await countDrawn(tx, of)) + 1
    const { questions, timeLimitMinutes, passingScore, scoringPolicy, ...drawn } = await start.draw(tx, number)
    if (questions.length === 0) throw fail('attempt.no-questions')
    if (open !== null) await closeAttempt(tx, open.id, now)
    const extraTime = await findExtraTime(tx, userId)
    const { id } = await tx
      .insertInto('attempts')
      .values({
        drawn: JSON.stringify({ ...drawn, kind, title: start.title(number) } satisfies Drawn),
        course_id: courseId,
        user_id: userId,
        mode: 'timed',
        seed: drawn.seed,
        layout: JSON.stringify(drawnLayout(drawn.seed, questions)),
        scoring_policy: scoringPolicy,
        passing_score: passingScore,
        time_limit_minutes: timeLimitMinutes,
        extra_time: extraTime,
        started_at: now,
        deadline_at: deadlineOf({ mode: 'timed', startedAt: now, timeLimitMinutes, extraTime }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id as AttemptId
  })
}
