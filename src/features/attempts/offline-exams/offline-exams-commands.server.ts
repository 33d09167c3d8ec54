import { ScoringPolicy } from '../../questions/types/question-base.schema.ts'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, ExamId, UserId } from '../../../lib/ids.ts'
import { sign, verifySigned } from '../../../platform/http/signed-cookie.server.ts'
import { findAccess, findPeriodAt } from '../../access/access-queries.server.ts'
import { fail as failAccess } from '../../access/access.schema.ts'
import { lockAnswerKeys } from '../../catalogue/exam-locks-commands.server.ts'
import { getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { getRealExam } from '../attempts-queries.server.ts'
import { answerProblem, gradeAttempt, shuffleLayout } from '../attempts.ts'
import { fail } from '../attempts.schema.ts'
import { endColumns } from '../close-attempts-commands.server.ts'
import { timesWithin, type Times } from './offline-exams.ts'
import { fail as failOfflineExam, IssuedExam, type OfflineAttempt } from './offline-exams.schema.ts'
import { findUnsignedTimes } from './unsigned-exams-commands.server.ts'

const PURPOSE = 'offline-exam'

/** The signature that the attempt at an offline exam brings back. Anyone can read it, and nobody can change or invent one. */
export function signIssued(issued: IssuedExam, secret: string): string {
  return sign(Buffer.from(JSON.stringify(issued)).toString('base64url'), PURPOSE, secret)
}

/** What was issued for this attempt. @throws Failure pack.not-given for a signature that is not ours, or of another exam or user */
function readIssued(
  attempt: Pick<OfflineAttempt, 'examId' | 'seed' | 'signature'>,
  { userId, secret }: { readonly userId: string; readonly secret: string },
): IssuedExam {
  const value = verifySigned(attempt.signature ?? null, PURPOSE, secret)
  if (value === null) throw failOfflineExam('pack.not-given')
  const issued = IssuedExam.parse(JSON.parse(Buffer.from(value, 'base64url').toString('utf8')))
  const isOfThis = issued.userId === userId && issued.examId === attempt.examId && issued.seed === attempt.seed
  if (!isOfThis) throw failOfflineExam('pack.not-given')
  return issued
}

type Given = {
  readonly userId: UserId
  readonly isAdmin: boolean
  readonly attempt: OfflineAttempt
  /** The installation's secret, which signed the exam. */
  readonly secret: string
  readonly now: Date
}

/**
 * Stores an exam that was practiced on a device as a finished attempt and grades its answers. Idempotent. However late it
 * arrives, it counts if its offline exam was issued and it was finished while access ran.
 * @throws Failure exam.not-found, access.none, access.ended, pack.not-given, pack.unsigned, attempt.not-found,
 * attempt.unknown-question, attempt.unknown-answer, attempt.too-many-selected
 */
export async function storeOfflineAttempt(db: Db, given: Given): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (await isStored(tx, given)) return
    const exam = await getExam(tx, given.attempt.examId)
    const times = await findTimes(tx, given, exam)
    const graded = await grade(tx, given.attempt, exam)
    const isAdded = await insertAttempt(tx, given, { ...exam, ...times, ...graded })
    if (isAdded) await insertAnswers(tx, given.attempt, times.finishedAt)
    // The same attempt was stored at the same time; the check that it is the user's own remains.
    else await isStored(tx, given)
  })
}

type ExamRow = {
  readonly familyId: string
  readonly courseId: CourseId
  readonly policy: ScoringPolicy
  readonly passingScore: number
  readonly createdAt: Date
}

/** @throws Failure exam.not-found */
async function getExam(tx: Db, examId: string): Promise<ExamRow> {
  const exam = await tx
    .selectFrom('test_questions')
    .where('id', '=', examId)
    .select(['family_id', 'course_id', 'scoring_policy', 'passing_score', 'created_at'])
    .executeTakeFirst()
  if (exam === undefined) throw failCatalogue('exam.not-found')
  return {
    familyId: exam.family_id,
    courseId: exam.course_id as CourseId,
    policy: ScoringPolicy.parse(exam.scoring_policy),
    passingScore: exam.passing_score,
    createdAt: exam.created_at,
  }
}

/** @throws Failure attempt.unknown-question, attempt.unknown-answer, attempt.too-many-selected */
async function grade(tx: Db, attempt: OfflineAttempt, { familyId, courseId, policy, passingScore }: ExamRow) {
  await lockAnswerKeys(tx, familyId)
  const questions = await getExamQuestions(tx, attempt.examId as ExamId)
  const layout = shuffleLayout(attempt.seed, questions, 'practice')
  for (const [questionId, answer] of Object.entries(attempt.answers)) {
    const problem = answerProblem(layout, questionId, { answer, struck: [] })
    if (problem !== null) throw fail(problem)
  }
  const answers = new Map(Object.entries(attempt.answers))
  const realExam = await getRealExam(tx, courseId)
  return { layout, result: gradeAttempt({ layout, questions, answers, policy, passingScore, realExam }) }
}

type Finished = ExamRow & Awaited<ReturnType<typeof findTimes>> & Awaited<ReturnType<typeof grade>>

/** False when the attempt was already stored. */
async function insertAttempt(tx: Db, { userId, attempt }: Given, finished: Finished): Promise<boolean> {
  const { familyId, courseId, policy, passingScore, startedAt, finishedAt, layout, result } = finished
  const added = await tx
    .insertInto('attempts')
    .values({
      id: attempt.id,
      exam_id: attempt.examId,
      family_id: familyId,
      course_id: courseId,
      user_id: userId,
      guest_id: null,
      mode: 'practice',
      seed: attempt.seed,
      layout: JSON.stringify(layout),
      scoring_policy: policy,
      passing_score: passingScore,
      started_at: startedAt,
      ...endColumns({ finishedAt, finishedBy: 'learner' }, result),
    })
    .onConflict((on) => on.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

async function insertAnswers(tx: Db, attempt: OfflineAttempt, finishedAt: Date): Promise<void> {
  const answers = Object.entries(attempt.answers).filter(([, answer]) => answer !== null)
  if (answers.length === 0) return
  await tx
    .insertInto('attempt_answers')
    .values(
      answers.map(([questionId, answer]) => ({
        attempt_id: attempt.id,
        question_id: questionId,
        answer: JSON.stringify(answer),
        is_flagged: false,
        struck: [],
        seq: 1,
        writer: 'offline',
        checked_at: finishedAt,
        saved_at: finishedAt,
      })),
    )
    .execute()
}

/** Whether the attempt is already stored. @throws Failure attempt.not-found when it belongs to another user */
async function isStored(tx: Db, { attempt, userId }: Given): Promise<boolean> {
  const known = await tx.selectFrom('attempts').where('id', '=', attempt.id).select('user_id').executeTakeFirst()
  if (known !== undefined && known.user_id !== userId) throw fail('attempt.not-found')
  return known !== undefined
}

/**
 * Start and end of the attempt, within what its signature allows and the server's clock; it must have ended in an access period.
 * Admins have no access periods: for them the signature is enough.
 * @throws Failure access.none, access.ended, pack.not-given, pack.unsigned
 */
async function findTimes(tx: Db, given: Given, { courseId, createdAt }: ExamRow): Promise<Times> {
  const { userId, isAdmin, attempt, secret, now } = given
  const access = isAdmin ? null : await findAccess(tx, userId, courseId, now)
  if (access?.kind === 'none') throw failAccess('access.none')
  const refusal = access?.kind === 'ended' ? failAccess('access.ended') : failOfflineExam('pack.not-given')
  const claimed = { startedAt: new Date(attempt.startedAt), finishedAt: new Date(attempt.finishedAt) }
  if (attempt.signature === undefined) {
    const times = await findUnsignedTimes(tx, { userId, isAdmin, courseId, createdAt, attempt, claimed, now })
    if (times === null) throw refusal
    return times
  }
  const issued = readIssued(attempt, { userId, secret })
  const bounds = { from: new Date(issued.issuedAt), until: new Date(issued.until) }
  if (!isAdmin) {
    const { finishedAt } = timesWithin(claimed, { from: bounds.from, until: now })
    if ((await findPeriodAt(tx, { userId, courseId }, finishedAt)) === null) throw refusal
  }
  return timesWithin(claimed, { ...bounds, until: bounds.until < now ? bounds.until : now })
}
