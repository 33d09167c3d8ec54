import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { fill } from '../../../lib/failure.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { formatDay } from '../../../lib/time.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { findExam, getExamDate, plannedExams } from '../plan/plan-queries.server.ts'
import { listReadinessDays } from '../readiness-history/readiness-history-queries.server.ts'
import { questionEmail, type EmailSite, type Examinee } from './exam-results-emails.server.ts'
import { getScoreScale, isOver, type ResultOf } from './exam-results-queries.server.ts'
import { copy } from './exam-results.copy.ts'
import { examPhase, HIGHEST_SCORE, percentOfScore, scoreProblem } from './exam-results.ts'
import { fail, type ResultReport } from './exam-results.schema.ts'
import { givePledge } from './pledge-commands.server.ts'
import { findGivenPledge } from './pledge-queries.server.ts'

export type Site = EmailSite & { readonly mail: Mail }

type Reporting = ResultOf & ResultReport & { readonly now: Date }
/** The exam that a report is about; null for that of the plan. */
type About = { readonly examDate?: string | undefined }

/**
 * Stores how the exam of the learner's plan went, with what they had been told before it, and gives the course again if the pledge
 * holds. Returns whether it does. A deleted result for which the course was given again stays a failed one.
 * @throws Failure result.no-date, result.early, result.pledged, result.reported, result.score
 */
export async function reportResult(db: Db, site: Site, report: Reporting & About): Promise<{ isPledgeGiven: boolean }> {
  const { userId, courseId, isPassed, score, now } = report
  return db.transaction().execute(async (tx) => {
    const exam = await (report.examDate === undefined ? getExamDate(tx, report) : findExam(tx, report, report.examDate))
    if (exam === null) throw fail('result.no-date')
    if (examPhase(exam, now) === 'before')
      throw fail('result.early', { sentence: fill(copy['result.early'], { day: formatDay(exam.examDate) }) })
    if (isPassed && (await findGivenPledge(tx, { ...report, examDate: exam.examDate }))) throw fail('result.pledged')
    const scorePercent = await judgeScore(tx, report)
    const days = await listReadinessDays(tx, report)
    const told = days.findLast(({ day }) => day < exam.examDate) ?? null
    const stored = await tx
      .insertInto('exam_results')
      .values({
        user_id: userId,
        course_id: courseId,
        exam_date: exam.examDate,
        is_passed: isPassed,
        score,
        score_percent: scorePercent,
        told: told === null ? null : JSON.stringify(told),
        reported_at: now,
      })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (stored === undefined) throw fail('result.reported')
    return { isPledgeGiven: !isPassed && (await givePledge(tx, site, { ...report, examDate: exam.examDate })) }
  })
}

/**
 * Changes what a learner said about an exam. A result for which the course was given again stays a failed one.
 * @throws Failure result.not-found, result.pledged, result.score
 */
export async function changeResult(
  db: Db,
  site: Site,
  change: Reporting & { readonly examDate: string },
): Promise<{ isPledgeGiven: boolean }> {
  const { isPassed, score, examDate, now } = change
  return db.transaction().execute(async (tx) => {
    const before = await ofExam(tx, change).forUpdate().select('is_passed').executeTakeFirst()
    if (before === undefined) throw fail('result.not-found')
    if (isPassed && (await findGivenPledge(tx, change)) !== null) throw fail('result.pledged')
    const scorePercent = await judgeScore(tx, change)
    const isOther = before.is_passed !== isPassed
    await tx
      .updateTable('exam_results')
      .set({ is_passed: isPassed, score, score_percent: scorePercent, ...(isOther ? { reported_at: now } : {}) })
      .where('user_id', '=', change.userId)
      .where('course_id', '=', change.courseId)
      .where('exam_date', '=', examDate)
      .execute()
    const isGiven = isOther && !isPassed && (await givePledge(tx, site, change))
    return { isPledgeGiven: isGiven }
  })
}

/** Deletes what a learner said about an exam. They are not asked about it again. Idempotent. */
export async function deleteResult(db: Db, of: ResultOf & { readonly examDate: string; readonly now: Date }) {
  await db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('exam_results')
      .where('user_id', '=', of.userId)
      .where('course_id', '=', of.courseId)
      .where('exam_date', '=', of.examDate)
      .execute()
    await declineQuestion(tx, of)
  })
}

/** 'Not now': the learner is not asked about this exam again. Idempotent. */
export async function declineQuestion(db: Db, of: ResultOf & { readonly examDate: string; readonly now: Date }) {
  await db
    .insertInto('exam_result_questions')
    .values({ user_id: of.userId, course_id: of.courseId, exam_date: of.examDate, declined_at: of.now })
    .onConflict((on) => on.columns(['user_id', 'course_id', 'exam_date']).doUpdateSet({ declined_at: of.now }))
    .execute()
}

function ofExam(tx: Db, of: ResultOf & { readonly examDate: string }) {
  return tx
    .selectFrom('exam_results')
    .where('user_id', '=', of.userId)
    .where('course_id', '=', of.courseId)
    .where('exam_date', '=', of.examDate)
}

/** The score in percent. @throws Failure result.score */
async function judgeScore(db: Db, report: ResultOf & ResultReport): Promise<number | null> {
  const scale = await getScoreScale(db, report.courseId)
  const problem = scoreProblem(report, scale)
  if (problem === null) return percentOfScore(report.score, scale)
  const sentences = {
    scale: copy['result.score.outside'],
    percent: copy['result.score.outside.percent'],
    'too-low': copy['result.score.too-low'],
    'too-high': copy['result.score.too-high'],
  }
  const message = fill(sentences[problem], { mark: scale.passMark ?? HIGHEST_SCORE })
  throw fail('result.score', { sentence: message, fields: [{ field: 'score', message }] })
}

/** The hour of the learner's day from which the question is emailed. */
const QUESTION_HOUR = 8
/** Too late for an email, for example after the shop was down. */
const QUESTION_DAYS = 7
const EMAILS_PER_RUN = 500

/**
 * Asks by one email how an exam went, from the morning after it on. However often and in however many processes this runs, an exam is
 * asked about once, because the email is queued in the transaction that records it. Returns the number of emails.
 */
export async function sendResultQuestions(db: Db, site: Site, now: Date): Promise<number> {
  const { rows } = await sql<Examinee & { userId: UserId; courseId: CourseId }>`
    select p.user_id as "userId", p.course_id as "courseId", p.exam_date::text as "examDate", courses.title as "courseTitle",
      courses.slug as "courseSlug", users.email, case when users.email_verified then users.name end as name
    from ${plannedExams} as p join courses on courses.id = p.course_id join users on users.id = p.user_id
    where users.deleted_at is null and ${isOver(now)}
      and ${now}::timestamptz at time zone p.time_zone >= p.exam_date + make_interval(days => 1, hours => ${QUESTION_HOUR}::int)
      and ${now}::timestamptz at time zone p.time_zone < p.exam_date + ${QUESTION_DAYS}::int
      and not exists (select from exam_results as r
        where r.user_id = p.user_id and r.course_id = p.course_id and r.exam_date = p.exam_date)
      and not exists (select from exam_result_questions as q
        where q.user_id = p.user_id and q.course_id = p.course_id and q.exam_date = p.exam_date)
    limit ${EMAILS_PER_RUN}`.execute(db)
  let sent = 0
  for (const examinee of rows) {
    const isFirst = await db.transaction().execute(async (tx) => {
      const first = await tx
        .insertInto('exam_result_questions')
        .values({
          user_id: examinee.userId,
          course_id: examinee.courseId,
          exam_date: examinee.examDate,
          mailed_at: now,
        })
        .onConflict((on) => on.doNothing())
        .returning('user_id')
        .executeTakeFirst()
      if (first !== undefined) await site.mail.send(questionEmail(examinee, site), tx)
      return first !== undefined
    })
    if (isFirst) sent += 1
  }
  return sent
}

/** Shows the chart of results to everybody, or to admins alone. */
export async function publishResults(db: Db, by: { isPublic: boolean; actorId: UserId; now: Date }): Promise<void> {
  const { isPublic, actorId, now } = by
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('result_publication')
      .values({ is_public: isPublic, changed_at: now })
      .onConflict((on) => on.column('single').doUpdateSet({ is_public: isPublic, changed_at: now }))
      .execute()
    await audit(tx, {
      at: now,
      actorId,
      action: 'results.publish',
      table: 'result_publication',
      id: 'results',
      before: null,
      after: { isPublic },
    })
  })
}

/** Deletes the results, questions and pledges of a user whose account is deleted. */
export async function eraseResults(tx: Db, userId: UserId): Promise<void> {
  await tx.deleteFrom('pledges').where('user_id', '=', userId).execute()
  await tx.deleteFrom('exam_result_questions').where('user_id', '=', userId).execute()
  await tx.deleteFrom('exam_results').where('user_id', '=', userId).execute()
}
