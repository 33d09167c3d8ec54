import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { copy } from './study-calendar.copy.ts'

const EXTENSION = '.ics'

/** The file at a secret address. */
export const CalendarPath = z.object({
  file: z.string().regex(/^[0-9a-f]{32}\.ics$/),
})

/** The address of a calendar below our own. */
export const CalendarAddress = z.object({ path: z.string() })
export type CalendarAddress = z.infer<typeof CalendarAddress>

/** A stored secret has the hyphens of a UUID, the address has none. */
export const fileOf = (secret: string) => `${secret.replaceAll('-', '')}${EXTENSION}`
export const secretOf = (file: string) => file.slice(0, -EXTENSION.length)

export const fail = failureTable({
  'calendar.none': { status: 404, kind: 'database', sentence: copy['calendar.none'] },
})
