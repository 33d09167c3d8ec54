import type { Db } from '../../db/open.server.ts'
import type { AttemptId } from '../../lib/ids.ts'
import { after } from '../../lib/time.ts'
import { lockAnswerKeys } from '../catalogue/exam-locks-commands.server.ts'
import { sql } from 'kysely'
import { listQuestionsOf } from './attempt-questions-queries.server.ts'
import { findAttempt, getRealExam, listAnswers, type AttemptRecord } from './attempts-queries.server.ts'
import { endOf, GRACE_MS, gradeAttempt, isOverdue } from './attempts.ts'
import { fail, type AttemptResult, type FinishedBy } from './attempts.schema.ts'
import { counted } from '../../lib/text.ts'

/**
 * Grades an attempt and closes it; one that is closed already keeps its result. The submission, the sweep or any other request
 * for the attempt may be the first to do it.
 */
export async function closeAttempt(
  tx: Db,
  attemptId: AttemptId,
  now: Date,
  as?: 'merge',
): Promise<{ finishedBy: FinishedBy; result: AttemptResult }> {
  await lockAnswerKeysOf(tx, attemptId)
  const attempt = await findAttempt(tx, attemptId, { lock: true })
  if (attempt === null) throw fail('attempt.not-found')
  if (attempt.result !== null && attempt.finishedBy !== null)
    return { finishedBy: attempt.finishedBy, result: attempt.result }
  const [questions, answers] = [await listQuestionsOf(tx, attempt), await listAnswers(tx, attemptId)]
  const result = gradeAttempt({
    layout: attempt.layout,
    questions,
    answers: new Map([...answers].map(([questionId, { answer }]) => [questionId, answer])),
    policy: attempt.scoringPolicy,
    passingScore: attempt.passingScore,
    realExam: await getRealExam(tx, attempt.courseId),
  })
  const end = as === 'merge' ? { finishedAt: now, finishedBy: 'merge' as const } : endOf(attempt.deadlineAt, now)
  await tx.updateTable('attempts').set(endColumns(end, result)).where('id', '=', attemptId).execute()
  return { finishedBy: end.finishedBy, result }
}

/** The columns that only a finished attempt has. */
export function endColumns(end: { finishedAt: Date; finishedBy: FinishedBy }, result: AttemptResult) {
  return {
    state: 'finished' as const,
    finished_at: end.finishedAt,
    finished_by: end.finishedBy,
    result: JSON.stringify(result),
    score_percent: result.scorePercent.toFixed(2),
    is_passed: result.isPassed,
  }
}

/**
 * Makes a correction of answer keys wait until this attempt is graded, so that the regrade includes it. Must be called before
 * the attempt is locked.
 */
export async function lockAnswerKeysOf(tx: Db, attemptId: AttemptId): Promise<void> {
  const row = await tx
    .selectFrom('attempts')
    .where('id', '=', attemptId)
    .select('family_id')
    .select(sql<string[]>`jsonb_path_query_array(layout, '$[*].from.familyId')`.as('drawn_from'))
    .executeTakeFirst()
  // In the order of `lockExams`, to avoid deadlocks.
  const families = row === undefined ? [] : row.family_id === null ? row.drawn_from : [row.family_id]
  for (const familyId of [...new Set(families)].toSorted()) await lockAnswerKeys(tx, familyId)
}

/** The current state of an attempt: closes a timed one whose time is over first. */
export async function settleAttempt(db: Db, attempt: AttemptRecord, now: Date): Promise<AttemptRecord> {
  if (attempt.state === 'finished' || !isOverdue(attempt.deadlineAt, now)) return attempt
  await db.transaction().execute((tx) => closeAttempt(tx, attempt.id, now))
  return (await findAttempt(db, attempt.id)) ?? attempt
}

/** Closes an overdue attempt first. @throws Failure attempt.finished */
export async function refuseIfFinished(db: Db, attempt: AttemptRecord, now: Date) {
  if (attempt.state === 'open' && !isOverdue(attempt.deadlineAt, now)) return
  if (attempt.state === 'open') await db.transaction().execute((tx) => closeAttempt(tx, attempt.id, now))
  throw fail('attempt.finished')
}

/**
 * Submits every timed attempt whose time is over, with the deadline as its end. Returns the number of closed attempts.
 * @throws AggregateError if some could not be closed; all others are closed
 */
export async function closeOverdueAttempts(db: Db, now: Date): Promise<number> {
  const overdue = await db
    .selectFrom('attempts')
    .where('state', '=', 'open')
    .where('deadline_at', '<', after(now, -GRACE_MS))
    .orderBy('deadline_at')
    .select('id')
    .execute()
  const problems: unknown[] = []
  for (const { id } of overdue) {
    try {
      await db.transaction().execute((tx) => closeAttempt(tx, id as AttemptId, now))
    } catch (error) {
      // An attempt that cannot be graded must not prevent closing the others.
      problems.push(error)
    }
  }
  if (problems.length > 0)
    throw new AggregateError(problems, `${counted(problems.length, 'overdue attempt')} could not be closed`)
  return overdue.length
}
