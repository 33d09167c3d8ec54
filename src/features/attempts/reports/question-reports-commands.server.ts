import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import type { AttemptRecord } from '../attempts-queries.server.ts'
import { fail as failAttempt } from '../attempts.schema.ts'
import { settledEmail } from './question-reports-emails.server.ts'
import { findReport } from './question-reports-queries.server.ts'
import { fail, type ReportQuestion, type SettleReport } from './question-reports.schema.ts'

/**
 * Adds a report to the admins' list. A user has one open report per question: reporting it again replaces its text.
 * @throws Failure attempt.unknown-question
 */
export async function reportQuestion(
  db: Db,
  report: ReportQuestion & {
    readonly attempt: AttemptRecord
    readonly questionId: string
    readonly userId: UserId
    readonly now: Date
  },
): Promise<void> {
  const { attempt, questionId, userId, reason, words, now } = report
  if (!attempt.layout.some(({ question }) => question === questionId)) throw failAttempt('attempt.unknown-question')
  await db
    .insertInto('question_reports')
    .values({
      user_id: userId,
      attempt_id: attempt.id,
      exam_id: attempt.examId,
      family_id: attempt.familyId,
      question_id: questionId,
      reason,
      words,
      reported_at: now,
    })
    .onConflict((on) =>
      on
        .columns(['user_id', 'family_id', 'question_id'])
        .where('settled_at', 'is', null)
        .doUpdateSet({ attempt_id: attempt.id, exam_id: attempt.examId, reason, words }),
    )
    .execute()
}

/**
 * Settles a report and emails the reporter. Idempotent: the same outcome again changes nothing and sends no email.
 * @throws Failure report.not-found, report.settled
 */
export async function settleReport(
  db: Db,
  settle: SettleReport & {
    readonly reportId: string
    readonly actorId: UserId
    readonly now: Date
    readonly mail: Mail
    readonly site: { readonly brand: string; readonly appUrl: string }
  },
): Promise<void> {
  const { reportId, actorId, outcome, note, now } = settle
  await db.transaction().execute(async (tx) => {
    await sql`select 1 from question_reports where id = ${reportId} for update`.execute(tx)
    const report = await findReport(tx, reportId)
    if (report === null) throw fail('report.not-found')
    if (report.settled !== null) {
      if (report.settled.outcome === outcome && report.settled.note === note) return
      throw fail('report.settled')
    }
    await tx
      .updateTable('question_reports')
      .set({ outcome, note, settled_at: now, settled_by: actorId })
      .where('id', '=', reportId)
      .execute()
    await audit(tx, {
      at: now,
      actorId,
      action: 'report.settle',
      table: 'question_reports',
      id: reportId,
      before: null,
      after: { outcome, note },
    })
    await settle.mail.send(settledEmail(report, { outcome, note }, settle.site), tx)
  })
}
