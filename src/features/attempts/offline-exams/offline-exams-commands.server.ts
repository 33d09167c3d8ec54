import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, ExamId, UserId } from '../../../lib/ids.ts'
import { findAccess, findPeriodAt } from '../../access/access-queries.server.ts'
import { fail as failAccess } from '../../access/access.schema.ts'
import { lockAnswerKeys } from '../../catalogue/exam-locks-commands.server.ts'
import { getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { getRealExam } from '../attempts-queries.server.ts'
import { answerProblem, gradeAttempt, shuffleLayout } from '../attempts.ts'
import { fail, ScoringPolicy } from '../attempts.schema.ts'
import { endColumns } from '../close-attempts-commands.server.ts'
import { timesWithin } from './offline-exams.ts'
import { fail as failOfflineExam, type OfflineAttempt } from './offline-exams.schema.ts'

/** Remembers which exam was given to whom, so that what comes back can be told from what somebody made up. */
export async function recordIssuedOfflineExam(
  db: Db,
  given: { readonly userId: UserId; readonly examId: ExamId; readonly seed: number; readonly now: Date },
): Promise<void> {
  const { userId, examId, seed, now } = given
  await db
    .insertInto('issued_offline_exams')
    .values({ user_id: userId, exam_id: examId, seed, issued_at: now })
    .onConflict((on) => on.doNothing())
    .execute()
}

type Given = {
  readonly userId: UserId
  readonly isAdmin: boolean
  readonly attempt: OfflineAttempt
  readonly now: Date
}

/**
 * What was practised on a device becomes a finished attempt, graded here from its answers. Twice is once. It counts when it
 * was done with an exam that was given for it and finished while access ran, however late it comes.
 * @throws Failure exam.not-found, access.none, access.ended, pack.not-given, attempt.not-found, attempt.unknown-question,
 * attempt.unknown-answer, attempt.too-many-selected
 */
export async function storeOfflineAttempt(db: Db, given: Given): Promise<void> {
  const { userId, attempt } = given
  await db.transaction().execute(async (tx) => {
    if (await isStored(tx, given)) return
    const exam = await tx
      .selectFrom('test_questions')
      .where('id', '=', attempt.examId)
      .select(['family_id', 'course_id', 'scoring_policy', 'passing_score', 'created_at'])
      .executeTakeFirst()
    if (exam === undefined) throw failCatalogue('exam.not-found')
    const courseId = exam.course_id as CourseId
    const { startedAt, finishedAt } = await findTimes(tx, given, { courseId, madeAt: exam.created_at })
    await lockAnswerKeys(tx, exam.family_id)
    const questions = await getExamQuestions(tx, attempt.examId as ExamId)
    const layout = shuffleLayout(attempt.seed, questions, 'practice')
    for (const [questionId, selection] of Object.entries(attempt.answers)) {
      const problem = answerProblem(layout, questionId, { selection, struck: [] })
      if (problem !== null) throw fail(problem)
    }
    const policy = ScoringPolicy.parse(exam.scoring_policy)
    const result = gradeAttempt({
      layout,
      questions,
      selections: new Map(Object.entries(attempt.answers)),
      policy,
      passingScore: exam.passing_score,
      realExam: await getRealExam(tx, courseId),
    })
    const added = await tx
      .insertInto('attempts')
      .values({
        id: attempt.id,
        exam_id: attempt.examId,
        family_id: exam.family_id,
        course_id: courseId,
        user_id: userId,
        guest_id: null,
        mode: 'practice',
        seed: attempt.seed,
        layout: JSON.stringify(layout),
        scoring_policy: policy,
        passing_score: exam.passing_score,
        started_at: startedAt,
        ...endColumns({ finishedAt, finishedBy: 'learner' }, result),
      })
      .onConflict((on) => on.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added === undefined) {
      // The same one came by another way at the same time.
      await isStored(tx, given)
      return
    }
    const answers = Object.entries(attempt.answers).filter(([, selection]) => selection.length > 0)
    if (answers.length === 0) return
    await tx
      .insertInto('attempt_answers')
      .values(
        answers.map(([questionId, selection]) => ({
          attempt_id: attempt.id,
          question_id: questionId,
          selection,
          is_flagged: false,
          struck: [],
          seq: 1,
          writer: 'offline',
          checked_at: finishedAt,
          saved_at: finishedAt,
        })),
      )
      .execute()
  })
}

/** Whether it has come before. @throws Failure attempt.not-found where it is somebody else's */
async function isStored(tx: Db, { attempt, userId }: Given): Promise<boolean> {
  const known = await tx.selectFrom('attempts').where('id', '=', attempt.id).select('user_id').executeTakeFirst()
  if (known !== undefined && known.user_id !== userId) throw fail('attempt.not-found')
  return known !== undefined
}

/**
 * When it was practised, as far as it counts: not before the exam was given, not after now, and finished while access ran. An
 * admin has no period of access; for them it is enough that the exam was given.
 * @throws Failure access.none, access.ended, pack.not-given
 */
async function findTimes(
  tx: Db,
  { userId, isAdmin, attempt, now }: Given,
  exam: { readonly courseId: CourseId; readonly madeAt: Date },
) {
  const { courseId } = exam
  const offlineExam = await tx
    .selectFrom('issued_offline_exams')
    .where('user_id', '=', userId)
    .where('exam_id', '=', attempt.examId)
    .where('seed', '=', attempt.seed)
    .select('issued_at')
    .executeTakeFirst()
  const said = { startedAt: new Date(attempt.startedAt), finishedAt: new Date(attempt.finishedAt) }
  const access = isAdmin ? null : await findAccess(tx, userId, courseId, now)
  if (access?.kind === 'none') throw failAccess('access.none')
  const refusal = access?.kind === 'ended' ? failAccess('access.ended') : failOfflineExam('pack.not-given')
  if (isAdmin && offlineExam === undefined) throw refusal
  // A pack that was not recorded belongs to no moment that is known; its exam had to be there.
  const times = timesWithin(said, { from: offlineExam?.issued_at ?? new Date(0), until: now })
  if (isAdmin) return times
  const period = await findPeriodAt(tx, { userId, courseId }, times.finishedAt)
  if (period === null) throw refusal
  if (offlineExam !== undefined) return times
  // Exams were put on devices before any of that was recorded. Nobody can tell such a pack from an invented one, so it counts
  // only where it can be true: within a period of access that was given before the record began, with a version that was there.
  // The last of these periods is over soon, and this with it.
  if (period.givenAt >= (await findStartOfRecord(tx)) || times.finishedAt < exam.madeAt) throw refusal
  return timesWithin(said, { from: period.startsAt, until: now })
}

/** When this database began to record which exams it gives: whatever came first is unknown to it. */
async function findStartOfRecord(tx: Db): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select at from migrations where name = '0045_given_packs.sql'`.execute(tx)
  return rows[0]?.at ?? new Date(0)
}
