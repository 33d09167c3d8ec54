import { z } from 'zod'
import { failureTable } from '../../lib/failure.ts'
import { parseDollars } from '../../lib/money.ts'
import { MAX_QUANTITY } from '../cart/cart.ts'
import { CouponCode, DiscountView, QuoteView } from '../pricing/pricing.schema.ts'
import { copy } from './checkout.copy.ts'
import { readSeatCode, type OrderState } from './orders.ts'

const Dollars = z
  .number()
  .min(0, 'must not be negative')
  .refine((value) => parseDollars(value) !== null, 'must be dollars with at most two decimals')

/** A cart item as the browser sends it. Its price is the one shown to the buyer; the order uses the catalogue's. */
const CheckoutItem = z.object({
  id: z.uuid('must be the id of a course').transform((id) => id.toLowerCase()),
  quantity: z
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MAX_QUANTITY, `must be at most ${MAX_QUANTITY}`),
  price: Dollars.optional(),
})

/** `total` is the total that the drawer showed, in dollars. */
export const StartCheckout = z.object({
  cartItems: z
    .array(CheckoutItem, 'must be the items of the cart')
    .max(100, 'must be at most 100 courses')
    .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, 'must name each course once'),
  total: Dollars.optional(),
  coupon: CouponCode.optional(),
})
export type StartCheckout = z.infer<typeof StartCheckout>

/** A cart to quote. */
export const QuoteCart = StartCheckout.omit({ total: true })

export const CheckoutUrl = z.object({ url: z.string() })

/** The current quote and the courses no longer on sale: part of a quote's reply, and the facts of `checkout.changed`. */
export const CheckoutChange = z.object({
  quote: QuoteView,
  /** Prices in dollars, as the cart stores them. */
  lines: z.array(z.object({ id: z.string(), title: z.string(), price: z.number() })),
  gone: z.array(z.string()),
})
export type CheckoutChange = z.infer<typeof CheckoutChange>

export const AppliedCoupon = z.object({ code: z.string(), discount: DiscountView })
export type AppliedCoupon = z.infer<typeof AppliedCoupon>

export const CartQuote = CheckoutChange.extend({ coupon: AppliedCoupon.nullable() })
export type CartQuote = z.infer<typeof CartQuote>

export const OrderStateName = z.enum([
  'pending',
  'paid',
  'expired',
  'failed',
  'partly_refunded',
  'refunded',
  'disputed',
]) satisfies z.ZodType<OrderState>

/** A session of the gateway, or a free order without one. */
export const VerifyPayment = z
  .object({ sessionId: z.string().min(1).max(255).optional(), orderId: z.uuid().optional() })
  .refine(({ sessionId, orderId }) => sessionId !== undefined || orderId !== undefined, {
    message: 'must name the payment session',
    path: ['sessionId'],
  })

/** The specification asks for `success` and `courseId`; the payment page shows the rest. */
export const PaymentResult = z.object({
  success: z.boolean(),
  /** The payment may still be confirmed. */
  pending: z.boolean(),
  state: OrderStateName,
  orderId: z.string(),
  /** Null when several courses were bought. */
  courseId: z.string().nullable(),
  courseSlug: z.string().nullable(),
  isCart: z.boolean(),
  seats: z.number().int(),
  /** What was bought, to take it out of the cart. */
  lines: z.array(z.object({ courseId: z.string(), quantity: z.number().int() })),
})
export type PaymentResult = z.infer<typeof PaymentResult>

export const Repaired = z.object({ fulfilled: z.number().int(), closed: z.number().int() })
export type Repaired = z.infer<typeof Repaired>

/** The state of an order after its buyer dropped it; it may have been paid meanwhile. */
export const DroppedOrder = z.object({ state: OrderStateName })

export const OrderPath = z.object({ orderId: z.uuid() })

export const SeatView = z.object({ code: z.string(), redeemedAt: z.string().nullable() })

export const OrderLineView = z.object({
  courseId: z.string(),
  courseSlug: z.string(),
  title: z.string(),
  quantity: z.number().int(),
  unitPriceCents: z.number().int(),
  discountCents: z.number().int(),
  seats: z.array(SeatView),
})

/** How long a pending order can be paid; see `waitingOrder`. */
const waitingShape = { payableUntil: z.string().nullable(), isProcessing: z.boolean() }

export const OrderView = z.object({
  ...waitingShape,
  id: z.string(),
  state: OrderStateName,
  buyer: z.object({ name: z.string(), email: z.string() }),
  createdAt: z.string(),
  paidAt: z.string().nullable(),
  currency: z.string(),
  lines: z.array(OrderLineView),
  subtotalCents: z.number().int(),
  discountCents: z.number().int(),
  couponCode: z.string().nullable(),
  taxCents: z.number().int(),
  shippingCents: z.number().int(),
  totalCents: z.number().int(),
  refundedCents: z.number().int(),
  /** When an admin ended the order's access, ISO 8601. */
  accessEndedAt: z.string().nullable(),
})
export type OrderView = z.infer<typeof OrderView>

/** An order in a list. */
export const OrderSummary = z.object({
  id: z.string(),
  state: OrderStateName,
  createdAt: z.string(),
  totalCents: z.number().int(),
  titles: z.array(z.string()),
  buyerEmail: z.string(),
})
export type OrderSummary = z.infer<typeof OrderSummary>

/** An order in the list of its buyer. */
export type BuyerOrder = OrderSummary & {
  readonly payableUntil: string | null
  readonly isProcessing: boolean
}

export const RedeemSeat = z.object({
  code: z
    .string(copy['seat.missing'])
    .max(100, copy['seat.missing'])
    .transform((text, issues) => {
      const code = readSeatCode(text)
      if (code !== null) return code
      issues.addIssue({ code: 'custom', message: copy['seat.missing'] })
      return z.NEVER
    }),
})
export const RedeemedSeat = z.object({
  courseId: z.string(),
  courseSlug: z.string(),
  title: z.string(),
  /** When access ends, ISO 8601. */
  until: z.string(),
})
export type RedeemedSeat = z.infer<typeof RedeemedSeat>

export const WebhookReply = z.object({ received: z.literal(true), outcome: z.string() })

export const fail = failureTable({
  'checkout.empty': { status: 400, kind: 'validation', sentence: copy['checkout.empty.text'] },
  'checkout.changed': { status: 409, kind: 'validation', sentence: copy['checkout.changed'] },
  'checkout.too-much': { status: 400, kind: 'validation', sentence: copy['checkout.too-much'] },
  'checkout.no-url': { status: 502, kind: 'other', sentence: copy['checkout.nourl'] },
  'checkout.refused': { status: 502, kind: 'other', sentence: copy['checkout.failed.text'] },
  'payment.away': { status: 503, kind: 'network', sentence: copy['checkout.away'] },
  'payment.not-verified': { status: 404, kind: 'other', sentence: copy['payment.failure.text'] },
  'webhook.refused': { status: 400, kind: 'authentication', sentence: 'The signature of this event is not valid.' },
  'order.not-found': { status: 404, kind: 'database', sentence: copy['order.missing'] },
  'order.processing': { status: 409, kind: 'validation', sentence: copy['order.processing.kept'] },
  'seat.not-found': { status: 404, kind: 'validation', sentence: copy['seat.missing'] },
  'seat.taken': { status: 409, kind: 'validation', sentence: copy['seat.taken'] },
  'seat.void': { status: 409, kind: 'validation', sentence: copy['seat.void'] },
})
