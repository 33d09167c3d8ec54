import { sha256Hex } from '../../lib/sha256.ts'
import { quote, type Discount, type DiscountedLine, type PricedLine, type Quote } from '../pricing/quote.ts'
import { cents, parseDollars, type Cents } from '../../lib/money.ts'
import { after, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'

export type OrderState = 'pending' | 'paid' | 'expired' | 'failed' | 'partly_refunded' | 'refunded' | 'disputed'

/**
 * The allowed next states of each state. A late payment still moves an 'expired' or 'failed' order to 'paid'. Partial refunds may
 * follow each other. A full refund is final.
 */
export const orderMoves = {
  pending: ['paid', 'expired', 'failed'],
  expired: ['paid'],
  failed: ['paid'],
  paid: ['partly_refunded', 'refunded', 'disputed'],
  partly_refunded: ['partly_refunded', 'refunded', 'disputed'],
  disputed: ['paid', 'partly_refunded', 'refunded'],
  refunded: [],
} as const satisfies Record<OrderState, readonly OrderState[]>

export function canMove(from: OrderState, to: OrderState): boolean {
  return (orderMoves[from] as readonly OrderState[]).includes(to)
}

export function isSettled(state: OrderState): boolean {
  return state === 'paid' || state === 'partly_refunded'
}

/** Whether the seats of an order can be redeemed: it is settled and no admin has ended its access. */
export function givesSeats(order: { readonly state: OrderState; readonly isAccessEnded: boolean }): boolean {
  return isSettled(order.state) && !order.isAccessEnded
}

/** The states in which an order holds a redemption of its coupon. Expired, failed and fully refunded orders release it. */
export const couponStates = ['pending', 'paid', 'partly_refunded', 'disputed'] as const satisfies readonly OrderState[]

/** Who takes the payment of an order. An order stores it, so that a second provider finds its own orders. */
export type PaymentProvider = 'stripe'

/** The currency of every price in the catalogue. */
export const CURRENCY = 'usd'
/** A free order repeated within this time is the same order. */
export const FREE_REPEAT_MS = MINUTE_MS
/** Stripe's limit for one payment. */
export const LARGEST_TOTAL_CENTS = cents(99_999_999)
/** Stripe's limit for the lines of a session; tax and shipping are lines too. */
export const GATEWAY_LINES = 100
/** A pending order without a session expires after this; Stripe closes a session after 24 hours. */
export const ABANDONED_AFTER_HOURS = 25

/** What the buyer of a pending order can do. `payableUntil` is null while its payment is on its way, and for every other order. */
type WaitingOrder = { readonly payableUntil: Date | null; readonly isProcessing: boolean }

/** An order without a session can be paid until it counts as abandoned; a session without an end has been paid or is being paid. */
export function waitingOrder(order: {
  readonly state: OrderState
  readonly sessionId: string | null
  readonly payableUntil: Date | null
  readonly createdAt: Date
}): WaitingOrder {
  if (order.state !== 'pending') return { payableUntil: null, isProcessing: false }
  if (order.sessionId === null)
    return { payableUntil: after(order.createdAt, ABANDONED_AFTER_HOURS * HOUR_MS), isProcessing: false }
  return { payableUntil: order.payableUntil, isProcessing: order.payableUntil === null }
}

/** Whether a list of the buyer's orders shows this one: not when it was never paid and can no longer be. */
export function isShownToBuyer(
  order: { readonly state: OrderState; readonly payableUntil: string | null },
  now: Date,
): boolean {
  if (order.state === 'expired') return false
  return order.payableUntil === null || new Date(order.payableUntil) > now
}

/** A payment as the gateway reports it when asked. */
export type PaymentFacts = {
  readonly sessionId: string
  readonly orderId: string | null
  readonly status: 'open' | 'complete' | 'expired'
  readonly isPaid: boolean
  /** A delayed payment that failed. */
  readonly hasFailed: boolean
  readonly amountCents: number
  readonly currency: string
  readonly isLive: boolean
  readonly paymentIntent: string | null
  readonly refundedCents: number
}

export type DisputeFacts = { readonly id: string; readonly state: 'open' | 'won' | 'lost' }

export type OrderFacts = {
  readonly id: string
  readonly state: OrderState
  readonly totalCents: number
  readonly currency: string
  readonly isLive: boolean
  readonly paymentIntent: string | null
  readonly refundedCents: number
  /** The ids of disputes that have ended. */
  readonly endedDisputes: readonly string[]
}

export type OrderMove = { readonly to: OrderState; readonly detail: Readonly<Record<string, string | number>> }

/**
 * The moves that bring an order to the state that the gateway reports. Events may arrive twice, late and in any order, so only the
 * reported state counts, and a move that was made is not made again.
 */
export function movesTo(order: OrderFacts, payment: PaymentFacts, dispute: DisputeFacts | null): OrderMove[] {
  const moves: OrderMove[] = []
  let { state } = order
  const go = (to: OrderState, detail: OrderMove['detail'] = {}) => {
    if (!canMove(state, to)) return
    moves.push({ to, detail })
    state = to
  }
  if (payment.isPaid) {
    if (state === 'pending' || state === 'expired' || state === 'failed') go('paid')
  } else if (payment.status === 'expired') go('expired')
  else if (payment.hasFailed) go('failed')
  if (!payment.isPaid) return moves

  const refundedCents = Math.max(order.refundedCents, payment.refundedCents)
  let knownCents = order.refundedCents
  const isRefunded = payment.refundedCents > 0 && payment.refundedCents >= order.totalCents
  const isOver = dispute !== null && order.endedDisputes.includes(dispute.id)
  if (dispute !== null && !isOver && state !== 'disputed' && dispute.state !== 'won')
    go('disputed', { dispute: dispute.id })
  if (dispute?.state === 'lost' && state === 'disputed') go('refunded', { dispute: dispute.id, ended: 'lost' })
  if (dispute?.state === 'won' && state === 'disputed') {
    go(refundedCents > 0 ? 'partly_refunded' : 'paid', { dispute: dispute.id, ended: 'won', refundedCents })
    knownCents = refundedCents
  }
  if (isRefunded) go('refunded', { refundedCents })
  else if (payment.refundedCents > knownCents && state !== 'disputed') go('partly_refunded', { refundedCents })
  return moves
}

/** The cents that these moves refund beyond those refunded before. */
export function newlyRefunded(order: Pick<OrderFacts, 'refundedCents'>, moves: readonly OrderMove[]): Cents {
  const refunded = moves.map(({ detail }) => Number(detail['refundedCents'] ?? 0))
  return cents(Math.max(order.refundedCents, ...refunded) - order.refundedCents)
}

export const mismatches = [
  'another order',
  'test and live mode mixed',
  'another currency',
  'another amount',
  'a second payment of the same order',
] as const
export type Mismatch = (typeof mismatches)[number]

/** The reason why a payment may not fulfil this order; null when it matches. */
export function mismatch(order: OrderFacts, payment: PaymentFacts): Mismatch | null {
  if (payment.orderId !== order.id) return 'another order'
  if (payment.isLive !== order.isLive) return 'test and live mode mixed'
  if (payment.currency !== order.currency) return 'another currency'
  if (payment.amountCents !== order.totalCents) return 'another amount'
  const isSecond = order.paymentIntent !== null && payment.isPaid && payment.paymentIntent !== order.paymentIntent
  return isSecond ? 'a second payment of the same order' : null
}

/** The reasons why an order needs an admin: its payment does not match, or a paid order could not be fulfilled. */
export const paymentIssues = [...mismatches, 'paid and not handed over'] as const
export type PaymentIssue = (typeof paymentIssues)[number]

/** Whether checking the order's payment again may resolve this issue. A second payment has to be refunded by an admin. */
export function mayResolve(paymentIssue: PaymentIssue): boolean {
  return paymentIssue !== 'a second payment of the same order'
}

/** Whether a session is live, by the prefix of its id; null for an unknown prefix. */
export function isLiveSession(sessionId: string): boolean | null {
  if (sessionId.startsWith('cs_live_')) return true
  return sessionId.startsWith('cs_test_') ? false : null
}

export type OrderedLine = PricedLine & { readonly courseId: string; readonly title: string }

/** A key of the content, prices, coupon and mode of an order, by which a repeated checkout finds the pending order. */
export function cartKey(
  lines: readonly OrderedLine[],
  total: Quote,
  order: { readonly isLive: boolean; readonly couponCode?: string | undefined },
): string {
  const parts = lines.map((line) => `${line.courseId}:${line.quantity}:${line.unitPriceCents}`).sort()
  if (order.couponCode !== undefined) parts.push(order.couponCode)
  return sha256Hex(
    [order.isLive ? 'live' : 'test', CURRENCY, total.discountCents, total.totalCents, ...parts].join('|'),
  )
}

/** A line of the hosted page. The page has no discounts, so the amounts are net of them. */
type ChargedLine = { readonly name: string; readonly unitCents: number; readonly quantity: number }

/** The order's lines as the gateway charges them. They add up to the subtotal minus the discount. */
export function chargedLines(
  lines: readonly {
    readonly title: string
    readonly quantity: number
    readonly unitPriceCents: number
    readonly discountCents: number
  }[],
): ChargedLine[] {
  return lines.map(({ title, quantity, unitPriceCents, discountCents }) => {
    const netCents = unitPriceCents * quantity - discountCents
    // A net amount that is not divisible by the quantity becomes one line.
    return netCents % quantity === 0
      ? { name: title, unitCents: netCents / quantity, quantity }
      : { name: `${quantity} × ${title}`, unitCents: netCents, quantity: 1 }
  })
}

/** The parameters of an address. */
type Search = { get(name: string): string | null }

/** The payment that the address of the success page names: a session of the gateway, or a free order without one. */
export function paymentNamedBy(search: Search): { sessionId: string } | { orderId: string } | null {
  const sessionId = search.get('session_id')
  const orderId = search.get('order_id')
  return sessionId !== null ? { sessionId } : orderId !== null ? { orderId } : null
}

/** The total that the buyer saw: the one sent, or else computed from the sent prices; null when neither was sent. */
export function shownTotal(
  cart: {
    readonly total?: number | undefined
    readonly cartItems: readonly {
      readonly id: string
      readonly price?: number | undefined
      readonly quantity: number
    }[]
  },
  discount: Discount | null = null,
): Cents | null {
  if (cart.total !== undefined) return parseDollars(cart.total)
  const lines: DiscountedLine[] = []
  for (const { id, price, quantity } of cart.cartItems) {
    const unitPriceCents = price === undefined ? null : parseDollars(price)
    if (unitPriceCents === null) return null
    lines.push({ courseId: id, unitPriceCents, quantity })
  }
  return quote(lines, discount).totalCents
}

/** Letters and digits without those that are easily confused (0, 1, I, O). */
const SEAT_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Letters of a seat code: 140 random bits. Those of earlier orders have twelve. */
export const SEAT_LETTERS = 28
const inGroups = (letters: string) => letters.replaceAll(/(.{4})(?=.)/g, '$1-')

/** A seat code in groups of four, from a random byte for each letter. */
export function seatCode(random: Uint8Array): string {
  const letters = Array.from(random.subarray(0, SEAT_LETTERS), (byte) => SEAT_ALPHABET[byte % SEAT_ALPHABET.length])
  return inGroups(letters.join(''))
}

/** Normalizes a typed code; null when it cannot be a seat code. */
export function readSeatCode(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '')
  const isLength = letters.length === SEAT_LETTERS || letters.length === 12
  return isLength && [...letters].every((letter) => SEAT_ALPHABET.includes(letter)) ? inGroups(letters) : null
}

/** The delay before the payment page checks again, growing from 1 to 15 seconds; null after 12 checks. */
export function nextCheckMs(checks: number): number | null {
  return checks >= 12 ? null : Math.min(15_000, 1000 * 1.6 ** checks)
}
