import { z } from 'zod'
import type { CourseId, UserId } from '../../lib/ids.ts'
import { requireAdmin, type RequestContext } from '../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import { GiveAccess, HolderPath, HoldingPath, PeriodPath, WithReason } from './access.schema.ts'
import { endOwnership, restoreOwnership, giveDays } from './access-commands.server.ts'

/** What admins do with access. */
export function accessApi() {
  const by = (context: RequestContext) => ({ actorId: requireAdmin(context).id, now: context.clock.now() })
  return [
    endpoint({
      method: 'POST',
      path: '/api/profiles/:userId/access',
      who: 'admin',
      about: 'Gives a user access to a course for some days, after any access that they still have.',
      params: HolderPath,
      body: GiveAccess,
      reply: z.object({ until: z.string() }),
      async handle({ params, body }, context) {
        const give = { ...body, userId: params.userId as UserId, courseId: body.courseId as CourseId }
        const { until } = await giveDays(context.db, { ...by(context), ...give })
        return { until: until.toISOString() }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/:userId/access/:courseId/end',
      who: 'admin',
      about: "Ends a user's access to a course. Their results stay readable.",
      params: HoldingPath,
      body: WithReason,
      reply: Done,
      async handle({ params, body }, context) {
        const holding = { userId: params.userId as UserId, courseId: params.courseId as CourseId }
        await endOwnership(context.db, { ...by(context), ...body, ...holding })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/access-periods/:periodId/give-back',
      who: 'admin',
      about: 'Restores an access period that was ended, with the days that it had left.',
      params: PeriodPath,
      body: WithReason,
      reply: Done,
      async handle({ params, body }, context) {
        await restoreOwnership(context.db, { ...by(context), ...body, ...params })
        return done
      },
    }),
  ]
}
