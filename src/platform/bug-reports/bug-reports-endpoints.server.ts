import { endpoint } from '../http/endpoint.server.ts'
import { networkLimit } from '../http/network-limit.server.ts'
import { BugReport, BugReported } from './bug-reports.schema.ts'

/** More than anybody has patience to press. */
const REPORTS = 30
const WINDOW_MS = 10 * 60 * 1000

/** Spec 2, Error boundary: Report Bug logs a report. It stands in the log by the error id that the person sees. */
export function bugReportsApi() {
  const limit = networkLimit({ attempts: REPORTS, windowMs: WINDOW_MS })
  return [
    endpoint({
      method: 'POST',
      path: '/api/bug-reports',
      who: 'anyone',
      about: 'Writes what a person saw when a page broke into the log.',
      body: BugReport,
      reply: BugReported,
      bodyLimitBytes: 64 * 1024,
      async handle({ body }, context) {
        limit(context.networkAddress)
        context.log.warn({ bugReport: body, user: context.user?.id }, 'a person reported a bug')
        return { done: true as const }
      },
    }),
  ]
}
