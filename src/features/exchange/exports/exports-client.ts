import { clientOf } from '../../../platform/api-client.ts'
import type { ExportFormat } from '../../questions/formats/formats.schema.ts'
import type { exportsApi } from './exports-endpoints.server.ts'

const call = clientOf<typeof exportsApi>()

/** An export as a query string: ids and keys separated by commas. */
export type Export = {
  readonly format: ExportFormat
  readonly version: 'published' | 'draft'
  readonly course?: string
  readonly exam?: string
  readonly questions?: string
}

export const findLosses = (request: Export) => call('GET', '/api/exports/losses', { query: request })

/** The URL of the download. */
export function downloadPath(request: Export): string {
  const params = Object.entries(request).filter(([, value]) => value !== undefined && value !== '')
  return `/api/exports?${new URLSearchParams(Object.fromEntries(params))}`
}

type Place = { readonly kind: 'course' | 'exam'; readonly id: string }

/** The query with a course or an exam toggled. */
export function withPlace(query: URLSearchParams, places: readonly Place[], { kind, id }: Place): URLSearchParams {
  const next = new URLSearchParams(query)
  const chosen = places.flatMap((place) => (place.kind === kind ? [place.id] : []))
  const left = chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]
  if (left.length === 0) next.delete(kind)
  else next.set(kind, left.join(','))
  return next
}
