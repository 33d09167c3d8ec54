import { clientOf } from '../../platform/api-client.ts'
import type { feedbackApi } from './feedback-endpoints.server.ts'
import type { SendFeedback } from './feedback.schema.ts'

const call = clientOf<typeof feedbackApi>()

/** @throws CallFailed */
export const sendFeedback = (feedback: SendFeedback) => call('POST', '/api/feedback', { body: feedback })

/** @throws CallFailed */
export const settleFeedback = (feedbackId: string) =>
  call('POST', '/api/feedback/:feedbackId/settle', { params: { feedbackId } })
