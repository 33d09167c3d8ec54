import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { AttemptId } from '../../../lib/ids.ts'
import { after } from '../../../lib/time.ts'
import { copy } from '../attempts.copy.ts'
import { getOwnAttempt, takerId, type AttemptRecord } from '../attempts-queries.server.ts'
import { answerProblem, GRACE_MS, isFromTheFuture, isNewer, isOverdue, mayWrite, SEQ_HEAD_START } from '../attempts.ts'
import { fail, type SaveAnswer, type Taker } from '../attempts.schema.ts'
import { settleAttempt } from '../close-attempts-commands.server.ts'
import { findCachedLayout } from './save-batch-queries.server.ts'

type Saved = { readonly seq: number; readonly writer: string; readonly deadlineAt: Date | null }

/**
 * Puts down an answer. Of several writes for a question the one with the greatest (seq, writer) stays, in whatever order
 * and however often they arrive; the others are acknowledged and change nothing.
 * What comes when a timed attempt is over for good is kept beside it.
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
  // One statement decides whose it is, whether it is open, who its writer is, and which write is newer. The lock lets other saves pass and
  // makes a finish wait, so that nothing changes after the end.
  if (problem === null && taker !== null) {
    const { rows } = await sql<{ seq: number; writer: string; deadline_at: Date | null }>`
      with attempt as (
        select id, started_at, deadline_at from attempts
        where id = ${attemptId}
          and ${sql.ref(taker.kind === 'person' ? 'user_id' : 'guest_id')} = ${takerId(taker)}
          and state = 'open'
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
      ${sql.raw(theNewerWins)}
      returning stored.seq, stored.writer, (select deadline_at from attempt) as deadline_at`.execute(db)
    const row = rows[0]
    if (row !== undefined) return { seq: row.seq, writer: row.writer, deadlineAt: row.deadline_at }
  }
  return explainUnsaved(db, save)
}

/** The slow way, for a save that changed nothing: a newer write is there, or there is a reason to refuse. */
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

/** The backstop: the same rules as single saves, for many at once. */
export async function putDownAll(
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
    ${sql.raw(theNewerWins)}`.execute(tx)
}

/** The time that was measured in the page since the last save of each question. Nothing else of an answer changes. */
export async function putDownTimes(
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

/** No question was looked at for longer than the attempt has lasted. */
function elapsedMs(attempt: AttemptRecord, now: Date): number {
  return Math.max(0, now.getTime() - attempt.startedAt.getTime())
}

/** Why an answer can't be put down for an attempt, whoever sends it; null when it can. */
function problemAt(attempt: AttemptRecord, questionId: string, answer: SaveAnswer, now: Date) {
  const problem = answerProblem(attempt.layout, questionId, answer)
  if (problem !== null) return problem
  return isFromTheFuture(answer.seq, attempt.startedAt, now) ? 'attempt.from-the-future' : null
}

/** Keeps what came too late beside the attempt, where it is newer than what counts and another answer. */
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
    insert into late_answers as kept (attempt_id, question_id, answer, seq, writer, arrived_at)
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
    where (excluded.seq, excluded.writer collate "C") > (kept.seq, kept.writer collate "C")`.execute(db)
}

/** Whether it was the clock, and nobody else, that kept an answer out of an attempt. */
export function isTooLate(attempt: Pick<AttemptRecord, 'deadlineAt' | 'finishedBy'>, now: Date): boolean {
  return attempt.finishedBy === 'deadline' && isOverdue(attempt.deadlineAt, now)
}

/** Of two writes for a question the one with the greater (seq, writer) stays, whichever comes first. What was checked stays too. */
export const theNewerWins = `
  on conflict (attempt_id, question_id) do update set
    answer = excluded.answer, is_flagged = excluded.is_flagged, struck = excluded.struck,
    note = excluded.note, confidence = excluded.confidence,
    active_ms = greatest(stored.active_ms, excluded.active_ms),
    seq = excluded.seq, writer = excluded.writer, saved_at = excluded.saved_at
  where (excluded.seq, excluded.writer collate "C") > (stored.seq, stored.writer collate "C")
    and (stored.checked_at is null or stored.answer is not distinct from excluded.answer)`
