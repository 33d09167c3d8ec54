import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { AttemptId } from '../../../lib/ids.ts'
import { after } from '../../../lib/time.ts'
import { copy } from '../attempts.copy.ts'
import { getOwnAttempt, isOpen, takerId, type AttemptRecord } from '../attempts-queries.server.ts'
import { answerProblem, GRACE_MS, isFromTheFuture, isNewer, isOverdue, mayWrite, SEQ_HEAD_START } from '../attempts.ts'
import { fail, type SaveAnswer, type Taker } from '../attempts.schema.ts'
import { settleAttempt } from '../close-attempts-commands.server.ts'
import { findCachedLayout } from './save-batch-queries.server.ts'

type Saved = { readonly seq: number; readonly writer: string; readonly deadlineAt: Date | null }

/**
 * Saves an answer. Of several writes for a question the one with the greatest (seq, writer) wins, in whatever order and
 * however often they arrive; the others are acknowledged and change nothing. An answer that arrives after the end of a timed
 * attempt is stored beside it as a late answer.
 * @throws Failure attempt.not-found, attempt.finished, attempt.too-late, attempt.unknown-question,
 * attempt.unknown-answer, attempt.too-many-selected, attempt.from-the-future, attempt.elsewhere, attempt.checked
 */
export async function saveAnswer(
  db: Db,
  save: { attemptId: AttemptId; questionId: string; taker: Taker | null; answer: SaveAnswer; now: Date },
): Promise<Saved> {
  const { attemptId, questionId, taker, answer, now } = save
  const layout = await findCachedLayout(db, attemptId)
  const problem = layout === null ? null : answerProblem(layout, questionId, answer)
  // One statement checks the owner, the state and the writer of the attempt, and which write is newer. The lock does not block
  // other saves, but a submission waits for it, so that nothing changes after the end.
  if (problem === null && taker !== null) {
    const { rows } = await sql<{ seq: number; writer: string; deadline_at: Date | null }>`
      with attempt as (
        select id, started_at, deadline_at from attempts
        where id = ${attemptId}
          and ${sql.ref(taker.kind === 'person' ? 'user_id' : 'guest_id')} = ${takerId(taker)}
          and ${isOpen}
          and (writer is null or writer = ${answer.writer})
          and (deadline_at is null or deadline_at >= ${after(now, -GRACE_MS)})
          and ${answer.seq}::bigint <= ${SEQ_HEAD_START}::bigint
            + extract(epoch from (${now}::timestamptz - started_at)) * 1000
        for key share
      )
      insert into attempt_answers as stored
        (attempt_id, question_id, answer, is_flagged, struck, note, confidence, active_ms, seq, writer, saved_at)
      select id, ${questionId}, ${answer.answer === null ? null : JSON.stringify(answer.answer)}::jsonb, ${answer.isFlagged}, ${answer.struck}::text[],
        ${answer.note}, ${answer.confidence},
        greatest(0, least(${answer.activeMs}, extract(epoch from (${now}::timestamptz - started_at)) * 1000))::integer,
        ${answer.seq}, ${answer.writer}, ${now}
      from attempt
      ${sql.raw(replaceIfNewer)}
      returning stored.seq, stored.writer, (select deadline_at from attempt) as deadline_at`.execute(db)
    const row = rows[0]
    if (row !== undefined) return { seq: row.seq, writer: row.writer, deadlineAt: row.deadline_at }
  }
  return explainUnsaved(db, save)
}

/** The slow path for a save that changed nothing: a newer write is stored, or the save is refused. */
async function explainUnsaved(
  db: Db,
  { attemptId, questionId, taker, answer, now }: Parameters<typeof saveAnswer>[1],
): Promise<Saved> {
  const attempt = await settleAttempt(db, await getOwnAttempt(db, attemptId, taker), now)
  if (attempt.state === 'finished' && isTooLate(attempt, now)) {
    await storeLateAnswers(db, attempt, { [questionId]: answer }, now)
    throw fail('attempt.too-late')
  }
  if (attempt.state === 'finished') throw fail('attempt.finished')
  const problem = problemAt(attempt, questionId, answer, now)
  if (problem !== null) throw fail(problem)
  if (!mayWrite(attempt, answer.writer)) throw fail('attempt.elsewhere')
  const stored = await db
    .selectFrom('attempt_answers')
    .where('attempt_id', '=', attemptId)
    .where('question_id', '=', questionId)
    .select(['seq', 'writer', 'checked_at'])
    .executeTakeFirstOrThrow()
  if (isNewer(answer, stored) && stored.checked_at !== null) throw fail('attempt.checked')
  return { seq: stored.seq, writer: stored.writer, deadlineAt: attempt.deadlineAt }
}

/** Saves the answers that come with a submission, by the same rules as single saves. */
export async function saveAnswers(
  tx: Db,
  attempt: AttemptRecord,
  answers: Readonly<Record<string, SaveAnswer>>,
  now: Date,
): Promise<void> {
  const given = Object.entries(answers).filter(([, { writer }]) => mayWrite(attempt, writer))
  for (const [questionId, answer] of given) {
    const problem = problemAt(attempt, questionId, answer, now)
    if (problem !== null) throw fail(problem, { fields: [{ field: `answers.${questionId}`, message: copy[problem] }] })
  }
  if (given.length === 0) return
  await sql`
    insert into attempt_answers as stored
      (attempt_id, question_id, answer, is_flagged, struck, note, confidence, active_ms, seq, writer, saved_at)
    select ${attempt.id}, question_id, answer, is_flagged, struck, note, confidence,
      least(active_ms, ${elapsedMs(attempt, now)}::bigint)::integer, seq, writer, ${now}
    from json_to_recordset(${JSON.stringify(given.map(([questionId, answer]) => ({ question_id: questionId, answer: answer.answer, is_flagged: answer.isFlagged, struck: answer.struck, note: answer.note, confidence: answer.confidence, active_ms: answer.activeMs, seq: answer.seq, writer: answer.writer })))}::json)
      as given (
        question_id text, answer jsonb, is_flagged boolean, struck text[], note text, confidence text,
        active_ms integer, seq bigint, writer text
      )
    ${sql.raw(replaceIfNewer)}`.execute(tx)
}

/** Saves the time that the page measured for each question. Changes nothing else of an answer. */
export async function saveTimes(
  tx: Db,
  attempt: AttemptRecord,
  activeMs: Readonly<Record<string, number>>,
  now: Date,
): Promise<void> {
  const known = new Set(attempt.layout.map(({ question }) => question))
  const given = Object.entries(activeMs).filter(([questionId, ms]) => known.has(questionId) && ms > 0)
  if (given.length === 0) return
  await sql`
    insert into attempt_answers as stored (attempt_id, question_id, active_ms, seq, writer, saved_at)
    select ${attempt.id}, key, least(value::bigint, ${elapsedMs(attempt, now)}::bigint)::integer, 0, '', ${now}
    from json_each_text(${JSON.stringify(Object.fromEntries(given))}::json)
    on conflict (attempt_id, question_id) do update set
      active_ms = greatest(stored.active_ms, excluded.active_ms)`.execute(tx)
}

/** The most that the time on a question can be. */
function elapsedMs(attempt: AttemptRecord, now: Date): number {
  return Math.max(0, now.getTime() - attempt.startedAt.getTime())
}

/** Why an answer cannot be saved in an attempt, whoever sends it; null if it can. */
function problemAt(attempt: AttemptRecord, questionId: string, answer: SaveAnswer, now: Date) {
  const problem = answerProblem(attempt.layout, questionId, answer)
  if (problem !== null) return problem
  return isFromTheFuture(answer.seq, attempt.startedAt, now) ? 'attempt.from-the-future' : null
}

/** Stores late answers beside the attempt if they are newer than the answers that count and differ from them. */
export async function storeLateAnswers(
  db: Db,
  attempt: AttemptRecord,
  answers: Readonly<Record<string, SaveAnswer>>,
  now: Date,
): Promise<void> {
  const given = Object.entries(answers).filter(
    ([questionId, answer]) => mayWrite(attempt, answer.writer) && problemAt(attempt, questionId, answer, now) === null,
  )
  if (given.length === 0) return
  const rows = given.map(([id, { answer, seq, writer }]) => ({ question_id: id, answer, seq, writer }))
  await sql`
    insert into late_answers as stored (attempt_id, question_id, answer, seq, writer, arrived_at)
    select ${attempt.id}, given.question_id, given.answer, given.seq, given.writer, ${now}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as given (question_id text, answer jsonb, seq bigint, writer text)
    left join attempt_answers as counted
      on counted.attempt_id = ${attempt.id} and counted.question_id = given.question_id
    where given.answer is distinct from counted.answer
      and (counted.seq is null
        or (given.seq, given.writer collate "C") > (counted.seq, counted.writer collate "C"))
    on conflict (attempt_id, question_id) do update set
      answer = excluded.answer, seq = excluded.seq, writer = excluded.writer, arrived_at = excluded.arrived_at
    where (excluded.seq, excluded.writer collate "C") > (stored.seq, stored.writer collate "C")`.execute(db)
}

/** Whether an answer cannot count only because the deadline has passed. */
export function isTooLate(attempt: Pick<AttemptRecord, 'deadlineAt' | 'finishedBy'>, now: Date): boolean {
  return attempt.finishedBy === 'deadline' && isOverdue(attempt.deadlineAt, now)
}

/** Of two writes for a question the one with the greater (seq, writer) wins, in either order. A checked answer never changes. */
export const replaceIfNewer = `
  on conflict (attempt_id, question_id) do update set
    answer = excluded.answer, is_flagged = excluded.is_flagged, struck = excluded.struck,
    note = excluded.note, confidence = excluded.confidence,
    active_ms = greatest(stored.active_ms, excluded.active_ms),
    seq = excluded.seq, writer = excluded.writer, saved_at = excluded.saved_at
  where (excluded.seq, excluded.writer collate "C") > (stored.seq, stored.writer collate "C")
    and (stored.checked_at is null or stored.answer is not distinct from excluded.answer)`
