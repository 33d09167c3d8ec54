import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { pageOf } from '../../../lib/paging.ts'
import { inOnePage, type OwnData } from '../../../platform/own-data-export.server.ts'
import { readAnswer } from '../attempts-queries.server.ts'
import { Layout } from '../attempts.schema.ts'
import { AnyOutcome, ReportReason, type ReportFilter, type ReportView } from './question-reports.schema.ts'

const PAGE = 25

const when = { open: sql<Date>`r.reported_at`, settled: sql<Date>`r.settled_at` }

function reports(db: Db) {
  return db
    .selectFrom('question_reports as r')
    .innerJoin('users as reporter', 'reporter.id', 'r.user_id')
    .innerJoin('profiles', 'profiles.id', 'r.user_id')
    .innerJoin('attempts', 'attempts.id', 'r.attempt_id')
    .innerJoin('test_questions as exam', 'exam.id', 'r.exam_id')
    .innerJoin('courses', 'courses.id', 'exam.course_id')
    .leftJoin('users as settler', 'settler.id', 'r.settled_by')
    .select([
      'r.id',
      'r.reason',
      'r.words',
      'r.source',
      'r.claim',
      'r.reported_at',
      'r.attempt_id',
      'r.exam_id',
      'r.family_id',
      'r.question_id',
      'r.outcome',
      'r.note',
      'r.settled_at',
      'reporter.email as reporter_email',
      'profiles.full_name as reporter_name',
      'attempts.state as attempt_state',
      'exam.test_name',
      'exam.slug as exam_slug',
      'courses.title as course_title',
      'courses.slug as course_slug',
      'settler.email as settler_email',
      sql<number>`(select place from jsonb_array_elements(attempts.layout) with ordinality as one(entry, place)
        where coalesce(entry -> 'from' ->> 'questionId', entry ->> 'question') = r.question_id
          and coalesce(entry -> 'from' ->> 'familyId', r.family_id::text) = r.family_id::text)::integer`.as('number'),
      sql<string | null>`(select one ->> 'stem' from jsonb_array_elements(exam.questions) as one
        where one ->> 'id' = r.question_id)`.as('stem'),
      sql<string | null>`(select one ->> 'type' from jsonb_array_elements(exam.questions) as one
        where one ->> 'id' = r.question_id)`.as('type'),
      sql<string | null>`(select case_study ->> 'title' from jsonb_array_elements(exam.questions) as one
        join jsonb_array_elements(exam.case_studies) as case_study on case_study ->> 'id' = one ->> 'caseStudy'
        where one ->> 'id' = r.question_id limit 1)`.as('case_study'),
    ])
}

type ReportRow = Awaited<ReturnType<ReturnType<typeof reports>['executeTakeFirstOrThrow']>>

function toReport(row: ReportRow): ReportView {
  return {
    id: row.id,
    reason: ReportReason.parse(row.reason),
    words: row.words,
    source: row.source,
    claim: readAnswer(row.claim),
    reportedAt: row.reported_at.toISOString(),
    reporter: { name: row.reporter_name, email: row.reporter_email },
    examId: row.exam_id,
    examTitle: row.test_name,
    courseTitle: row.course_title,
    attemptId: row.attempt_id,
    hasReview: row.attempt_state === 'finished',
    familyId: row.family_id,
    questionId: row.question_id,
    questionNumber: row.number,
    stem: row.stem,
    type: row.type,
    caseStudy: row.case_study,
    settled:
      row.settled_at === null
        ? null
        : {
            at: row.settled_at.toISOString(),
            by: row.settler_email,
            outcome: AnyOutcome.parse(row.outcome),
            note: row.note ?? '',
          },
  }
}

/** One page of the open reports, oldest first, or of the settled ones, newest first. */
export async function listReports(
  db: Db,
  wanted: ReportFilter,
  size = PAGE,
): Promise<{ reports: ReportView[]; next: string | null }> {
  const { state, after } = wanted
  const at = when[state]
  const isOpen = state === 'open'
  let query = reports(db)
    .where('r.settled_at', isOpen ? 'is' : 'is not', null)
    .orderBy(at, isOpen ? 'asc' : 'desc')
    .orderBy('r.id')
    .limit(size + 1)
  if (after !== null)
    query = query.where((eb) =>
      eb.or([eb(at, isOpen ? '>' : '<', after.at), eb.and([eb(at, '=', after.at), eb('r.id', '>', after.id)])]),
    )
  const { page, last } = pageOf((await query.execute()).map(toReport), size)
  return { reports: page, next: last === null ? null : `${last.settled?.at ?? last.reportedAt}~${last.id}` }
}

export async function countOpenReports(db: Db): Promise<number> {
  const row = await db
    .selectFrom('question_reports')
    .where('settled_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .executeTakeFirstOrThrow()
  return row.open
}

/** One report with the slugs that its email needs. */
export async function findReport(
  db: Db,
  reportId: string,
): Promise<(ReportView & { readonly courseSlug: string; readonly examSlug: string }) | null> {
  const row = await reports(db).where('r.id', '=', reportId).executeTakeFirst()
  return row === undefined ? null : { ...toReport(row), courseSlug: row.course_slug, examSlug: row.exam_slug }
}

/** When the answer key of a question was corrected after a report of it; null if it was not. */
export async function findKeyCorrection(
  db: Db,
  { familyId, questionId, reportedAt }: Pick<ReportView, 'familyId' | 'questionId' | 'reportedAt'>,
): Promise<Date | null> {
  const { at } = await db
    .selectFrom('regrades')
    .where('family_id', '=', familyId)
    .where('question_id', '=', questionId)
    .where('at', '>=', new Date(reportedAt))
    .select((eb) => eb.fn.max('at').as('at'))
    .executeTakeFirstOrThrow()
  return at
}

/** The questions of an attempt with an open report of its owner; null if the user cannot report from this attempt. */
export async function findReported(db: Db, of: { attemptId: string; userId: UserId }): Promise<string[] | null> {
  const attempt = await db
    .selectFrom('attempts')
    .where('id', '=', of.attemptId)
    .where('user_id', '=', of.userId)
    .select(['exam_id', 'family_id', 'layout'])
    .executeTakeFirst()
  if (attempt === undefined) return null
  if (attempt.family_id === null) return findReportedInDrawn(db, of.userId, Layout.parse(attempt.layout))
  const rows = await db
    .selectFrom('question_reports')
    .where('user_id', '=', of.userId)
    .where('family_id', '=', attempt.family_id)
    .where('settled_at', 'is', null)
    .select('question_id')
    .execute()
  return rows.map(({ question_id: id }) => id)
}

/** The same for a drawn exam, whose questions come from several exams. */
async function findReportedInDrawn(db: Db, userId: UserId, layout: Layout): Promise<string[]> {
  const rows = await db
    .selectFrom('question_reports')
    .where('user_id', '=', userId)
    .where('settled_at', 'is', null)
    .select(['family_id', 'question_id'])
    .execute()
  const reported = new Set(rows.map((row) => `${row.family_id} ${row.question_id}`))
  return layout.flatMap(({ question, from }) =>
    from !== undefined && reported.has(`${from.familyId} ${from.questionId}`) ? [question] : [],
  )
}

/** Everything that this feature stores about a user. */
export function exportOf(db: Db, userId: UserId): OwnData[] {
  const reports = () =>
    db
      .selectFrom('question_reports')
      .where('user_id', '=', userId)
      .orderBy('reported_at')
      .select([
        'id',
        'attempt_id',
        'exam_id',
        'question_id',
        'reason',
        'words',
        'source',
        sql<object | null>`claim`.as('claim'),
        'reported_at',
        'outcome',
        'note as reply',
        'settled_at',
      ])
      .execute()
  return [{ name: 'question_reports', pages: inOnePage(reports) }]
}
