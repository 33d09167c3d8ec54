import { clientOf } from '../../platform/api-client.ts'
import type { Answer } from '../questions/types/question-types.schema.ts'
import type { studyApi } from './study-endpoints.server.ts'
import type { DrillFilters } from './study.schema.ts'

const call = clientOf<typeof studyApi>()

/** The URL of the download of the learner's cards. */
export function cardsPath(courseSlug: string): string {
  return `/api/cards?${new URLSearchParams({ course: courseSlug })}`
}

export const startDrill = (courseSlug: string, filters: DrillFilters, replaces?: string) =>
  call('POST', '/api/drills', { body: { courseSlug, filters, ...(replaces === undefined ? {} : { replaces }) } })

/** Makes the answer final. @throws CallFailed */
export const checkDrillAnswer = (drillId: string, place: number, answer: Answer) =>
  call('POST', '/api/drills/:drillId/questions/:place/check', {
    params: { drillId, place: String(place) },
    body: { answer },
  })

export const flagDrillQuestion = (drillId: string, place: number, isFlagged: boolean) =>
  call('PUT', '/api/drills/:drillId/questions/:place/flag', {
    params: { drillId, place: String(place) },
    body: { isFlagged },
  })

export const finishDrill = (drillId: string) => call('POST', '/api/drills/:drillId/finish', { params: { drillId } })
