import { z } from 'zod'

/** More time for somebody who needs it: set on a profile by an admin, frozen on each timed attempt. */
export const EXTRA_TIMES = ['none', 'x1.25', 'x1.5', 'x2', 'untimed'] as const
export const ExtraTime = z.enum(EXTRA_TIMES)
export type ExtraTime = z.infer<typeof ExtraTime>
