import { z } from 'zod'
import { failureTable, fill, type Failure } from '../../lib/failure.ts'
import { cents, parseDollars, type Cents } from '../../lib/money.ts'
import { after, DAY_MS, formatDay } from '../../lib/time.ts'
import { copy } from './pricing.copy.ts'
import { readCouponCode, type CouponJudgement, type Discount } from './quote.ts'

const CentsAmount = z.number().int().transform(cents)

/** A coupon's discount. The browser receives it so that the cart drawer computes with the same rule. */
export const DiscountView = z.object({
  off: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('percent'), percent: z.number().int() }),
    z.object({ kind: z.literal('amount'), amountCents: CentsAmount }),
  ]),
  courseIds: z.array(z.string()).nullable(),
}) satisfies z.ZodType<Discount>

export const QuoteView = z.object({
  subtotalCents: CentsAmount,
  discountCents: CentsAmount,
  taxCents: CentsAmount,
  shippingCents: CentsAmount,
  totalCents: CentsAmount,
})

/** A code as typed; a malformed code gets the same answer as an unknown one. */
export const CouponCode = z.string().max(100, copy['coupon.unknown'])

/** The largest discount of a coupon, and its largest number of redemptions. */
const MAX_AMOUNT_CENTS = 99_999_999
const MAX_REDEMPTIONS = 1_000_000

const Day = z.iso.date(copy['coupon.form.day'])

/** A new coupon. Days are in UTC, and the last day is included. */
export const CreateCoupon = z
  .object({
    code: z.string().transform((text, issues) => {
      const code = readCouponCode(text)
      if (code !== null) return code
      issues.addIssue({ code: 'custom', message: copy['coupon.form.code'] })
      return z.NEVER
    }),
    percent: z
      .number(copy['coupon.form.percent'])
      .int(copy['coupon.form.percent'])
      .min(1, copy['coupon.form.percent'])
      .max(100, copy['coupon.form.percent'])
      .nullable(),
    /** Dollars with at most two decimals. */
    amount: z
      .string()
      .transform((text, issues): Cents => {
        const amount = parseDollars(text)
        if (amount !== null && amount >= 1 && amount <= MAX_AMOUNT_CENTS) return amount
        issues.addIssue({ code: 'custom', message: copy['coupon.form.amount'] })
        return z.NEVER
      })
      .nullable(),
    firstDay: Day.nullable(),
    lastDay: Day.nullable(),
    useLimit: z
      .number(copy['coupon.form.limit'])
      .int(copy['coupon.form.limit'])
      .min(1, copy['coupon.form.limit'])
      .max(MAX_REDEMPTIONS, copy['coupon.form.limit'])
      .nullable(),
    courseIds: z
      .array(z.uuid())
      .min(1, copy['coupon.form.courses'])
      .max(100, copy['coupon.form.courses.many'])
      .nullable(),
  })
  .refine(({ percent, amount }) => (percent === null) !== (amount === null), {
    message: copy['coupon.form.off'],
    path: ['percent'],
  })
  .refine(({ firstDay, lastDay }) => firstDay === null || lastDay === null || firstDay <= lastDay, {
    message: copy['coupon.form.order'],
    path: ['lastDay'],
  })
export type CreateCoupon = z.output<typeof CreateCoupon>
export type CouponForm = z.input<typeof CreateCoupon>

export function startOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

export function endOf(day: string): Date {
  return after(startOf(day), DAY_MS)
}

export const CouponPath = z.object({ couponId: z.uuid() })
export const SwitchCoupon = z.object({ isActive: z.boolean() })

/** A coupon as admins see it. Instants are ISO 8601. */
export const CouponView = z.object({
  id: z.string(),
  code: z.string(),
  discount: DiscountView,
  startsAt: z.string().nullable(),
  endsAt: z.string().nullable(),
  useLimit: z.number().int().nullable(),
  isActive: z.boolean(),
  createdAt: z.string(),
})
export type CouponView = z.infer<typeof CouponView>

export const fail = failureTable({
  'coupon.unknown': { status: 404, kind: 'validation', sentence: copy['coupon.unknown'] },
  'coupon.not-yet': { status: 409, kind: 'validation', sentence: copy['coupon.not-yet'] },
  'coupon.over': { status: 409, kind: 'validation', sentence: copy['coupon.over'] },
  'coupon.used-up': { status: 409, kind: 'validation', sentence: copy['coupon.used-up'] },
  'coupon.not-these': { status: 409, kind: 'validation', sentence: copy['coupon.not-these'] },
  'coupon.taken': { status: 409, kind: 'validation', sentence: copy['coupon.taken'] },
  'coupon.not-found': { status: 404, kind: 'database', sentence: copy['coupon.not-found'] },
})

/** The failure for a refused coupon, shown under the coupon field. */
export function couponFailure(judgement: Extract<CouponJudgement, { kind: 'refused' }>): Failure {
  const sentence =
    judgement.why === 'not-yet'
      ? fill(copy['coupon.not-yet'], { day: formatDay(judgement.startsAt) })
      : copy[`coupon.${judgement.why}`]
  return fail(`coupon.${judgement.why}`, { sentence, fields: [{ field: 'coupon', message: sentence }] })
}
