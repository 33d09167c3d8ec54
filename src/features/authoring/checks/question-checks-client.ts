import { clientOf } from '../../../platform/api-client.ts'
import type { checksApi } from './question-checks-endpoints.server.ts'
import type { FindingState } from './question-checks.schema.ts'

const call = clientOf<typeof checksApi>()

export const findCheckedCourses = (state: FindingState) => (search: string, signal: AbortSignal) =>
  call('GET', '/api/question-checks/course-choices', { query: { state, search }, signal })

/** @throws CallFailed */
export const askForCheck = () => call('POST', '/api/question-checks')

/** @throws CallFailed, with a problem under `note` */
export const setAside = (findingId: number, note: string) =>
  call('POST', '/api/question-checks/findings/:findingId/set-aside', { params: { findingId }, body: { note } })

/** @throws CallFailed */
export const takeBack = (findingId: number) =>
  call('POST', '/api/question-checks/findings/:findingId/take-back', { params: { findingId } })
