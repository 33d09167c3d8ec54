import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { fill } from '../../../lib/failure.ts'
import type { UserId } from '../../../lib/ids.ts'
import { formatDay } from '../../../lib/time.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { answerProblem } from '../../questions/types/grading-registry.ts'
import type { AttemptRecord } from '../attempts-queries.server.ts'
import { originIn } from '../drawn-exams/drawn-exams.ts'
import { fail as failAttempt } from '../attempts.schema.ts'
import { settledEmail } from './question-reports-emails.server.ts'
import { copy } from './question-reports.copy.ts'
import { describeClaim } from './report-evidence-queries.server.ts'
import { findKeyCorrection, findReport } from './question-reports-queries.server.ts'
import { fail, type ReportQuestion, type ReportView, type SettleReport } from './question-reports.schema.ts'
import { MAX_OPEN_REPORTS } from './report-reasons.ts'

/**
 * Adds a report to the admins' list. A user has one open report per question: reporting it again replaces it. A claim is never
 * compared with the answer key, because the reply would reveal it.
 * @throws Failure attempt.unknown-question, report.claim, report.challenged, report.too-many
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
  const { attempt, userId, reason, words, source, claim, now } = report
  const entry = attempt.layout.find(({ question }) => question === report.questionId)
  const origin = originIn(attempt, report.questionId)
  if (entry === undefined || origin === null) throw failAttempt('attempt.unknown-question')
  if (answerProblem(entry.shape, claim) !== null)
    throw fail('report.claim', { fields: [{ field: 'claim', message: copy['report.claim.unknown'] }] })
  const content = {
    attempt_id: attempt.id,
    exam_id: origin.examId,
    reason,
    words,
    source,
    claim: claim === null ? null : JSON.stringify(claim),
  }
  const { familyId, questionId } = origin
  await db.transaction().execute(async (tx) => {
    // Reports of a user come one after the other, so that many at once do not pass the limit.
    await sql`select from users where id = ${userId} for no key update`.execute(tx)
    if (claim !== null) await refuseSecondChallenge(tx, { userId, examId: origin.examId, questionId })
    await refuseTooMany(tx, { userId, familyId, questionId })
    await tx
      .insertInto('question_reports')
      .values({
        user_id: userId,
        family_id: familyId,
        question_id: questionId,
        reported_at: now,
        ...content,
      })
      .onConflict((on) =>
        on.columns(['user_id', 'family_id', 'question_id']).where('settled_at', 'is', null).doUpdateSet(content),
      )
      .execute()
  })
}

async function refuseSecondChallenge(tx: Db, of: { userId: UserId; examId: string; questionId: string }) {
  const settled = await tx
    .selectFrom('question_reports')
    .where('user_id', '=', of.userId)
    .where('exam_id', '=', of.examId)
    .where('question_id', '=', of.questionId)
    .where('claim', 'is not', null)
    .select('settled_at')
    .where('settled_at', 'is not', null)
    .executeTakeFirst()
  if (settled?.settled_at)
    throw fail('report.challenged', {
      sentence: fill(copy['report.challenged'], { at: formatDay(settled.settled_at) }),
    })
}

async function refuseTooMany(tx: Db, of: { userId: UserId; familyId: string; questionId: string }) {
  const { open } = await tx
    .selectFrom('question_reports')
    .where('user_id', '=', of.userId)
    .where('settled_at', 'is', null)
    .where((eb) => eb.not(eb.and([eb('family_id', '=', of.familyId), eb('question_id', '=', of.questionId)])))
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .executeTakeFirstOrThrow()
  if (open >= MAX_OPEN_REPORTS) throw fail('report.too-many', { sentence: fill(copy['report.too-many'], { n: open }) })
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
    if (outcome === 'corrected') await addErratum(tx, report, now)
    const claim = await describeClaim(tx, report)
    await settle.mail.send(settledEmail(report, { outcome, note }, claim, settle.site), tx)
  })
}

/** Lists what was corrected. A corrected answer key is listed by its regrade; without one, something else was corrected. */
async function addErratum(tx: Db, report: ReportView, now: Date): Promise<void> {
  const { familyId, questionId, reason } = report
  if (reason === 'wrong-key' && (await findKeyCorrection(tx, report)) !== null) return
  const what = reason === 'wrong-key' ? 'other' : reason
  await tx
    .insertInto('errata')
    .values({ family_id: familyId, question_id: questionId, what, corrected_at: now })
    .execute()
}
