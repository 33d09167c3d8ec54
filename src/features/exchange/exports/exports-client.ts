import { clientOf } from '../../../platform/api-client.ts'
import type { ExportFormat } from '../../questions/formats/formats.schema.ts'
import type { exportsApi } from './exports-endpoints.server.ts'

const call = clientOf<typeof exportsApi>()

/** What leaves, as an address says it: ids and keys with commas between them. */
export type Export = {
  readonly format: ExportFormat
  readonly version: 'published' | 'draft'
  readonly course?: string
  readonly exam?: string
  readonly questions?: string
}

export const findLosses = (wanted: Export) => call('GET', '/api/exports/losses', { query: wanted })

/** Where the browser gets the file. */
export function downloadPath(wanted: Export): string {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined && value !== '')
  return `/api/exports?${new URLSearchParams(Object.fromEntries(given))}`
}

type Place = { readonly kind: 'course' | 'exam'; readonly id: string }

/** The address with a course or an exam chosen that was not, or no longer chosen. */
export function withPlace(query: URLSearchParams, places: readonly Place[], { kind, id }: Place): URLSearchParams {
  const next = new URLSearchParams(query)
  const chosen = places.flatMap((one) => (one.kind === kind ? [one.id] : []))
  const left = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]
  if (left.length === 0) next.delete(kind)
  else next.set(kind, left.join(','))
  return next
}
