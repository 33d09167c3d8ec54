import { clientOf } from '../../../platform/api-client.ts'
import type { ExtraTime } from '../../../lib/extra-time.ts'
import type { usersApi } from './users-endpoints.server.ts'
import type { Role } from './users.schema.ts'

const call = clientOf<typeof usersApi>()

/** @throws CallFailed */
export const setExtraTime = (userId: string, extraTime: ExtraTime) =>
  call('PUT', '/api/profiles/:userId/extra-time', { params: { userId }, body: { extraTime } })

/** @throws CallFailed */
export const setRole = (userId: string, role: Role) =>
  call('PUT', '/api/profiles/:userId/role', { params: { userId }, body: { role } })

/** @throws CallFailed, with a problem under `reason` */
export const lockUser = (userId: string, reason: string) =>
  call('PUT', '/api/profiles/:userId/lock', { params: { userId }, body: { reason } })

/** @throws CallFailed */
export const unlockUser = (userId: string) => call('DELETE', '/api/profiles/:userId/lock', { params: { userId } })

/** @throws CallFailed */
export const verifyUser = (userId: string) => call('POST', '/api/profiles/:userId/verify', { params: { userId } })

/** @throws CallFailed */
export const sendReset = (userId: string) => call('POST', '/api/profiles/:userId/send-reset', { params: { userId } })

/** @throws CallFailed */
export const endSessions = (userId: string) => call('DELETE', '/api/profiles/:userId/sessions', { params: { userId } })
