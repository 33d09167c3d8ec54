import { z } from 'zod'

export const PERIODS = ['7d', '30d', '90d', '12m', 'own'] as const
export type PeriodName = (typeof PERIODS)[number]

/**
 * The filters in the address. Custom dates stay as typed, so that the page can show their problems. They take precedence over
 * `period`, and without them the period is never 'own'.
 */
export const AnalyticsFilter = z
  .object({
    period: z.enum(PERIODS).catch('30d'),
    from: z.string().max(40).catch(''),
    to: z.string().max(40).catch(''),
    course: z.uuid().nullable().catch(null),
  })
  .transform(({ period, ...filter }) => {
    const isOwn = filter.from !== '' || filter.to !== ''
    const chosen: PeriodName = isOwn ? 'own' : period === 'own' ? '30d' : period
    return { ...filter, period: chosen }
  })
export type AnalyticsFilter = z.output<typeof AnalyticsFilter>

/** Money in cents, of the orders of a period. */
export type Money = {
  readonly orders: number
  /** What buyers paid, tax and shipping included, on the day on which they paid. */
  readonly grossCents: number
  /** What went back to buyers, on the day on which it went. */
  readonly refundedCents: number
}

export type Figures = Money & {
  readonly trials: number
  readonly purchases: number
  readonly learners: number
  readonly timed: number
  readonly passed: number
  readonly practice: number
}

/** One point of the charts. */
export type Point = Omit<Figures, 'trials' | 'purchases'> & { readonly day: string }

export type CourseFigures = Money &
  Pick<Figures, 'trials' | 'purchases' | 'timed' | 'passed'> & { readonly courseId: string; readonly title: string }
