import { clientOf } from '../../../platform/client.ts'
import type { peopleApi } from './api.server.ts'
import type { ExtraTime } from '../../../lib/extra-time.ts'

const call = clientOf<typeof peopleApi>()

/** @throws CallFailed */
export const setExtraTime = (personId: string, extraTime: ExtraTime) =>
  call('PUT', '/api/profiles/:personId/extra-time', { params: { personId }, body: { extraTime } })
