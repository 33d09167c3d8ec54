import { z } from 'zod'

/** A testing accommodation. An admin sets it on a profile; each timed attempt stores the value of its start. */
export const EXTRA_TIMES = ['none', 'x1.25', 'x1.5', 'x2', 'untimed'] as const
export const ExtraTime = z.enum(EXTRA_TIMES)
export type ExtraTime = z.infer<typeof ExtraTime>
