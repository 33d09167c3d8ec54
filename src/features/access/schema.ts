import { z } from 'zod'
import { failureTable } from '../../lib/failure.ts'
import type { CourseId, PersonId } from '../../lib/ids.ts'
import { copy } from './copy.ts'

/** A course that this person may study now, proven by this room: only its `read` makes one. */
export type EntitledCourse = {
  readonly courseId: CourseId
  readonly personId: PersonId
  readonly until: Date | null
  readonly proof: 'access'
}

export const OwnedCourse = z.object({
  courseId: z.string(),
  status: z.enum(['running', 'ended']),
  /** When access ends or ended, ISO. */
  until: z.string(),
})
export type OwnedCourse = z.infer<typeof OwnedCourse>

export const fail = failureTable({
  'access.none': { status: 403, kind: 'authorization', sentence: copy['access.none'] },
  'access.ended': { status: 403, kind: 'authorization', sentence: copy['access.ended'] },
})
