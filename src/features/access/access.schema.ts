import { z } from 'zod'
import { failureTable } from '../../lib/failure.ts'
import type { CourseId, UserId } from '../../lib/ids.ts'
import { copy } from './access.copy.ts'
import { GIVEN_DAYS_MAX } from './access.ts'

/** Proof that a user may study a course now. Only `requireAccess` (access-queries) creates one. */
export type EntitledCourse = {
  readonly courseId: CourseId
  readonly userId: UserId
  readonly until: Date | null
  readonly proof: 'access'
}

/** Why a user has no access: 'none' when it was never granted or was revoked, 'ended' when its time is over. */
export const WithoutAccess = z.enum(['none', 'ended'])
export type WithoutAccess = z.infer<typeof WithoutAccess>

export const OwnedCourse = z.object({
  courseId: z.string(),
  status: z.enum(['running', 'ended']),
  /** When access ends or ended, ISO. */
  until: z.string(),
})
export type OwnedCourse = z.infer<typeof OwnedCourse>

const Reason = z
  .string(copy['access.reason.missing'])
  .trim()
  .min(1, copy['access.reason.missing'])
  .max(500, copy['access.reason.long'])

/** Days that an admin gives. The key is new for each dialog, so that a double press gives the days once. */
export const GiveAccess = z.object({
  courseId: z.uuid(copy['access.give.course']),
  days: z
    .number(copy['access.give.days'])
    .int(copy['access.give.days'])
    .min(1, copy['access.give.days'])
    .max(GIVEN_DAYS_MAX, copy['access.give.days']),
  reason: Reason,
  key: z.uuid(),
})
export type GiveAccess = z.output<typeof GiveAccess>
export const WithReason = z.object({ reason: Reason })
export const HolderPath = z.object({ userId: z.uuid() })
export const HoldingPath = HolderPath.extend({ courseId: z.uuid() })
export const PeriodPath = z.object({ periodId: z.uuid() })

/** A period of access as admins see it. */
export const PeriodView = z.object({
  id: z.string(),
  courseId: z.string(),
  courseTitle: z.string(),
  source: z.enum(['order', 'seat', 'grant', 'pledge']),
  orderId: z.string().nullable(),
  startsAt: z.string(),
  endsAt: z.string(),
  revokedAt: z.string().nullable(),
})
export type PeriodView = z.infer<typeof PeriodView>

export const fail = failureTable({
  'access.nobody': { status: 404, kind: 'database', sentence: copy['access.nobody'] },
  'access.not-running': { status: 409, kind: 'validation', sentence: copy['access.not-running'] },
  'access.not-taken': { status: 409, kind: 'validation', sentence: copy['access.not-taken'] },
  'access.none': { status: 403, kind: 'authorization', sentence: copy['access.none'] },
  'access.ended': { status: 403, kind: 'authorization', sentence: copy['access.ended'] },
})
