import type pg from 'pg'
import type { AttemptId, GuestId, UserId } from '../../../lib/ids.ts'
import { GRACE_MS, SEQ_HEAD_START } from '../attempts.ts'
import type { SaveAnswer } from '../attempts.schema.ts'
import { theNewerWins } from './save-answer-commands.server.ts'

/** What a request shows to say who sends it: a session's token, or the id of a guest's signed cookie. */
export type Credentials = { readonly sessionToken: string | null; readonly guestId: GuestId | null }

export type DirectSave = {
  readonly attemptId: AttemptId
  readonly questionId: string
  readonly by: Credentials
  readonly answer: SaveAnswer
  readonly now: Date
}

/** The save is stored and committed. */
export type Written = { readonly deadlineAt: Date | null; readonly userId: UserId | null }

// More would share less; with one, a batch that has to wait would hold up everybody.
const BATCHES_AT_ONCE = 2
const BATCH_SIZE = 100

type Waiting = { readonly save: DirectSave; resolve(written: Written | null): void; reject(error: unknown): void }

/**
 * Puts down answers, those that arrive at the same time in one statement and one commit. A lone save goes at once; a batch
 * is what came while others were being written. Saves of the same answer are written one after the other, as they came.
 *
 * Null means that nothing was written, because another write is newer, or the save is refused, or the attempt is just being
 * submitted; `saveAnswer` finds out which. When a batch fails, so do its saves, and each may be tried alone.
 */
export function combineSaves(pool: pg.Pool): (save: DirectSave) => Promise<Written | null> {
  let waiting: Waiting[] = []
  const running = new Set<ReadonlyMap<string, Waiting>>()

  function takeBatch(): ReadonlyMap<string, Waiting> {
    const batch = new Map<string, Waiting>()
    const left: Waiting[] = []
    for (const one of waiting) {
      const key = keyOf(one.save.attemptId, one.save.questionId)
      const isFree = !batch.has(key) && ![...running].some((other) => other.has(key))
      if (isFree && batch.size < BATCH_SIZE) batch.set(key, one)
      else left.push(one)
    }
    waiting = left
    return batch
  }

  function writeNext() {
    while (running.size < BATCHES_AT_ONCE && waiting.length > 0) {
      const batch = takeBatch()
      if (batch.size === 0) return
      running.add(batch)
      void settle(pool, batch).then(() => {
        running.delete(batch)
        writeNext()
      })
    }
  }

  return (save) =>
    new Promise((resolve, reject) => {
      waiting.push({ save, resolve, reject })
      writeNext()
    })
}

function keyOf(attemptId: string, questionId: string): string {
  return `${attemptId} ${questionId}`
}

async function settle(pool: pg.Pool, batch: ReadonlyMap<string, Waiting>): Promise<void> {
  try {
    const written = await writeBatch(
      pool,
      [...batch.values()].map(({ save }) => save),
    )
    for (const [key, { resolve }] of batch) resolve(written.get(key) ?? null)
  } catch (error) {
    for (const { reject } of batch.values()) reject(error)
  }
}

type WrittenRow = { attempt_id: string; question_id: string; deadline_at: Date | null; user_id: string | null }

// One statement decides, for each save, whose session it is, whether the attempt is theirs and open, who its writer is, and
// which write is newer. The lock lets other saves pass. An attempt that is being submitted is skipped and not waited for, so that its
// saves hold up nobody else's. The order keeps two batches from waiting for each other.
const statement = {
  name: 'save-answers',
  text: `
    with given as (
      select attempt_id, question_id, session_token, guest_id, answer, is_flagged, struck, note, confidence,
        active_ms, seq, writer, at
      from json_to_recordset($1::json) as given (
        attempt_id uuid, question_id text, session_token text, guest_id uuid, answer jsonb, is_flagged boolean,
        struck text[], note text, confidence text, active_ms bigint, seq bigint, writer text, at timestamptz
      )
    ), allowed as (
      select given.attempt_id, question_id, answer, is_flagged, struck, note, confidence,
        greatest(0, least(active_ms, extract(epoch from (at - started_at)) * 1000))::integer as active_ms, seq, writer, at,
        deadline_at, user_id
      from given cross join lateral (
        select started_at, deadline_at, user_id from attempts
        where attempts.id = given.attempt_id
          and state = 'open'
          and (attempts.writer is null or attempts.writer = given.writer)
          and (deadline_at is null or deadline_at >= given.at - $2 * interval '1 millisecond')
          and given.seq <= $3::bigint + extract(epoch from (given.at - started_at)) * 1000
          and case when given.session_token is null then attempts.guest_id = given.guest_id
            else user_id = (
              select sessions.user_id from sessions
              where sessions.token = given.session_token and sessions.expires_at > given.at
            ) end
        for key share skip locked
      ) as attempt
      order by given.attempt_id, question_id
    ), written as (
      insert into attempt_answers as stored
        (attempt_id, question_id, answer, is_flagged, struck, note, confidence, active_ms, seq, writer, saved_at)
      select attempt_id, question_id, answer, is_flagged, struck, note, confidence, active_ms, seq, writer, at
      from allowed
      ${theNewerWins}
      returning attempt_id, question_id
    )
    select attempt_id, question_id, deadline_at, user_id from written join allowed using (attempt_id, question_id)`,
}

async function writeBatch(pool: pg.Pool, saves: readonly DirectSave[]): Promise<Map<string, Written>> {
  const given = saves.map(({ attemptId, questionId, by, answer, now }) => ({
    attempt_id: attemptId,
    question_id: questionId,
    session_token: by.sessionToken,
    guest_id: by.guestId,
    answer: answer.answer,
    is_flagged: answer.isFlagged,
    struck: answer.struck,
    note: answer.note,
    confidence: answer.confidence,
    active_ms: answer.activeMs,
    seq: answer.seq,
    writer: answer.writer,
    at: now,
  }))
  const { rows } = await pool.query<WrittenRow>({
    ...statement,
    values: [JSON.stringify(given), GRACE_MS, SEQ_HEAD_START],
  })
  return new Map(
    rows.map((row) => [
      keyOf(row.attempt_id, row.question_id),
      { deadlineAt: row.deadline_at, userId: row.user_id as UserId | null },
    ]),
  )
}
