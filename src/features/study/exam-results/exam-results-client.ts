import { clientOf } from '../../../platform/api-client.ts'
import type { examResultsApi } from './exam-results-endpoints.server.ts'

const call = clientOf<typeof examResultsApi>()

export const acceptPledge = (pledgeId: string) =>
  call('POST', '/api/pledges/:pledgeId/accept', { params: { pledgeId } })
export const askForReport = (pledgeId: string) => call('POST', '/api/pledges/:pledgeId/ask', { params: { pledgeId } })
/** @throws CallFailed, with a problem under `reason` */
export const declinePledge = (pledgeId: string, reason: string) =>
  call('POST', '/api/pledges/:pledgeId/decline', { params: { pledgeId }, body: { reason } })
export const publishResults = (isPublic: boolean) => call('PUT', '/api/result-publication', { body: { isPublic } })
