import { cents, formatDollars, percentOf, sum, toDollars, type Cents } from '../../lib/money.ts'
import { copy } from './pricing.copy.ts'

/** Tax on the discounted subtotal, in percent. */
export const TAX_PERCENT = 10
/** Shipping, unless the discounted subtotal is above the free limit. */
export const SHIPPING_CENTS = cents(999)
/** Shipping is free above this discounted subtotal; at exactly this amount it is charged. */
export const FREE_SHIPPING_ABOVE_CENTS = cents(5000)

export type PricedLine = { readonly unitPriceCents: Cents; readonly quantity: number }

/** `courseIds`: the discounted courses; null means all. */
export type Discount = {
  readonly off:
    { readonly kind: 'percent'; readonly percent: number } | { readonly kind: 'amount'; readonly amountCents: Cents }
  readonly courseIds: readonly string[] | null
}

/** Discounts depend on the course. */
export type DiscountedLine = PricedLine & { readonly courseId: string }

export type Quote = {
  readonly subtotalCents: Cents
  readonly discountCents: Cents
  readonly taxCents: Cents
  readonly shippingCents: Cents
  readonly totalCents: Cents
}

/**
 * Prices a cart. The drawer and the stored order use this same function. The discount is subtracted before tax and shipping are
 * computed. A subtotal of zero has no tax, no shipping and a total of zero. Tax is rounded half up, once.
 */
export function quote(lines: readonly PricedLine[]): Quote
export function quote(lines: readonly DiscountedLine[], discount: Discount | null): Quote
export function quote(lines: readonly (PricedLine & { courseId?: string })[], discount: Discount | null = null): Quote {
  const gross = sum(lines.map(lineCents))
  const discountCents = sum(lineDiscounts(lines, discount))
  const net = cents(gross - discountCents)
  const taxCents = percentOf(net, TAX_PERCENT)
  const shippingCents = net === 0 || net > FREE_SHIPPING_ABOVE_CENTS ? cents(0) : SHIPPING_CENTS
  return {
    subtotalCents: gross,
    discountCents,
    taxCents,
    shippingCents,
    totalCents: sum([net, taxCents, shippingCents]),
  }
}

/**
 * The discount of each line. A percentage is rounded half up once, over all discounted lines together. No line goes below zero.
 * Leftover cents are distributed by largest remainder, so that the line discounts add up to the total discount.
 */
export function lineDiscounts(
  lines: readonly (PricedLine & { readonly courseId?: string })[],
  discount: Discount | null,
): Cents[] {
  const discountable = lines.map((line) => (isDiscounted(line, discount) ? lineCents(line) : cents(0)))
  const whole = sum(discountable)
  if (discount === null || whole === 0) return lines.map(() => cents(0))
  const { off } = discount
  const amount = off.kind === 'percent' ? percentOf(whole, off.percent) : off.amountCents
  return byLargestRemainder(cents(Math.min(whole, Math.max(0, amount))), discountable, whole)
}

/** Whether a discount applies to any of these lines. */
export function touchesAny(lines: readonly { readonly courseId: string }[], discount: Discount): boolean {
  return lines.some((line) => isDiscounted(line, discount))
}

/** '20% off' or '$5.00 off'. */
export function describeDiscount({ off }: Discount): string {
  const amount = off.kind === 'percent' ? `${off.percent}%` : formatDollars(off.amountCents)
  return copy['coupon.off'].replace('{amount}', amount)
}

export type Coupon = {
  readonly code: string
  readonly discount: Discount
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  readonly useLimit: number | null
  readonly isActive: boolean
}

export type CouponJudgement =
  | { readonly kind: 'valid' }
  | { readonly kind: 'refused'; readonly why: 'unknown' | 'over' | 'used-up' | 'not-these' }
  | { readonly kind: 'refused'; readonly why: 'not-yet'; readonly startsAt: Date }

/** Whether a coupon may be redeemed for these lines now. `uses` counts the redemptions by other orders. */
export function judgeCoupon(
  coupon: Coupon | null,
  cart: { readonly now: Date; readonly uses: number; readonly lines: readonly { readonly courseId: string }[] },
): CouponJudgement {
  if (coupon === null) return { kind: 'refused', why: 'unknown' }
  const { startsAt, endsAt, useLimit } = coupon
  if (!coupon.isActive || (endsAt !== null && endsAt <= cart.now)) return { kind: 'refused', why: 'over' }
  if (startsAt !== null && cart.now < startsAt) return { kind: 'refused', why: 'not-yet', startsAt }
  if (useLimit !== null && cart.uses >= useLimit) return { kind: 'refused', why: 'used-up' }
  return touchesAny(cart.lines, coupon.discount) ? { kind: 'valid' } : { kind: 'refused', why: 'not-these' }
}

/** Normalizes a typed code; null when it cannot be a coupon code. */
export function readCouponCode(text: string): string | null {
  const code = text.replaceAll(/\s/g, '').toUpperCase()
  return /^[A-Z0-9][A-Z0-9-]{2,31}$/.test(code) ? code : null
}

/** The drawer's free-shipping hint; null for an empty cart and from the free limit on. */
export function freeShippingHint(netCents: Cents): string | null {
  if (netCents <= 0 || netCents >= FREE_SHIPPING_ABOVE_CENTS) return null
  return copy['cart.hint'].replace('{remaining}', toDollars(cents(FREE_SHIPPING_ABOVE_CENTS - netCents)))
}

function lineCents(line: PricedLine): Cents {
  return cents(line.unitPriceCents * line.quantity)
}

function isDiscounted(line: { readonly courseId?: string }, discount: Discount | null): boolean {
  if (discount === null) return false
  return discount.courseIds === null || (line.courseId !== undefined && discount.courseIds.includes(line.courseId))
}

/** Splits `amount` by weight. Shares are rounded down; leftover cents go to the largest remainders, earlier shares first. */
function byLargestRemainder(amount: Cents, weights: readonly Cents[], whole: Cents): Cents[] {
  // The product of two amounts in cents can exceed the safe integer range.
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight))
  const shares = exact.map((share) => Number(share / BigInt(whole)))
  const left = amount - shares.reduce((total, share) => total + share, 0)
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share % BigInt(whole) }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1))
  for (const { index } of byRemainder.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1
  return shares.map(cents)
}
