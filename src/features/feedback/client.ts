import { clientOf } from '../../platform/client.ts'
import type { feedbackApi } from './api.server.ts'
import type { SendFeedback } from './schema.ts'

const call = clientOf<typeof feedbackApi>()

/** @throws CallFailed */
export const sendFeedback = (feedback: SendFeedback) => call('POST', '/api/feedback', { body: feedback })

/** @throws CallFailed */
export const settleFeedback = (feedbackId: string) =>
  call('POST', '/api/feedback/:feedbackId/settle', { params: { feedbackId } })
