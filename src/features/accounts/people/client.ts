import { call } from '../../../platform/client.ts'
import type { ExtraTime } from '../../../lib/extra-time.ts'

/** @throws CallFailed */
export const setExtraTime = (personId: string, extraTime: ExtraTime) =>
  call<{ done: true }>('PUT', `/api/profiles/${personId}/extra-time`, { extraTime })
