import { call } from '../../platform/client.ts'
import type { CheckedDrillAnswer, DrillFilters, DrillView } from './schema.ts'

export const startDrill = (courseSlug: string, filters: DrillFilters, replaces?: string) =>
  call<DrillView>('POST', '/api/drills', { courseSlug, filters, ...(replaces === undefined ? {} : { replaces }) })

const placePath = (drillId: string, place: number, rest: string) => `/api/drills/${drillId}/questions/${place}/${rest}`

/** @throws CallFailed. The answer is final then. */
export const checkDrillAnswer = (drillId: string, place: number, selection: readonly string[]) =>
  call<CheckedDrillAnswer>('POST', placePath(drillId, place, 'check'), { selection })

export const flagDrillQuestion = (drillId: string, place: number, isFlagged: boolean) =>
  call<null>('PUT', placePath(drillId, place, 'flag'), { isFlagged })

export const finishDrill = (drillId: string) => call<DrillView>('POST', `/api/drills/${drillId}/finish`, {})
