import { actionBy, auditView } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { requireUser } from '../../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import { getOwnAttempt } from '../attempts-queries.server.ts'
import { AnswerPath } from '../attempts.schema.ts'
import { countOpenReports, listReports } from './question-reports-queries.server.ts'
import { listEvidence } from './report-evidence-queries.server.ts'
import { ReportPath, ReportQuestion, ReportFilter, SettleReport } from './question-reports.schema.ts'
import { reportQuestion, settleReport } from './question-reports-commands.server.ts'

export function reportsApi(deps: { readonly mail: Mail; readonly brand: string }) {
  return [
    endpoint({
      method: 'PUT',
      path: '/api/attempts/:attemptId/reports/:questionId',
      who: 'signed-in',
      about:
        "Reports a question of the caller's attempt. A second report replaces the first until it is settled. With a claim and its source it is a challenge.",
      limit: 'report',
      params: AnswerPath,
      body: ReportQuestion,
      reply: Done,
      async handle({ params, body }, context) {
        const userId = requireUser(context).id
        const attempt = await getOwnAttempt(context.db, params.attemptId, { kind: 'person', userId })
        const { questionId } = params
        await reportQuestion(context.db, { ...body, attempt, questionId, userId, now: context.clock.now() })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/reports/:reportId/settle',
      who: 'admin',
      about: 'Settles a report with a note and emails the reporter. Idempotent.',
      params: ReportPath,
      body: SettleReport,
      reply: Done,
      async handle({ params, body }, context) {
        await settleReport(context.db, {
          ...params,
          ...body,
          ...actionBy(context),
          mail: deps.mail,
          site: { brand: deps.brand, appUrl: context.appUrl },
        })
        return done
      },
    }),
  ]
}

/** The reports in pages. Each view is recorded in the audit log, because they name users. */
export const reportsLoader = pageLoader(async ({ context, url }) => {
  const admin = requireAdminForPage(context, url)
  const wanted = ReportFilter.parse({ state: url.searchParams.get('state'), after: url.searchParams.get('after') })
  const [page, openCount] = await Promise.all([listReports(context.db, wanted), countOpenReports(context.db)])
  const evidence = wanted.state === 'open' ? await listEvidence(context.db, page.reports) : null
  await auditView(context, {
    actorId: admin.id,
    action: 'reports.list',
    table: 'question_reports',
    after: { state: wanted.state, reports: page.reports.length },
  })
  const reports = page.reports.map((report) => ({ ...report, evidence: evidence?.get(report.id) ?? null }))
  return { reports, next: page.next, state: wanted.state, openCount, isFirstPage: wanted.after === null }
})
