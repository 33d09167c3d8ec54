import { requireAdmin, type RequestContext } from '../http/request-context.server.ts'
import { Done, done, endpoint } from '../http/endpoint.server.ts'
import type { Jobs } from '../jobs.server.ts'
import { JobPath } from './failed-jobs.schema.ts'
import { dismissJob, retryJob } from './failed-jobs-commands.server.ts'

/** What admins do with work that failed. */
export function failedJobsApi(deps: { readonly jobs: Jobs }) {
  const by = (context: RequestContext) => ({ actorId: requireAdmin(context).id, now: context.clock.now() })
  return [
    endpoint({
      method: 'POST',
      path: '/api/failed-jobs/:jobId/retry',
      who: 'admin',
      about: 'Tries a mail or another job again that has failed for good.',
      params: JobPath,
      reply: Done,
      async handle({ params }, context) {
        await retryJob(context.db, deps.jobs, { ...params, ...by(context) })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/failed-jobs/:jobId/dismiss',
      who: 'admin',
      about: 'Forgets a mail or another job that has failed for good.',
      params: JobPath,
      reply: Done,
      async handle({ params }, context) {
        await dismissJob(context.db, { ...params, ...by(context) })
        return done
      },
    }),
  ]
}
