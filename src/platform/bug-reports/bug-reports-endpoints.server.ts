import { endpoint } from '../http/endpoint.server.ts'
import { loggedPath } from '../log.server.ts'
import { BugReport, BugReported } from './bug-reports.schema.ts'

/** "Report Bug" on the failure page writes a log line with the error id that the page shows. */
export function bugReportsApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/bug-reports',
      who: 'anyone',
      about: "Logs a user's report of a page that broke.",
      limit: 'bug',
      body: BugReport,
      reply: BugReported,
      bodyLimitBytes: 64 * 1024,
      async handle({ body }, context) {
        const bugReport = { ...body, path: loggedPath(body.path) }
        context.log.warn({ bugReport, user: context.user?.id }, 'a user reported a bug')
        return { done: true as const }
      },
    }),
  ]
}
