import { z } from 'zod'
import { isCalendarDay, isTimeZone, longZoneName } from '../../../lib/calendar-day.ts'
import { failureTable } from '../../../lib/failure.ts'
import { copy } from './plan.copy.ts'

export const MINUTES_MIN = 5
export const MINUTES_MAX = 600
/** How far ahead an exam date may be. */
export const DATE_MAX_DAYS = 730

const minutes = copy['plan.minutes.wrong']
const score = copy['plan.score.wrong']

/** The exam date and how the learner wants to study until then. */
export const PlanWish = z.object({
  examDate: z.string(copy['plan.date.wrong']).refine(isCalendarDay, copy['plan.date.wrong']),
  timeZone: z
    .string(copy['plan.zone.wrong'])
    .max(100, copy['plan.zone.wrong'])
    .refine(isTimeZone, copy['plan.zone.wrong'])
    .transform(longZoneName),
  minutesADay: z.int(minutes).min(MINUTES_MIN, minutes).max(MINUTES_MAX, minutes),
  /** Weekdays without study: 1 is Monday, 7 is Sunday. */
  restDays: z
    .array(z.int(copy['plan.rest.wrong']).min(1).max(7))
    .max(20)
    .transform((days) => [...new Set(days)].sort((a, b) => a - b))
    .refine((days) => days.length < 7, copy['plan.rest.wrong'])
    .default([]),
  wishedPercent: z.int(score).min(1, score).max(100, score).nullable().default(null),
})
export type PlanWish = z.infer<typeof PlanWish>

/** A stored plan: what the learner wished, and when the date was set and moved last. */
export const StoredPlan = PlanWish.extend({
  setAt: z.string(),
  movedAt: z.string().nullable(),
})
export type StoredPlan = z.infer<typeof StoredPlan>

export const PlanPath = z.object({ courseSlug: z.string().min(1).max(300) })

export const fail = failureTable({
  'plan.none': { status: 404, kind: 'database', sentence: copy['plan.none'] },
  'plan.date.past': { status: 400, kind: 'validation', sentence: copy['plan.date.past'] },
  'plan.date.far': { status: 400, kind: 'validation', sentence: copy['plan.date.far'] },
  'plan.zone.wrong': { status: 400, kind: 'validation', sentence: copy['plan.zone.wrong'] },
})
