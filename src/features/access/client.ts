import { clientOf } from '../../platform/client.ts'
import type { accessApi } from './api.server.ts'

const call = clientOf<typeof accessApi>()

/** `key` is made once for each time the dialog is opened. @throws CallFailed, with problems under `courseId`, `days`, `reason` */
export const giveAccess = (
  personId: string,
  give: { readonly courseId: string; readonly days: number; readonly reason: string; readonly key: string },
) => call('POST', '/api/profiles/:personId/access', { params: { personId }, body: give })

/** @throws CallFailed, with a problem under `reason` */
export const endAccess = (personId: string, courseId: string, reason: string) =>
  call('POST', '/api/profiles/:personId/access/:courseId/end', { params: { personId, courseId }, body: { reason } })

/** @throws CallFailed, with a problem under `reason` */
export const giveBackAccess = (periodId: string, reason: string) =>
  call('POST', '/api/access-periods/:periodId/give-back', { params: { periodId }, body: { reason } })
