import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { after, DAY_MS } from '../../../lib/time.ts'
import { findPeriodAt } from '../../access/access-queries.server.ts'
import { timesWithin, type Times } from './offline-exams.ts'
import { fail, type IssuedExam, type OfflineAttempt } from './offline-exams.schema.ts'

/*
 * Offline exams that were issued before they were signed. Their attempts count for 30 days after the upgrade; after that this
 * file and the table issued_offline_exams have no use.
 */

/** How long after the upgrade unsigned attempts count: as long as the access of the last unsigned exam can run. */
const ACCEPTED_DAYS = 30
const SIGNED_SINCE = '0056_signed_offline_exams.sql'
const RECORDED_SINCE = '0045_given_packs.sql'

async function timeOfMigration(db: Db, name: string): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select at from migrations where name = ${name}`.execute(db)
  return rows[0]?.at ?? new Date(0)
}

async function isAcceptable(db: Db, now: Date): Promise<boolean> {
  return now < after(await timeOfMigration(db, SIGNED_SINCE), ACCEPTED_DAYS * DAY_MS)
}

/**
 * A page of an earlier build that is still open sends attempts without the signature, so the exams that it gets are recorded
 * until then.
 */
export async function recordForEarlierBuilds(db: Db, issued: IssuedExam, now: Date): Promise<void> {
  if (!(await isAcceptable(db, now))) return
  const { userId, examId, seed, issuedAt } = issued
  await db
    .insertInto('issued_offline_exams')
    .values({ user_id: userId, exam_id: examId, seed, issued_at: new Date(issuedAt) })
    .onConflict((on) => on.doNothing())
    .execute()
}

type Unsigned = {
  readonly userId: UserId
  /** Admins have no access periods: for them it is enough that the exam was recorded. */
  readonly isAdmin: boolean
  readonly courseId: CourseId
  /** When the exam version was created. */
  readonly createdAt: Date
  readonly attempt: OfflineAttempt
  readonly claimed: Times
  readonly now: Date
}

/**
 * Start and end of an attempt without a signature; null when no such exam was issued, or access did not run when it ended. An exam
 * that was issued before the record began counts only in an access period of that time, with a version that existed.
 * @throws Failure pack.unsigned
 */
export async function findUnsignedTimes(db: Db, unsigned: Unsigned): Promise<Times | null> {
  const { userId, isAdmin, courseId, createdAt, attempt, claimed, now } = unsigned
  const recorded = await db
    .selectFrom('issued_offline_exams')
    .where('user_id', '=', userId)
    .where('exam_id', '=', attempt.examId)
    .where('seed', '=', attempt.seed)
    .select('issued_at')
    .executeTakeFirst()
  const times = timesWithin(claimed, { from: recorded?.issued_at ?? new Date(0), until: now })
  const period = await findPeriodAt(db, { userId, courseId }, times.finishedAt)
  const isRecorded = recorded !== undefined && (isAdmin || period !== null)
  const isOlder = period !== null && (await isOfBefore(db, period.givenAt)) && times.finishedAt >= createdAt
  if (!isRecorded && !isOlder) return null
  if (!(await isAcceptable(db, now))) throw fail('pack.unsigned')
  return isRecorded ? times : timesWithin(claimed, { from: period?.startsAt ?? now, until: now })
}

/** Whether access was given before issued exams were recorded. */
async function isOfBefore(db: Db, givenAt: Date): Promise<boolean> {
  return givenAt < (await timeOfMigration(db, RECORDED_SINCE))
}
