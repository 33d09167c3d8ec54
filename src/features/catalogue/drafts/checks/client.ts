import { clientOf } from '../../../../platform/client.ts'
import type { checksApi } from './api.server.ts'

const call = clientOf<typeof checksApi>()

/** @throws CallFailed */
export const askForCheck = () => call('POST', '/api/question-checks')

/** @throws CallFailed, with a problem under `note` */
export const setAside = (findingId: number, note: string) =>
  call('POST', '/api/question-checks/findings/:findingId/set-aside', { params: { findingId }, body: { note } })

/** @throws CallFailed */
export const takeBack = (findingId: number) =>
  call('POST', '/api/question-checks/findings/:findingId/take-back', { params: { findingId } })
