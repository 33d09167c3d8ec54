import { cents, formatDollars, percentOf, sum, toDollars, type Cents } from '../../lib/money.ts'
import { copy } from './pricing.copy.ts'

/** Spec 9: tax on the subtotal. */
export const TAX_PERCENT = 10
/** Spec 9: shipping when the subtotal is not above the free limit. */
export const SHIPPING_CENTS = cents(999)
/** Spec 9: shipping is free above this subtotal. */
export const FREE_SHIPPING_ABOVE_CENTS = cents(5000)

export type PricedLine = { readonly unitPriceCents: Cents; readonly quantity: number }

/** What a coupon takes off, and of which courses; null: of every course. */
export type Discount = {
  readonly off:
    { readonly kind: 'percent'; readonly percent: number } | { readonly kind: 'amount'; readonly amountCents: Cents }
  readonly courseIds: readonly string[] | null
}

/** A line that a discount may touch has to say which course it is. */
export type DiscountedLine = PricedLine & { readonly courseId: string }

export type Quote = {
  readonly subtotalCents: Cents
  readonly discountCents: Cents
  readonly taxCents: Cents
  readonly shippingCents: Cents
  readonly totalCents: Cents
}

/**
 * What a cart costs: the one rule that the drawer shows and the order stores. A discount comes off before the free limit and
 * tax are looked at. A subtotal of zero has no tax, no shipping and no total; at exactly the free limit shipping is still
 * due; tax is rounded half up, once.
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
 * What a discount takes off each line. A percentage is rounded half up once, over all the lines that it touches; nothing goes
 * below zero; and the cents of the shares are given by largest remainder, so that they sum to the discount.
 */
export function lineDiscounts(
  lines: readonly (PricedLine & { readonly courseId?: string })[],
  discount: Discount | null,
): Cents[] {
  const touched = lines.map((line) => (isTouched(line, discount) ? lineCents(line) : cents(0)))
  const whole = sum(touched)
  if (discount === null || whole === 0) return lines.map(() => cents(0))
  const { off } = discount
  const wanted = off.kind === 'percent' ? percentOf(whole, off.percent) : off.amountCents
  return byLargestRemainder(cents(Math.min(whole, Math.max(0, wanted))), touched, whole)
}

/** Whether a coupon takes anything off this cart. */
export function touchesAny(lines: readonly { readonly courseId: string }[], discount: Discount): boolean {
  return lines.some((line) => isTouched(line, discount))
}

/** '20 % off', '$5.00 off' */
export function describeDiscount({ off }: Discount): string {
  const amount = off.kind === 'percent' ? `${off.percent} %` : formatDollars(off.amountCents)
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

/** Whether a coupon may be used on these lines now; `uses` are those of other orders. */
export function judgeCoupon(
  coupon: Coupon | null,
  asked: { readonly now: Date; readonly uses: number; readonly lines: readonly { readonly courseId: string }[] },
): CouponJudgement {
  if (coupon === null) return { kind: 'refused', why: 'unknown' }
  const { startsAt, endsAt, useLimit } = coupon
  if (!coupon.isActive || (endsAt !== null && endsAt <= asked.now)) return { kind: 'refused', why: 'over' }
  if (startsAt !== null && asked.now < startsAt) return { kind: 'refused', why: 'not-yet', startsAt }
  if (useLimit !== null && asked.uses >= useLimit) return { kind: 'refused', why: 'used-up' }
  return touchesAny(asked.lines, coupon.discount) ? { kind: 'valid' } : { kind: 'refused', why: 'not-these' }
}

/** A code as somebody may have typed it; null when it cannot be one. */
export function readCouponCode(text: string): string | null {
  const code = text.replaceAll(/\s/g, '').toUpperCase()
  return /^[A-Z0-9][A-Z0-9-]{2,31}$/.test(code) ? code : null
}

/** The hint of the drawer; null at zero and from the free limit on. */
export function freeShippingHint(netCents: Cents): string | null {
  if (netCents <= 0 || netCents >= FREE_SHIPPING_ABOVE_CENTS) return null
  return copy['cart.hint'].replace('{remaining}', toDollars(cents(FREE_SHIPPING_ABOVE_CENTS - netCents)))
}

function lineCents(line: PricedLine): Cents {
  return cents(line.unitPriceCents * line.quantity)
}

function isTouched(line: { readonly courseId?: string }, discount: Discount | null): boolean {
  if (discount === null) return false
  return discount.courseIds === null || (line.courseId !== undefined && discount.courseIds.includes(line.courseId))
}

/** `amount` in shares of the weights. Who lost most by rounding down gets the cents that are left; of equals, the first. */
function byLargestRemainder(amount: Cents, weights: readonly Cents[], whole: Cents): Cents[] {
  // Two amounts of cents multiplied are more than a number holds exactly.
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight))
  const shares = exact.map((share) => Number(share / BigInt(whole)))
  const left = amount - shares.reduce((total, share) => total + share, 0)
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share % BigInt(whole) }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1))
  for (const { index } of byRemainder.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1
  return shares.map(cents)
}
