import { creditPercentOf, forReview, forTaking, isRight } from '../../questions/types/grading-registry.ts'
import { shownCaseStudies } from '../../questions/case-studies/case-blocks.ts'
import { listCaseStudiesOf } from '../attempt-questions-queries.server.ts'
import type { Answer } from '../../questions/types/question-types.schema.ts'
import type { Db } from '../../../db/open.server.ts'
import type { AttemptId } from '../../../lib/ids.ts'
import type { WithoutAccess } from '../../access/access.schema.ts'
import {
  getTitles,
  listAnswers,
  listQuestionsAsShown,
  readAnswer,
  type AttemptRecord,
} from '../attempts-queries.server.ts'
import { minutesWith } from '../attempts.ts'
import { fail, type RegradeNote, type ReviewView } from '../attempts.schema.ts'
import { budgetOf } from '../scaled-score.ts'

/** If `withheld` is not null, the review has no answer keys and explanations. @throws Failure attempt.not-finished */
export async function getReview(db: Db, attempt: AttemptRecord, withheld: WithoutAccess | null): Promise<ReviewView> {
  const { result, finishedAt, finishedBy } = attempt
  if (result === null || finishedAt === null || finishedBy === null) throw fail('attempt.not-finished')
  const [{ names, usualMinutes }, questions, caseStudies, answers, late, regrades] = await Promise.all([
    getTitles(db, attempt),
    listQuestionsAsShown(db, attempt),
    listCaseStudiesOf(db, attempt),
    listAnswers(db, attempt.id),
    listLateAnswers(db, attempt.id),
    listRegradeNotes(db, attempt.id),
  ])
  return {
    id: attempt.id,
    ...names,
    mode: attempt.mode,
    startedAt: attempt.startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    finishedBy,
    timeLimitMinutes: attempt.timeLimitMinutes,
    extraTime: attempt.extraTime,
    scoringPolicy: attempt.scoringPolicy,
    budgetMs: budgetOf(minutesWith(attempt.extraTime, attempt.timeLimitMinutes ?? usualMinutes), attempt.layout.length),
    result,
    regrades,
    withheld,
    caseStudies: shownCaseStudies(caseStudies, questions),
    questions: questions.map((question) => {
      const state = answers.get(question.id)
      const answer = state?.answer ?? null
      return {
        question: withheld === null ? forReview(question) : forTaking(question),
        answer,
        isRight: isRight(question, answer),
        creditPercent: creditPercentOf(question, answer, attempt.scoringPolicy),
        isFlagged: state?.isFlagged ?? false,
        note: state?.note ?? '',
        confidence: state?.confidence ?? null,
        activeMs: state?.activeMs ?? 0,
        isLate: late.has(question.id),
        lateAnswer: late.get(question.id) ?? null,
      }
    }),
  }
}

/** The answers that arrived after the end, by question. */
async function listLateAnswers(db: Db, attemptId: AttemptId): Promise<Map<string, Answer | null>> {
  const rows = await db
    .selectFrom('late_answers')
    .where('attempt_id', '=', attemptId)
    .select(['question_id', 'answer'])
    .execute()
  return new Map(rows.map((row) => [row.question_id, readAnswer(row.answer)]))
}

/** The corrections of answer keys that changed the result, oldest first, each with the result before it. */
async function listRegradeNotes(db: Db, attemptId: AttemptId): Promise<RegradeNote[]> {
  const rows = await db
    .selectFrom('former_results')
    .innerJoin('regrades', 'regrades.id', 'former_results.regrade_id')
    .where('former_results.attempt_id', '=', attemptId)
    .orderBy('regrades.at')
    .select(['regrades.at', 'regrades.reason', 'former_results.score_percent', 'former_results.is_passed'])
    .execute()
  return rows.map((row) => ({
    at: row.at.toISOString(),
    reason: row.reason,
    scorePercent: Number(row.score_percent),
    isPassed: row.is_passed,
  }))
}
