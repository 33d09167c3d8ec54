import { z } from 'zod'
import type { CourseId, UserId } from '../../lib/ids.ts'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import { actionBy } from '../../platform/audit-log/audit-log-commands.server.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import { GiveAccess, HolderPath, HoldingPath, PeriodPath, WithReason } from './access.schema.ts'
import { endOwnership, restoreOwnership, giveDays, type Site } from './access-commands.server.ts'

/** What admins do with access. */
export function accessApi(sender: Omit<Site, 'appUrl'>) {
  const siteOf = ({ appUrl }: RequestContext) => ({ ...sender, appUrl })
  return [
    endpoint({
      method: 'POST',
      path: '/api/profiles/:userId/access',
      who: 'admin',
      needsConfirmation: true,
      about:
        'Gives a user access to a course for some days, after any access that they still have, and tells them by email.',
      params: HolderPath,
      body: GiveAccess,
      reply: z.object({ until: z.string() }),
      async handle({ params, body }, context) {
        const give = { ...body, userId: params.userId as UserId, courseId: body.courseId as CourseId }
        const { until } = await giveDays(context.db, siteOf(context), { ...actionBy(context), ...give })
        return { until: until.toISOString() }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/:userId/access/:courseId/end',
      who: 'admin',
      needsConfirmation: true,
      about: "Ends a user's access to a course. Their results stay readable.",
      params: HoldingPath,
      body: WithReason,
      reply: Done,
      async handle({ params, body }, context) {
        const holding = { userId: params.userId as UserId, courseId: params.courseId as CourseId }
        await endOwnership(context.db, { ...actionBy(context), ...body, ...holding })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/access-periods/:periodId/give-back',
      who: 'admin',
      needsConfirmation: true,
      about: 'Restores an access period that was ended, with the days that it had left.',
      params: PeriodPath,
      body: WithReason,
      reply: Done,
      async handle({ params, body }, context) {
        await restoreOwnership(context.db, siteOf(context), { ...actionBy(context), ...body, ...params })
        return done
      },
    }),
  ]
}
