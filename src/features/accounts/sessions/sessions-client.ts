import { clientOf } from '../../../platform/api-client.ts'
import type { sessionsApi } from './sessions-endpoints.server.ts'

const call = clientOf<typeof sessionsApi>()

export const endSession = (sessionId: string) =>
  call('DELETE', '/api/auth/sessions/:sessionId', { params: { sessionId } })
export const endOtherSessions = () => call('DELETE', '/api/auth/sessions')
