import type { Db } from '../../../../db/open.server.ts'
import type { CourseId, ExamId, PersonId } from '../../../../lib/ids.ts'
import { findAccess } from '../../../access/read.server.ts'
import { fail as failAccess } from '../../../access/schema.ts'
import { holdKeys } from '../../../catalogue/drafts/write.server.ts'
import { getExamQuestions } from '../../../catalogue/read.server.ts'
import { fail as failCatalogue } from '../../../catalogue/schema.ts'
import { getRealExam } from '../../read.server.ts'
import { answerProblem, gradeAttempt, shuffleLayout } from '../../rules.ts'
import { fail, ScoringPolicy } from '../../schema.ts'
import { endColumns } from '../../scoring/write.server.ts'
import type { OfflineAttempt } from './schema.ts'

/**
 * What was practised on a device becomes a finished attempt, graded here from its answers. Twice is once. It counts when it
 * was finished while access ran, however late it comes.
 * @throws Failure exam.not-found, access.none, access.ended, attempt.not-found, attempt.unknown-question,
 * attempt.unknown-answer, attempt.too-many-selected
 */
export async function keepOfflineAttempt(
  db: Db,
  given: {
    readonly personId: PersonId
    readonly isAdmin: boolean
    readonly attempt: OfflineAttempt
    readonly now: Date
  },
): Promise<void> {
  const { personId, attempt, now } = given
  const finishedAt = earlier(new Date(attempt.finishedAt), now)
  const startedAt = earlier(new Date(attempt.startedAt), finishedAt)
  await db.transaction().execute(async (tx) => {
    const exam = await tx
      .selectFrom('test_questions')
      .where('id', '=', attempt.examId)
      .select(['family_id', 'course_id', 'scoring_policy', 'passing_score'])
      .executeTakeFirst()
    if (exam === undefined) throw failCatalogue('exam.not-found')
    const courseId = exam.course_id as CourseId
    if (!given.isAdmin) {
      const access = await findAccess(tx, personId, courseId, now)
      if (access.kind === 'ended' && finishedAt > access.since) throw failAccess('access.ended')
      if (access.kind !== 'running' && access.kind !== 'ended') throw failAccess('access.none')
    }
    await holdKeys(tx, exam.family_id)
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
        user_id: personId,
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
      const known = await tx.selectFrom('attempts').where('id', '=', attempt.id).select('user_id').executeTakeFirst()
      if (known?.user_id !== personId) throw fail('attempt.not-found')
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

/** A device's clock may be ahead of ours; nothing happened later than now. */
function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}
