import { clientOf } from '../../../platform/client.ts'
import type { ExtraTime } from '../../../lib/extra-time.ts'
import type { peopleApi } from './api.server.ts'
import type { Role } from './schema.ts'

const call = clientOf<typeof peopleApi>()

/** @throws CallFailed */
export const setExtraTime = (personId: string, extraTime: ExtraTime) =>
  call('PUT', '/api/profiles/:personId/extra-time', { params: { personId }, body: { extraTime } })

/** @throws CallFailed */
export const setRole = (personId: string, role: Role) =>
  call('PUT', '/api/profiles/:personId/role', { params: { personId }, body: { role } })

/** @throws CallFailed, with a problem under `reason` */
export const lockPerson = (personId: string, reason: string) =>
  call('PUT', '/api/profiles/:personId/lock', { params: { personId }, body: { reason } })

/** @throws CallFailed */
export const unlockPerson = (personId: string) =>
  call('DELETE', '/api/profiles/:personId/lock', { params: { personId } })

/** @throws CallFailed */
export const verifyPerson = (personId: string) =>
  call('POST', '/api/profiles/:personId/verify', { params: { personId } })

/** @throws CallFailed */
export const sendReset = (personId: string) =>
  call('POST', '/api/profiles/:personId/send-reset', { params: { personId } })

/** @throws CallFailed */
export const endSessions = (personId: string) =>
  call('DELETE', '/api/profiles/:personId/sessions', { params: { personId } })
