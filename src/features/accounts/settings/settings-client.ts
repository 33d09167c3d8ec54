import { clientOf } from '../../../platform/api-client.ts'
import type { settingsApi } from './settings-endpoints.server.ts'

const call = clientOf<typeof settingsApi>()

export const changeName = (name: string) => call('PUT', '/api/profiles/me/name', { body: { name } })
export const changePassword = (currentPassword: string, password: string) =>
  call('POST', '/api/auth/password', { body: { currentPassword, password } })
/** Emails a link to the new address, which replaces the present one when it is opened. */
export const requestAddress = (email: string, password: string) =>
  call('POST', '/api/auth/address', { body: { email, password } })
export const confirmAddress = (token: string) => call('POST', '/api/auth/address/confirmation', { body: { token } })
