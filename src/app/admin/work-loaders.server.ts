import type { LoaderFunctionArgs } from 'react-router'
import { countOpenReports } from '../../features/attempts/reports/question-reports-queries.server.ts'
import { countOpenErrors } from '../../features/authoring/checks/question-checks-queries.server.ts'
import { listNeedsReview } from '../../features/catalogue/catalogue-queries.server.ts'
import { countPaymentIssues } from '../../features/checkout/admin/order-admin-queries.server.ts'
import { countRefusedImports } from '../../features/exchange/imports/imports-queries.server.ts'
import { countWaitingPledges } from '../../features/study/exam-results/pledge-queries.server.ts'
import { countWaitingFeedback } from '../../features/feedback/feedback-queries.server.ts'
import type { Db } from '../../db/open.server.ts'
import { auditView } from '../../platform/audit-log/audit-log-commands.server.ts'
import { countFailedJobs, listFailedJobs } from '../../platform/failed-jobs/failed-jobs-queries.server.ts'
import { pageLoader, requireAdminForPage } from '../../platform/http/page-loader.server.ts'
import { reportBackups, type BackupReport } from '../backups/backup-report.server.ts'

/** Waiting work by list. */
export type WorkCounts = {
  readonly orders: number
  readonly reports: number
  /** Courses that the pledge gave again, on which no admin has decided. */
  readonly pledges: number
  /** Errors that checks of the question bank found and no admin has dismissed. */
  readonly findings: number
  readonly feedback: number
  readonly review: number
  readonly imports: number
  readonly jobs: number
  /** 1 when scheduled backups need somebody. */
  readonly backups: number
}

export async function countWork(db: Db, backups: BackupReport | null): Promise<WorkCounts> {
  const [orders, reports, pledges, findings, feedback, review, imports, jobs] = await Promise.all([
    countPaymentIssues(db),
    countOpenReports(db),
    countWaitingPledges(db),
    countOpenErrors(db),
    countWaitingFeedback(db),
    listNeedsReview(db),
    countRefusedImports(db),
    countFailedJobs(db),
  ])
  return {
    orders,
    reports,
    pledges,
    findings,
    feedback,
    review: review.count,
    imports,
    jobs,
    backups: backups?.needsAttention === true ? 1 : 0,
  }
}

/** Counts of waiting work, with the lists that have no page of their own. Failed emails name users, so viewing them is an audit entry. */
export const workLoader = (args: LoaderFunctionArgs) =>
  pageLoader(async ({ context, url }) => {
    const admin = requireAdminForPage(context, url)
    const backups = await reportBackups(context.db, args.context.backups, context.clock.now())
    const [counts, review, jobs] = await Promise.all([
      countWork(context.db, backups),
      listNeedsReview(context.db),
      listFailedJobs(context.db),
    ])
    if (jobs.length > 0)
      await auditView(context, { actorId: admin.id, action: 'jobs.list', table: 'jobs', after: { jobs: jobs.length } })
    return { counts, exams: review.exams, jobs, backups }
  })(args)
