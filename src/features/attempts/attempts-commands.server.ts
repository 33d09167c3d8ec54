import { forReview } from '../questions/types/grading-registry.ts'
import type { QuestionForReview } from '../questions/types/question-types.schema.ts'
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { AttemptId, GuestId, UserId } from '../../lib/ids.ts'
import { notifyOwnChange } from '../../platform/realtime/catalogue-changes.server.ts'
import { lockAnswerKeys } from '../catalogue/exam-locks-commands.server.ts'
import { getExamQuestions, type ExamFacts } from '../catalogue/catalogue-queries.server.ts'
import {
  clockOf,
  findAttempt,
  findExtraTime,
  findOpenAttempt,
  getOwnAttempt,
  isOpen,
  listAnswers,
  listQuestionsAsShown,
  takerId,
  type AttemptRecord,
} from './attempts-queries.server.ts'
import { deadlineOf, isOverdue, mayWrite, shuffleLayout } from './attempts.ts'
import {
  isTooLate,
  storeLateAnswers,
  saveAnswers,
  saveTimes,
  saveAnswer,
} from './saving/save-answer-commands.server.ts'
import {
  fail,
  type Admission,
  type AnswerState,
  type AttemptResult,
  type FinishedBy,
  type SaveAnswer,
  type ServerClock,
  type Taker,
} from './attempts.schema.ts'
import { closeAttempt, lockAnswerKeysOf, refuseIfFinished } from './close-attempts-commands.server.ts'

/**
 * Starts an attempt, or returns the open one: a taker has one per exam and mode, even if several pages start it at once. The
 * version, order, time and policy are fixed at the start.
 * @throws Failure attempt.no-questions
 */
export async function startAttempt(
  db: Db,
  start: { exam: ExamFacts; admission: Admission; taker: Taker; now: Date },
): Promise<AttemptId> {
  const { exam, admission, taker, now } = start
  const { mode } = admission
  return db.transaction().execute(async (tx) => {
    await waitForTaker(tx, taker)
    const open = await findOpenAttempt(tx, { taker, familyId: exam.familyId, mode })
    if (open !== null && !isOverdue(open.deadlineAt, now)) return open.id
    if (open !== null) await closeAttempt(tx, open.id, now)
    const questions = await getExamQuestions(tx, exam.id)
    if (questions.length === 0) throw fail('attempt.no-questions')
    const extraTime = taker.kind === 'person' && mode === 'timed' ? await findExtraTime(tx, taker.userId) : 'none'
    const seed = randomInt(2 ** 31)
    const { id } = await tx
      .insertInto('attempts')
      .values({
        exam_id: exam.id,
        family_id: exam.familyId,
        course_id: exam.courseId,
        user_id: taker.kind === 'person' ? taker.userId : null,
        guest_id: taker.kind === 'guest' ? taker.guestId : null,
        mode,
        seed,
        layout: JSON.stringify(shuffleLayout(seed, questions, mode)),
        scoring_policy: exam.scoringPolicy,
        passing_score: exam.passingScore,
        time_limit_minutes: mode === 'timed' ? exam.timeLimitMinutes : null,
        extra_time: extraTime,
        started_at: now,
        deadline_at: deadlineOf({ mode, startedAt: now, timeLimitMinutes: exam.timeLimitMinutes, extraTime }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id as AttemptId
  })
}

/** Serializes the starts of a taker and the move of a guest's attempts to them. */
export async function waitForTaker(tx: Db, taker: Taker) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`attempts:${takerId(taker)}`}, 0))`.execute(tx)
}

/** Makes the page the writer of an open attempt that has none. Returns the attempt as it is then. */
export async function claimAttempt(db: Db, attempt: AttemptRecord, writer: string | undefined): Promise<AttemptRecord> {
  if (writer === undefined || attempt.writer !== null || attempt.state === 'finished') return attempt
  await db
    .updateTable('attempts')
    .set({ writer })
    .where('id', '=', attempt.id)
    .where('writer', 'is', null)
    .where(isOpen)
    .execute()
  return (await findAttempt(db, attempt.id)) ?? attempt
}

/**
 * Makes a page the only writer of an open attempt. Answers of the former writer stay; its later writes are refused.
 * @throws Failure attempt.not-found, attempt.finished
 */
export async function takeOver(
  db: Db,
  take: { attemptId: AttemptId; taker: Taker | null; writer: string; now: Date },
): Promise<AttemptRecord> {
  const { attemptId, taker, writer, now } = take
  await refuseIfFinished(db, await getOwnAttempt(db, attemptId, taker), now)
  return db.transaction().execute(async (tx) => {
    // The full lock waits for saves that are being written, so that none is stored after the writer has changed.
    const attempt = await getOwnAttempt(tx, attemptId, taker, { lock: true })
    if (attempt.state === 'finished') throw fail('attempt.finished')
    await tx.updateTable('attempts').set({ writer }).where('id', '=', attemptId).execute()
    // The former writer learns of it at once. A guest has one browser, and no stream of their own.
    if (taker?.kind === 'person') await notifyOwnChange(tx, taker.userId, { table: 'attempts', id: attemptId })
    return { ...attempt, writer }
  })
}

/**
 * Saves the last answer to a question, makes it final and returns the answer key. Idempotent.
 * @throws Failure as saveAnswer does, attempt.no-key-in-timed
 */
export async function checkAnswer(
  db: Db,
  check: {
    attemptId: AttemptId
    questionId: string
    taker: Taker | null
    writer: string | undefined
    answer: SaveAnswer | null
    now: Date
  },
): Promise<{ question: QuestionForReview; answer: AnswerState; clock: ServerClock }> {
  const { attemptId, questionId, taker, now } = check
  const attempt = await getOwnAttempt(db, attemptId, taker)
  await refuseIfFinished(db, attempt, now)
  if (attempt.mode === 'timed') throw fail('attempt.no-key-in-timed')
  if (!mayWrite(attempt, check.answer?.writer ?? check.writer)) throw fail('attempt.elsewhere')
  const question = (await listQuestionsAsShown(db, attempt)).find(({ id }) => id === questionId)
  if (question === undefined) throw fail('attempt.unknown-question')
  const answer = await db.transaction().execute(async (tx) => {
    const before = (await listAnswers(tx, attemptId)).get(questionId)
    if (check.answer !== null && before?.isChecked !== true) await saveAnswer(tx, { ...check, answer: check.answer })
    // Locked again: an attempt that was finished meanwhile must not change.
    await sql`
      insert into attempt_answers as stored (attempt_id, question_id, seq, writer, checked_at, saved_at)
      select id, ${questionId}, 0, '', ${now}, ${now} from (
        select id from attempts where id = ${attemptId} and ${isOpen} for key share
      ) as attempt
      on conflict (attempt_id, question_id) do update set checked_at = coalesce(stored.checked_at, excluded.checked_at)`.execute(
      tx,
    )
    return (await listAnswers(tx, attemptId)).get(questionId)
  })
  if (answer?.isChecked !== true) throw fail('attempt.finished')
  return { question: forReview(question), answer, clock: clockOf(attempt, now) }
}

/**
 * Submits an attempt with its answers, graded by the answer keys of its own version. Idempotent. After the deadline and the
 * grace period the attempt counts as submitted at the deadline.
 * @throws Failure attempt.not-found, attempt.elsewhere, attempt.unknown-question, attempt.unknown-answer,
 * attempt.too-many-selected, attempt.from-the-future
 */
export async function finishAttempt(
  db: Db,
  finish: {
    attemptId: AttemptId
    taker: Taker | null
    writer: string | undefined
    answers: Readonly<Record<string, SaveAnswer>>
    activeMs: Readonly<Record<string, number>>
    now: Date
  },
): Promise<{ attemptId: AttemptId; finishedBy: FinishedBy; result: AttemptResult }> {
  const { attemptId, taker, now } = finish
  const closed = await db.transaction().execute(async (tx) => {
    await lockAnswerKeysOf(tx, attemptId)
    const attempt = await getOwnAttempt(tx, attemptId, taker, { lock: true })
    if (attempt.state === 'open' && !isOverdue(attempt.deadlineAt, now)) {
      if (!mayWrite(attempt, finish.writer)) throw fail('attempt.elsewhere')
      await saveAnswers(tx, attempt, finish.answers, now)
      await saveTimes(tx, attempt, finish.activeMs, now)
    }
    const result = await closeAttempt(tx, attemptId, now)
    if (isTooLate({ ...attempt, finishedBy: result.finishedBy }, now))
      await storeLateAnswers(tx, attempt, finish.answers, now)
    return result
  })
  return { attemptId, ...closed }
}

/**
 * Moves a guest's attempts to the user who signs in. If the user has the same exam open already, the guest's attempt is graded
 * as it is and becomes history. Returns the number of moved attempts.
 */
export async function adoptGuestAttempts(
  db: Db,
  move: { guestId: GuestId; userId: UserId; now: Date },
): Promise<number> {
  const { guestId, userId, now } = move
  const user: Taker = { kind: 'person', userId }
  return db.transaction().execute(async (tx) => {
    await waitForTaker(tx, { kind: 'guest', guestId })
    await waitForTaker(tx, user)
    const families = await tx
      .selectFrom('attempts')
      .where('guest_id', '=', guestId)
      .orderBy('family_id')
      .distinct()
      .select('family_id')
      .$narrowType<{ family_id: string }>()
      .execute()
    for (const { family_id: familyId } of families) await lockAnswerKeys(tx, familyId)
    const guests = await tx
      .selectFrom('attempts')
      .where('guest_id', '=', guestId)
      .orderBy('started_at')
      .select(['id', 'family_id', 'mode', 'state'])
      // Guests take exams only; what is drawn belongs to users.
      .$narrowType<{ family_id: string }>()
      .forUpdate()
      .execute()
    for (const { id, family_id: familyId, mode, state } of guests) {
      const hasOwn = (await findOpenAttempt(tx, { taker: user, familyId, mode })) !== null
      if (state === 'open' && hasOwn) await closeAttempt(tx, id as AttemptId, now, 'merge')
      await tx.updateTable('attempts').set({ user_id: userId, guest_id: null }).where('id', '=', id).execute()
    }
    return guests.length
  })
}

/** Deletes the attempts of a course that is deleted. Nobody ever owned it, so they are attempts at its free trials. */
export async function deleteAttemptsOfCourse(tx: Db, courseId: string): Promise<void> {
  await tx.deleteFrom('attempts').where('course_id', '=', courseId).execute()
}

/** Deletes a user's attempts with their answers, notes and question reports, and the record of issued offline exams. */
export async function eraseTaker(tx: Db, userId: UserId): Promise<void> {
  await tx.deleteFrom('issued_offline_exams').where('user_id', '=', userId).execute()
  await tx.deleteFrom('attempts').where('user_id', '=', userId).execute()
}
