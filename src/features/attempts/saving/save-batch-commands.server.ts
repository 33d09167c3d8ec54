import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import type { AttemptId, GuestId, UserId } from '../../../lib/ids.ts'
import { GRACE_MS, SEQ_HEAD_START } from '../attempts.ts'
import type { SaveAnswer } from '../attempts.schema.ts'
import { replaceIfNewer } from './save-answer-commands.server.ts'

/** What identifies the sender of a request: a session token, or the guest id from the signed cookie. */
export type Credentials = { readonly sessionHash: string | null; readonly guestId: GuestId | null }

export type DirectSave = {
  readonly attemptId: AttemptId
  readonly questionId: string
  readonly by: Credentials
  readonly answer: SaveAnswer
  readonly now: Date
}

/** The save is stored and committed. */
export type Written = { readonly deadlineAt: Date | null; readonly userId: UserId | null }

// With more, batches would be smaller. With only one, a batch that waits for a lock would block all other saves.
const BATCHES_AT_ONCE = 2
const BATCH_SIZE = 100

type Waiting = {
  readonly save: DirectSave
  /** Runs the statement as a part of the request of this save. */
  readonly inRequest: (<Result>(work: () => Result) => Result) | null
  resolve(written: Written | null): void
  reject(error: unknown): void
}

/**
 * Saves answers. Saves that arrive while others are being written are combined into one statement and one commit; a lone save
 * is written at once. Saves of the same answer are written one after the other, in the order of their arrival.
 *
 * Resolves to null if nothing was written: a newer write is stored, the save is refused, or the attempt is being submitted.
 * `saveAnswer` finds out which. If a batch fails, all its saves fail; the caller may try each of them alone.
 *
 * With `isTraced`, the statement belongs to the request of its first save, and not to the one that the batch before it belonged to.
 */
export function combineSaves(pool: pg.Pool, isTraced = false): (save: DirectSave) => Promise<Written | null> {
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
      const [first] = batch.values()
      const write = () => settle(pool, batch)
      void (first?.inRequest?.(write) ?? write()).then(() => {
        running.delete(batch)
        writeNext()
      })
    }
  }

  return (save) =>
    new Promise((resolve, reject) => {
      waiting.push({ save, inRequest: isTraced ? AsyncLocalStorage.snapshot() : null, resolve, reject })
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

// For each save, one statement checks the session, that the attempt is the sender's and open, its writer, and which write is
// newer. The lock does not block other saves. An attempt that is being submitted is skipped, so that its saves do not block
// others. The order prevents deadlocks between two batches. `case state` is `isOpen` of attempts-queries.server.ts.
export const SAVE_STATEMENT = {
  name: 'save-answers',
  text: `
    with given as (
      select attempt_id, question_id, session_hash, guest_id, answer, is_flagged, struck, note, confidence,
        active_ms, seq, writer, at
      from json_to_recordset($1::json) as given (
        attempt_id uuid, question_id text, session_hash text, guest_id uuid, answer jsonb, is_flagged boolean,
        struck text[], note text, confidence text, active_ms bigint, seq bigint, writer text, at timestamptz
      )
    ), allowed as (
      select given.attempt_id, question_id, answer, is_flagged, struck, note, confidence,
        greatest(0, least(active_ms, extract(epoch from (at - started_at)) * 1000))::integer as active_ms, seq, writer, at,
        deadline_at, user_id
      from given cross join lateral (
        select started_at, deadline_at, user_id from attempts
        where attempts.id = given.attempt_id
          and case state when 'open' then true else false end
          and (attempts.writer is null or attempts.writer = given.writer)
          and (deadline_at is null or deadline_at >= given.at - $2 * interval '1 millisecond')
          and given.seq <= $3::bigint + extract(epoch from (given.at - started_at)) * 1000
          and case when given.session_hash is null then attempts.guest_id = given.guest_id
            else user_id = (
              select sessions.user_id from sessions
              where sessions.token_hash = given.session_hash and sessions.expires_at > given.at
            ) end
        for key share skip locked
      ) as attempt
      order by given.attempt_id, question_id
    ), written as (
      insert into attempt_answers as stored
        (attempt_id, question_id, answer, is_flagged, struck, note, confidence, active_ms, seq, writer, saved_at)
      select attempt_id, question_id, answer, is_flagged, struck, note, confidence, active_ms, seq, writer, at
      from allowed
      ${replaceIfNewer}
      returning attempt_id, question_id
    )
    select attempt_id, question_id, deadline_at, user_id from written join allowed using (attempt_id, question_id)`,
}

async function writeBatch(pool: pg.Pool, saves: readonly DirectSave[]): Promise<Map<string, Written>> {
  const given = saves.map(({ attemptId, questionId, by, answer, now }) => ({
    attempt_id: attemptId,
    question_id: questionId,
    session_hash: by.sessionHash,
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
    ...SAVE_STATEMENT,
    values: [JSON.stringify(given), GRACE_MS, SEQ_HEAD_START],
  })
  return new Map(
    rows.map((row) => [
      keyOf(row.attempt_id, row.question_id),
      { deadlineAt: row.deadline_at, userId: row.user_id as UserId | null },
    ]),
  )
}
