import { endpoint } from '../http/endpoint.server.ts'
import { networkLimit } from '../http/network-limit.server.ts'
import { BugReport, BugReported } from './bug-reports.schema.ts'

/** Reports per network address in a window; far above normal use. */
const REPORTS = 30
const WINDOW_MS = 10 * 60 * 1000

/** "Report Bug" on the failure page writes a log line with the error id that the page shows. */
export function bugReportsApi() {
  const limit = networkLimit({ attempts: REPORTS, windowMs: WINDOW_MS })
  return [
    endpoint({
      method: 'POST',
      path: '/api/bug-reports',
      who: 'anyone',
      about: "Logs a user's report of a page that broke.",
      body: BugReport,
      reply: BugReported,
      bodyLimitBytes: 64 * 1024,
      async handle({ body }, context) {
        limit(context.networkAddress)
        context.log.warn({ bugReport: body, user: context.user?.id }, 'a user reported a bug')
        return { done: true as const }
      },
    }),
  ]
}
