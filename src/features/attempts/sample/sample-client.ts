import { clientOf } from '../../../platform/api-client.ts'
import type { Answer } from '../../questions/types/question-types.schema.ts'
import type { sampleApi } from './sample-endpoints.server.ts'

const call = clientOf<typeof sampleApi>()

/** @throws CallFailed */
export const checkSample = (examSlug: string, questionId: string, answer: Answer) =>
  call('POST', '/api/samples/:examSlug/check', { params: { examSlug }, body: { questionId, answer } })
