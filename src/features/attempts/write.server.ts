import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { AttemptId, GuestId, PersonId } from '../../lib/ids.ts'
import { after } from '../../lib/time.ts'
import { holdKeys } from '../catalogue/drafts/write.server.ts'
import { getExamQuestions, type ExamFacts } from '../catalogue/read.server.ts'
import { forReview } from '../questions/rules.ts'
import type { QuestionForReview } from '../questions/schema.ts'
import { copy } from './copy.ts'
import {
  clockOf,
  findAttempt,
  findExtraTime,
  findOpenAttempt,
  getOwnAttempt,
  getRealExam,
  listAnswers,
  listQuestionsAsShown,
  takerId,
  type AttemptRecord,
} from './read.server.ts'
import {
  answerProblem,
  deadlineOf,
  endOf,
  GRACE_MS,
  gradeAttempt,
  isNewer,
  isFromTheFuture,
  isOverdue,
  mayWrite,
  SEQ_HEAD_START,
  shuffleLayout,
} from './rules.ts'
import { findKeptLayout } from './saving/saves/read.server.ts'
import {
  fail,
  type Admission,
  type AnswerState,
  type AttemptResult,
  type FinishedBy,
  type SaveAnswer,
  type ServerClock,
  type Taker,
} from './schema.ts'

/**
 * Starts an attempt, or gives back the one that is open: a taker has one of an exam and mode, however often and at
 * however many places it is started. What it is started with is frozen on it.
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
    const extraTime = taker.kind === 'person' && mode === 'timed' ? await findExtraTime(tx, taker.personId) : 'none'
    const seed = randomInt(2 ** 31)
    const { id } = await tx
      .insertInto('attempts')
      .values({
        exam_id: exam.id,
        family_id: exam.familyId,
        course_id: exam.courseId,
        user_id: taker.kind === 'person' ? taker.personId : null,
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

/** Starts of one taker, and the move of a guest's attempts to them, come one after the other. */
async function waitForTaker(tx: Db, taker: Taker) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`attempts:${takerId(taker)}`}, 0))`.execute(tx)
}

/** A page that names itself becomes the writer of an open attempt that has none. Gives the attempt as it is then. */
export async function claimAttempt(db: Db, attempt: AttemptRecord, writer: string | undefined): Promise<AttemptRecord> {
  if (writer === undefined || attempt.writer !== null || attempt.state === 'finished') return attempt
  await db
    .updateTable('attempts')
    .set({ writer })
    .where('id', '=', attempt.id)
    .where('writer', 'is', null)
    .where('state', '=', 'open')
    .execute()
  return (await findAttempt(db, attempt.id)) ?? attempt
}

/**
 * Makes a page the one writer of an open attempt. What the writer before it has saved is there; what it sends from now on
 * is kept out.
 * @throws Failure attempt.not-found, attempt.finished
 */
export async function takeOver(
  db: Db,
  take: { attemptId: AttemptId; taker: Taker | null; writer: string; now: Date },
): Promise<AttemptRecord> {
  const { attemptId, taker, writer, now } = take
  await refuseIfFinished(db, await getOwnAttempt(db, attemptId, taker), now)
  return db.transaction().execute(async (tx) => {
    // The full lock waits for saves that are on their way: none of them lands after the writer has changed.
    const attempt = await getOwnAttempt(tx, attemptId, taker, { lock: true })
    if (attempt.state === 'finished') throw fail('attempt.finished')
    await tx.updateTable('attempts').set({ writer }).where('id', '=', attemptId).execute()
    return { ...attempt, writer }
  })
}

/** Of two writes for a question the one with the greater (seq, writer) stays, whichever comes first. What was checked stays too. */
const theNewerWins = sql`
  on conflict (attempt_id, question_id) do update set
    selection = excluded.selection, is_flagged = excluded.is_flagged, struck = excluded.struck,
    note = excluded.note, confidence = excluded.confidence,
    active_ms = greatest(stored.active_ms, excluded.active_ms),
    seq = excluded.seq, writer = excluded.writer, saved_at = excluded.saved_at
  where (excluded.seq, excluded.writer collate "C") > (stored.seq, stored.writer collate "C")
    and (stored.checked_at is null or stored.selection = excluded.selection)`

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
  const layout = await findKeptLayout(db, attemptId)
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
        (attempt_id, question_id, selection, is_flagged, struck, note, confidence, active_ms, seq, writer, saved_at)
      select id, ${questionId}, ${answer.selection}::text[], ${answer.isFlagged}, ${answer.struck}::text[],
        ${answer.note}, ${answer.confidence},
        greatest(0, least(${answer.activeMs}, extract(epoch from (${now}::timestamptz - started_at)) * 1000))::integer,
        ${answer.seq}, ${answer.writer}, ${now}
      from attempt
      ${theNewerWins}
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
    await keepLate(db, attempt, { [questionId]: answer }, now)
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

/** Why an answer can't be put down for an attempt, whoever sends it; null when it can. */
function problemAt(attempt: AttemptRecord, questionId: string, answer: SaveAnswer, now: Date) {
  const problem = answerProblem(attempt.layout, questionId, answer)
  if (problem !== null) return problem
  return isFromTheFuture(answer.seq, attempt.startedAt, now) ? 'attempt.from-the-future' : null
}

/** Whether it was the clock, and nobody else, that kept an answer out of an attempt. */
function isTooLate(attempt: Pick<AttemptRecord, 'deadlineAt' | 'finishedBy'>, now: Date): boolean {
  return attempt.finishedBy === 'deadline' && isOverdue(attempt.deadlineAt, now)
}

/** Keeps what came too late beside the attempt, where it is newer than what counts and another answer. */
async function keepLate(
  db: Db,
  attempt: AttemptRecord,
  answers: Readonly<Record<string, SaveAnswer>>,
  now: Date,
): Promise<void> {
  const given = Object.entries(answers).filter(
    ([questionId, answer]) => mayWrite(attempt, answer.writer) && problemAt(attempt, questionId, answer, now) === null,
  )
  if (given.length === 0) return
  const rows = given.map(([id, { selection, seq, writer }]) => ({ question_id: id, selection, seq, writer }))
  await sql`
    insert into late_answers as kept (attempt_id, question_id, selection, seq, writer, arrived_at)
    select ${attempt.id}, given.question_id, given.selection, given.seq, given.writer, ${now}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as given (question_id text, selection text[], seq bigint, writer text)
    left join attempt_answers as counted
      on counted.attempt_id = ${attempt.id} and counted.question_id = given.question_id
    where given.selection <> coalesce(counted.selection, '{}')
      and (counted.seq is null
        or (given.seq, given.writer collate "C") > (counted.seq, counted.writer collate "C"))
    on conflict (attempt_id, question_id) do update set
      selection = excluded.selection, seq = excluded.seq, writer = excluded.writer, arrived_at = excluded.arrived_at
    where (excluded.seq, excluded.writer collate "C") > (kept.seq, kept.writer collate "C")`.execute(db)
}

/** @throws Failure attempt.finished; a timed attempt that nobody closed in time is closed on the way */
async function refuseIfFinished(db: Db, attempt: AttemptRecord, now: Date) {
  if (attempt.state === 'open' && !isOverdue(attempt.deadlineAt, now)) return
  if (attempt.state === 'open') await db.transaction().execute((tx) => closeAttempt(tx, attempt.id, now))
  throw fail('attempt.finished')
}

/**
 * Makes a question's answer final, with what was chosen last, and gives its key. Twice is once.
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
    // The lock, once more: an attempt that was finished meanwhile stays as it was.
    await sql`
      insert into attempt_answers as stored (attempt_id, question_id, seq, writer, checked_at, saved_at)
      select id, ${questionId}, 0, '', ${now}, ${now} from (
        select id from attempts where id = ${attemptId} and state = 'open' for key share
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
 * Submits an attempt with everything that was put down, graded by the key of its own version. Twice is once, and after
 * the deadline and its grace the deadline has already done it.
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
    await holdKeysOf(tx, attemptId)
    const attempt = await getOwnAttempt(tx, attemptId, taker, { lock: true })
    if (attempt.state === 'open' && !isOverdue(attempt.deadlineAt, now)) {
      if (!mayWrite(attempt, finish.writer)) throw fail('attempt.elsewhere')
      await putDownAll(tx, attempt, finish.answers, now)
      await putDownTimes(tx, attempt, finish.activeMs, now)
    }
    const result = await closeAttempt(tx, attemptId, now)
    if (isTooLate({ ...attempt, finishedBy: result.finishedBy }, now)) await keepLate(tx, attempt, finish.answers, now)
    return result
  })
  return { attemptId, ...closed }
}

/** The backstop: the same rules as single saves, for many at once. */
async function putDownAll(
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
      (attempt_id, question_id, selection, is_flagged, struck, note, confidence, active_ms, seq, writer, saved_at)
    select ${attempt.id}, question_id, selection, is_flagged, struck, note, confidence,
      least(active_ms, ${elapsedMs(attempt, now)}::bigint)::integer, seq, writer, ${now}
    from json_to_recordset(${JSON.stringify(given.map(([questionId, answer]) => ({ question_id: questionId, selection: answer.selection, is_flagged: answer.isFlagged, struck: answer.struck, note: answer.note, confidence: answer.confidence, active_ms: answer.activeMs, seq: answer.seq, writer: answer.writer })))}::json)
      as given (
        question_id text, selection text[], is_flagged boolean, struck text[], note text, confidence text,
        active_ms integer, seq bigint, writer text
      )
    ${theNewerWins}`.execute(tx)
}

/** The time that was measured in the page since the last save of each question. Nothing else of an answer changes. */
async function putDownTimes(
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

/**
 * Grades an attempt and closes it for good; one that is closed already keeps its result. Whoever comes first does it: the
 * learner, the sweep, or any request that touches it.
 */
async function closeAttempt(
  tx: Db,
  attemptId: AttemptId,
  now: Date,
  as?: 'merge',
): Promise<{ finishedBy: FinishedBy; result: AttemptResult }> {
  await holdKeysOf(tx, attemptId)
  const attempt = await findAttempt(tx, attemptId, { lock: true })
  if (attempt === null) throw fail('attempt.not-found')
  if (attempt.result !== null && attempt.finishedBy !== null)
    return { finishedBy: attempt.finishedBy, result: attempt.result }
  const [questions, answers] = [await getExamQuestions(tx, attempt.examId), await listAnswers(tx, attemptId)]
  const result = gradeAttempt({
    layout: attempt.layout,
    questions,
    selections: new Map([...answers].map(([questionId, { selection }]) => [questionId, selection])),
    policy: attempt.scoringPolicy,
    passingScore: attempt.passingScore,
    realExam: await getRealExam(tx, attempt.courseId),
  })
  const end = as === 'merge' ? { finishedAt: now, finishedBy: 'merge' as const } : endOf(attempt.deadlineAt, now)
  await tx
    .updateTable('attempts')
    .set({
      state: 'finished',
      finished_at: end.finishedAt,
      finished_by: end.finishedBy,
      result: JSON.stringify(result),
      score_percent: result.scorePercent.toFixed(2),
      is_passed: result.isPassed,
    })
    .where('id', '=', attemptId)
    .execute()
  return { finishedBy: end.finishedBy, result }
}

/** A key that is mended now is mended after this attempt is graded, or before: a regrade misses none. Held before the attempt is locked. */
async function holdKeysOf(tx: Db, attemptId: AttemptId): Promise<void> {
  const row = await tx.selectFrom('attempts').where('id', '=', attemptId).select('family_id').executeTakeFirst()
  if (row !== undefined) await holdKeys(tx, row.family_id)
}

/** The attempt as it is now: a timed one whose time is over is closed first. */
export async function settleAttempt(db: Db, attempt: AttemptRecord, now: Date): Promise<AttemptRecord> {
  if (attempt.state === 'finished' || !isOverdue(attempt.deadlineAt, now)) return attempt
  await db.transaction().execute((tx) => closeAttempt(tx, attempt.id, now))
  return (await findAttempt(db, attempt.id)) ?? attempt
}

/**
 * Submits every timed attempt whose time is over, with the deadline as its end. Says how many it closed.
 * @throws AggregateError when some could not be closed; the others are
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
      // One that can't be graded must not keep all that come after it waiting.
      problems.push(error)
    }
  }
  if (problems.length > 0) throw new AggregateError(problems, `${problems.length} overdue attempts could not be closed`)
  return overdue.length
}

/**
 * Brings what a guest did along to the person who signs in, once. Where the person has the same exam open already, the
 * guest's attempt is graded as it stands and kept as history. Says how many came along.
 */
export async function adoptGuestAttempts(
  db: Db,
  move: { guestId: GuestId; personId: PersonId; now: Date },
): Promise<number> {
  const { guestId, personId, now } = move
  const person: Taker = { kind: 'person', personId }
  return db.transaction().execute(async (tx) => {
    await waitForTaker(tx, { kind: 'guest', guestId })
    await waitForTaker(tx, person)
    const families = await tx
      .selectFrom('attempts')
      .where('guest_id', '=', guestId)
      .orderBy('family_id')
      .distinct()
      .select('family_id')
      .execute()
    for (const { family_id: familyId } of families) await holdKeys(tx, familyId)
    const guests = await tx
      .selectFrom('attempts')
      .where('guest_id', '=', guestId)
      .orderBy('started_at')
      .select(['id', 'family_id', 'mode', 'state'])
      .forUpdate()
      .execute()
    for (const { id, family_id: familyId, mode, state } of guests) {
      const hasOwn = (await findOpenAttempt(tx, { taker: person, familyId, mode })) !== null
      if (state === 'open' && hasOwn) await closeAttempt(tx, id as AttemptId, now, 'merge')
      await tx.updateTable('attempts').set({ user_id: personId, guest_id: null }).where('id', '=', id).execute()
    }
    return guests.length
  })
}

/** Attempts go with a course that is deleted for good: nobody ever owned it, so they are those of its free trials. */
export async function forgetAttemptsOfCourse(tx: Db, courseId: string): Promise<void> {
  await tx.deleteFrom('attempts').where('course_id', '=', courseId).execute()
}

/** Attempts, answers, notes and reports of questions go with whoever made them. */
export async function forgetTaker(tx: Db, personId: PersonId): Promise<void> {
  await tx.deleteFrom('attempts').where('user_id', '=', personId).execute()
}
