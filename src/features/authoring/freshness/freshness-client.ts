import { clientOf } from '../../../platform/api-client.ts'
import type { GuideChange } from './guide-change.schema.ts'
import type { freshnessApi } from './freshness-endpoints.server.ts'

const call = clientOf<typeof freshnessApi>()

export type Chosen = { readonly examId: string; readonly questionId: string }

/** @throws CallFailed */
export const markVerified = (questions: readonly Chosen[]) =>
  call('POST', '/api/question-verifications', { body: { questions: [...questions] } })

/** @throws CallFailed */
export const undoMarking = (markingId: string, count: number) =>
  call('POST', '/api/question-verifications/:markingId/undo', { params: { markingId }, body: { count } })

/** @throws CallFailed */
export const changeGuide = (courseId: string, change: GuideChange) =>
  call('POST', '/api/courses/:courseId/guide', { params: { courseId }, body: change })
