import { clientOf } from '../../platform/api-client.ts'
import type { accessApi } from './access-endpoints.server.ts'

const call = clientOf<typeof accessApi>()

/** `key` is new each time the dialog opens. @throws CallFailed, with problems under `courseId`, `days`, `reason` */
export const giveAccess = (
  userId: string,
  give: { readonly courseId: string; readonly days: number; readonly reason: string; readonly key: string },
) => call('POST', '/api/profiles/:userId/access', { params: { userId }, body: give })

/** @throws CallFailed, with a problem under `reason` */
export const endAccess = (userId: string, courseId: string, reason: string) =>
  call('POST', '/api/profiles/:userId/access/:courseId/end', { params: { userId, courseId }, body: { reason } })

/** @throws CallFailed, with a problem under `reason` */
export const giveBackAccess = (periodId: string, reason: string) =>
  call('POST', '/api/access-periods/:periodId/give-back', { params: { periodId }, body: { reason } })
