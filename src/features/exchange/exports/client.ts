import { clientOf } from '../../../platform/client.ts'
import type { exportsApi } from './api.server.ts'

const call = clientOf<typeof exportsApi>()

export type Export = {
  readonly format: 'json' | 'markdown' | 'udemy-csv' | 'gift' | 'moodle-xml' | 'qti-3'
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
