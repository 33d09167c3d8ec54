import { Done, done, endpoint } from '../http/endpoint.server.ts'
import type { Jobs } from '../jobs.server.ts'
import { JobPath } from './failed-jobs.schema.ts'
import { dismissJob, retryJob } from './failed-jobs-commands.server.ts'
import { actionBy } from '../audit-log/audit-log-commands.server.ts'

/** Endpoints for jobs that failed for good. */
export function failedJobsApi(deps: { readonly jobs: Jobs }) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/failed-jobs/:jobId/retry',
      who: 'admin',
      about: 'Retries an email or another job that failed for good.',
      params: JobPath,
      reply: Done,
      async handle({ params }, context) {
        await retryJob(context.db, deps.jobs, { ...params, ...actionBy(context) })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/failed-jobs/:jobId/dismiss',
      who: 'admin',
      about: 'Deletes an email or another job that failed for good.',
      params: JobPath,
      reply: Done,
      async handle({ params }, context) {
        await dismissJob(context.db, { ...params, ...actionBy(context) })
        return done
      },
    }),
  ]
}
