import { clientOf } from '../../../platform/api-client.ts'
import type { freshnessApi } from './freshness-endpoints.server.ts'

const call = clientOf<typeof freshnessApi>()

export type Chosen = { readonly examId: string; readonly questionId: string }

/** @throws CallFailed */
export const markVerified = (questions: readonly Chosen[]) =>
  call('POST', '/api/question-verifications', { body: { questions: [...questions] } })
