import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { ExamId } from '../../../lib/ids.ts'
import { plainText } from '../../../lib/markdown.ts'
import { getExamCaseStudies, getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { countParts } from '../../questions/types/statistics-registry.ts'
import type { AnswerCount } from '../../questions/types/type-statistics.ts'
import type { Answer, Question } from '../../questions/types/question-types.schema.ts'
import { countFirstAnswers } from '../statistics/statistics-queries.server.ts'
import { findKeyCorrection } from './question-reports-queries.server.ts'
import {
  AnyOutcome,
  ReportReason,
  type ReportEvidence,
  type ReportView,
  type WeighedPart,
} from './question-reports.schema.ts'

/** Other reports of a question that an admin sees beside one. */
const MAX_OTHERS = 20

/** For each report what an admin decides on it with: how learners answered the question, and what others report. */
export async function listEvidence(
  db: Db,
  reports: readonly ReportView[],
): Promise<ReadonlyMap<string, ReportEvidence>> {
  const byExam = new Map<string, ReportView[]>()
  for (const report of reports) byExam.set(report.examId, [...(byExam.get(report.examId) ?? []), report])
  const others = await listOthers(db, reports)
  const evidence = new Map<string, ReportEvidence>()
  for (const [examId, ofExam] of byExam) {
    const questionIds = [...new Set(ofExam.map(({ questionId }) => questionId))]
    const familyId = ofExam[0]?.familyId ?? ''
    const [questions, caseStudies, { takerCount, given }] = await Promise.all([
      getExamQuestions(db, examId as ExamId),
      getExamCaseStudies(db, examId as ExamId),
      countFirstAnswers(db, { id: examId, familyId }, questionIds),
    ])
    for (const report of ofExam) {
      const question = questions.find(({ id }) => id === report.questionId)
      const corrected = await findKeyCorrection(db, report)
      evidence.set(report.id, {
        takerCount,
        parts: question === undefined ? [] : weighParts(question, given.get(question.id) ?? [], report.claim),
        others: (others.get(`${report.familyId} ${report.questionId}`) ?? []).filter(({ id }) => id !== report.id),
        caseStudy: caseStudies.find(({ id }) => id === question?.caseStudy) ?? null,
        keyCorrectedAt: corrected?.toISOString() ?? null,
      })
    }
  }
  return evidence
}

/** The parts of a question with their counts, and whether a claim names them. */
export function weighParts(question: Question, given: readonly AnswerCount[], claim: Answer | null): WeighedPart[] {
  // A text that only the claim has is a part of its own.
  const claimed = claim === null ? [] : [{ answer: claim, count: 1 }]
  const counts = new Map(countParts(question, given).map(({ id, count }) => [id, count]))
  const named = new Set(countParts(question, claimed).flatMap(({ id, count }) => (count > 0 ? [id] : [])))
  return countParts(question, [...given, ...claimed]).map((part) => ({
    ...part,
    count: counts.get(part.id) ?? 0,
    isClaimed: named.has(part.id),
  }))
}

/** The answer that a reporter thinks right, in the words of its parts; '' without one. */
export async function describeClaim(db: Db, { examId, questionId, claim }: ReportView): Promise<string> {
  if (claim === null) return ''
  const question = (await getExamQuestions(db, examId as ExamId)).find(({ id }) => id === questionId)
  if (question === undefined) return ''
  return weighParts(question, [], claim)
    .filter(({ isClaimed }) => isClaimed)
    .map(({ text }) => plainText(text))
    .join('; ')
}

type Other = ReportEvidence['others'][number]

/** The reports of each question, by exam and question, the newest first. */
async function listOthers(db: Db, reports: readonly ReportView[]): Promise<Map<string, Other[]>> {
  const families = reports.map(({ familyId }) => familyId)
  const questions = reports.map(({ questionId }) => questionId)
  const { rows } = await sql<{
    id: string
    familyId: string
    questionId: string
    reason: string
    words: string
    source: string | null
    email: string
    reportedAt: Date
    outcome: string | null
  }>`
    select r.id, r.family_id as "familyId", r.question_id as "questionId", r.reason, r.words, r.source, users.email,
      r.reported_at as "reportedAt", r.outcome
    from (select distinct family_id, question_id
      from unnest(${families}::uuid[], ${questions}::text[]) as wanted (family_id, question_id)) as wanted
    cross join lateral (
      select * from question_reports as theirs
      where theirs.family_id = wanted.family_id and theirs.question_id = wanted.question_id
      order by reported_at desc, id limit ${MAX_OTHERS + 1}) as r
    join users on users.id = r.user_id
    order by r.reported_at desc, r.id`.execute(db)
  const others = new Map<string, Other[]>()
  for (const { familyId, questionId, email, reportedAt, reason, outcome, ...row } of rows) {
    const key = `${familyId} ${questionId}`
    const other = {
      ...row,
      by: email,
      reason: ReportReason.parse(reason),
      reportedAt: reportedAt.toISOString(),
      outcome: outcome === null ? null : AnyOutcome.parse(outcome),
    }
    others.set(key, [...(others.get(key) ?? []), other])
  }
  return others
}
