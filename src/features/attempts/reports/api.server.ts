import { auditLook } from '../../../platform/audit.server.ts'
import { requireAdmin, requirePerson } from '../../../platform/context.server.ts'
import { Done, done, endpoint } from '../../../platform/endpoint.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/page-loader.server.ts'
import { getOwnAttempt } from '../read.server.ts'
import { AnswerPath } from '../schema.ts'
import { countOpenReports, listReports } from './read.server.ts'
import { ReportPath, ReportQuestion, ReportsWanted, SettleReport } from './schema.ts'
import { reportQuestion, settleReport } from './write.server.ts'

export function reportsApi(deps: { readonly mail: Mail; readonly brand: string }) {
  return [
    endpoint({
      method: 'PUT',
      path: '/api/attempts/:attemptId/reports/:questionId',
      who: 'signed-in',
      about: "Reports a question of one's own attempt. Again, it replaces what was said, until it is settled.",
      params: AnswerPath,
      body: ReportQuestion,
      reply: Done,
      async handle({ params, body }, context) {
        const personId = requirePerson(context).id
        const attempt = await getOwnAttempt(context.db, params.attemptId, { kind: 'person', personId })
        const { questionId } = params
        await reportQuestion(context.db, { ...body, attempt, questionId, personId, now: context.clock.now() })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/reports/:reportId/settle',
      who: 'admin',
      about: 'Ends a report with a note, and mails it to whoever reported. Twice is once.',
      params: ReportPath,
      body: SettleReport,
      reply: Done,
      async handle({ params, body }, context) {
        await settleReport(context.db, {
          ...params,
          ...body,
          actorId: requireAdmin(context).id,
          now: context.clock.now(),
          mail: deps.mail,
          site: { brand: deps.brand, appUrl: context.appUrl },
        })
        return done
      },
    }),
  ]
}

/** The reports by the page; looking at them is written down, because they name people. */
export const reportsLoader = pageLoader(async ({ context, url }) => {
  const admin = requireAdminForPage(context, url)
  const wanted = ReportsWanted.parse({ state: url.searchParams.get('state'), after: url.searchParams.get('after') })
  const [page, openCount] = await Promise.all([listReports(context.db, wanted), countOpenReports(context.db)])
  await auditLook(context, {
    actorId: admin.id,
    action: 'reports.list',
    table: 'question_reports',
    after: { state: wanted.state, reports: page.reports.length },
  })
  return { ...page, state: wanted.state, openCount, isFirstPage: wanted.after === null }
})
