import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { grantPledge, revokePledge } from '../../access/access-commands.server.ts'
import {
  declinedEmail,
  pledgeEmail,
  scoreReportEmail,
  type EmailSite,
  type Examinee,
} from './exam-results-emails.server.ts'
import type { ResultOf } from './exam-results-queries.server.ts'
import { fail, type PledgeState } from './exam-results.schema.ts'
import { getPledgeFacts, lockPledge } from './pledge-queries.server.ts'
import { judgePledge } from './pledge.ts'

type Site = EmailSite & { readonly mail: Mail }

/**
 * Gives the course again if the learner meets every condition of the pledge, once for each paid period, and tells them. The caller's
 * transaction has stored the failed result. Returns whether it was given.
 */
export async function givePledge(
  tx: Db,
  site: Site,
  of: ResultOf & { readonly examDate: string; readonly now: Date },
): Promise<boolean> {
  const { userId, courseId, examDate, now } = of
  const facts = await getPledgeFacts(tx, of, now, of.examDate)
  const { isFulfilled, paidPeriodId, conditions } = judgePledge(facts)
  if (!isFulfilled || paidPeriodId === null || facts.exam === null) return false
  const pledge = await tx
    .insertInto('pledges')
    .values({
      user_id: userId,
      course_id: courseId,
      exam_date: examDate,
      paid_period_id: paidPeriodId,
      facts: JSON.stringify(conditions),
      state: 'given',
      given_at: now,
    })
    .onConflict((on) => on.column('paid_period_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (pledge === undefined) return false
  const { periodId, until } = await grantPledge(tx, { userId, courseId, now })
  await tx.updateTable('pledges').set({ given_period_id: periodId }).where('id', '=', pledge.id).execute()
  const examinee = await getExaminee(tx, { userId, courseId, examDate })
  await audit(tx, {
    at: now,
    actorId: null,
    action: 'pledge.give',
    table: 'profiles',
    id: userId,
    before: null,
    after: { course: examinee.courseTitle, examDate, until },
  })
  await site.mail.send(pledgeEmail(examinee, until, site), tx)
  return true
}

type Decision = { readonly pledgeId: string; readonly actorId: UserId; readonly now: Date }

/** Accepts a pledge as it is. Idempotent. @throws Failure pledge.not-found, pledge.decided */
export const acceptPledge = (db: Db, decision: Decision) => decide(db, decision, 'accepted', null, async () => {})

/** Asks the learner for the score report by email, once. @throws Failure pledge.not-found, pledge.decided */
export const askForReport = (db: Db, site: Site, decision: Decision) =>
  decide(db, decision, 'asked', null, async (tx, examinee) => {
    await site.mail.send(scoreReportEmail(examinee, site), tx)
  })

/** Ends the access that a pledge gave, and tells the learner why. @throws Failure pledge.not-found, pledge.decided */
export const declinePledge = (db: Db, site: Site, decision: Decision & { readonly reason: string }) =>
  decide(db, decision, 'declined', decision.reason, async (tx, examinee, periodId) => {
    if (periodId !== null) await revokePledge(tx, periodId, decision.now)
    await site.mail.send(declinedEmail(examinee, decision.reason, site), tx)
  })

async function decide(
  db: Db,
  { pledgeId, actorId, now }: Decision,
  state: PledgeState,
  reason: string | null,
  carryOut: (tx: Db, examinee: Examinee, periodId: string | null) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const pledge = await lockPledge(tx, pledgeId)
    if (pledge === null) throw fail('pledge.not-found')
    if (pledge.state === state && pledge.reason === reason) return
    if (pledge.state === 'accepted' || pledge.state === 'declined') throw fail('pledge.decided')
    await tx
      .updateTable('pledges')
      .set({ state, reason, decided_at: now, decided_by: actorId })
      .where('id', '=', pledgeId)
      .execute()
    await audit(tx, {
      at: now,
      actorId,
      action: `pledge.${state}`,
      table: 'profiles',
      id: pledge.userId,
      before: { state: pledge.state },
      after: { course: pledge.courseTitle, examDate: pledge.examDate, state, ...(reason === null ? {} : { reason }) },
    })
    const of = { userId: pledge.userId as UserId, courseId: pledge.courseId, examDate: pledge.examDate }
    await carryOut(tx, await getExaminee(tx, of), pledge.givenPeriodId)
  })
}

async function getExaminee(
  tx: Db,
  of: { readonly userId: UserId; readonly courseId: CourseId; readonly examDate: string },
): Promise<Examinee> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('courses', (join) => join.on('courses.id', '=', of.courseId))
    .where('users.id', '=', of.userId)
    .select(['users.email', 'courses.title', 'courses.slug'])
    .select(sql<string | null>`case when users.email_verified then users.name end`.as('name'))
    .executeTakeFirstOrThrow()
  return {
    name: row.name,
    email: row.email,
    courseTitle: row.title,
    courseSlug: row.slug,
    examDate: of.examDate,
  }
}
