import { sha256Hex } from '../../lib/sha256.ts'
import { quote, type Discount, type DiscountedLine, type PricedLine, type Quote } from '../pricing/quote.ts'
import { cents, parseDollars, type Cents } from '../../lib/money.ts'
import { MINUTE_MS } from '../../lib/time.ts'

export type OrderState = 'pending' | 'paid' | 'expired' | 'failed' | 'partly_refunded' | 'refunded' | 'disputed'

/**
 * Where an order may go from where it is. Money that came after all wins over 'expired' and 'failed'; a refund in part may be
 * followed by another; what is refunded whole stays so.
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

/** Whether the money is here: what was bought is there to be used. */
export function isSettled(state: OrderState): boolean {
  return state === 'paid' || state === 'partly_refunded'
}

/** Whether the seats of an order can be redeemed: it is settled, and no admin has ended what it gave. */
export function givesSeats(order: { readonly state: OrderState; readonly isAccessEnded: boolean }): boolean {
  return isSettled(order.state) && !order.isAccessEnded
}

/** An order that holds a use of its coupon. One that is given up, failed or is refunded whole gives it back. */
export const couponStates = ['pending', 'paid', 'partly_refunded', 'disputed'] as const satisfies readonly OrderState[]

/** The currency of every price in the catalogue. */
export const CURRENCY = 'usd'
/** Pressing again so soon after an order that cost nothing is the same order. */
export const FREE_REPEAT_MS = MINUTE_MS
/** The gateway collects no more than this at once. */
export const LARGEST_TOTAL_CENTS = cents(99_999_999)
/** The gateway takes no more lines than this; tax and shipping are two of them. */
export const GATEWAY_LINES = 100
/** A pending order that never reached the gateway is given up after this: any session of it is dead by then. */
export const ABANDONED_AFTER_HOURS = 25

/** What the gateway says is true of a payment, whatever an event or a browser said. */
export type PaymentTruth = {
  readonly sessionId: string
  readonly orderId: string | null
  readonly status: 'open' | 'complete' | 'expired'
  readonly isPaid: boolean
  /** A delayed payment that was refused in the end. */
  readonly hasFailed: boolean
  readonly amountCents: number
  readonly currency: string
  readonly isLive: boolean
  readonly paymentIntent: string | null
  readonly refundedCents: number
}

export type DisputeTruth = { readonly id: string; readonly state: 'open' | 'won' | 'lost' }

export type OrderFacts = {
  readonly id: string
  readonly state: OrderState
  readonly totalCents: number
  readonly currency: string
  readonly isLive: boolean
  readonly paymentIntent: string | null
  readonly refundedCents: number
  /** Disputes that were opened, and those that have ended. */
  readonly endedDisputes: readonly string[]
}

export type OrderMove = { readonly to: OrderState; readonly detail: Readonly<Record<string, string | number>> }

/**
 * The moves that bring an order to where the gateway says it is. Events may come twice, late and in any order: what counts is
 * the truth when it was asked, and nothing that is known already is done again.
 */
export function movesTo(order: OrderFacts, payment: PaymentTruth, dispute: DisputeTruth | null): OrderMove[] {
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

export const mismatches = [
  'another order',
  'test and live mode mixed',
  'another currency',
  'another amount',
  'a second payment of the same order',
] as const
export type Mismatch = (typeof mismatches)[number]

/** Why a payment may not fulfil this order; null when it fits. */
export function mismatch(order: OrderFacts, payment: PaymentTruth): Mismatch | null {
  if (payment.orderId !== order.id) return 'another order'
  if (payment.isLive !== order.isLive) return 'test and live mode mixed'
  if (payment.currency !== order.currency) return 'another currency'
  if (payment.amountCents !== order.totalCents) return 'another amount'
  const isSecond = order.paymentIntent !== null && payment.isPaid && payment.paymentIntent !== order.paymentIntent
  return isSecond ? 'a second payment of the same order' : null
}

/** Why an order waits for a person: its payment doesn't fit, or is there and could not be handed over. */
export const paymentIssues = [...mismatches, 'paid and not handed over'] as const
export type PaymentIssue = (typeof paymentIssues)[number]

/** Whether looking at the order's own payment again may end this trouble; the money of a second payment stays. */
export function mayResolve(paymentIssue: PaymentIssue): boolean {
  return paymentIssue !== 'a second payment of the same order'
}

/** The mode in which a session was opened, as its id says; null for an id that doesn't. */
export function isLiveSession(sessionId: string): boolean | null {
  if (sessionId.startsWith('cs_live_')) return true
  return sessionId.startsWith('cs_test_') ? false : null
}

export type OrderedLine = PricedLine & { readonly courseId: string; readonly title: string }

/** What is ordered at which prices, in which mode, as one key: a second press finds the same pending order. */
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

/** A line of the hosted page, which knows no discounts: its amounts are what is left after them. */
export type ChargedLine = { readonly name: string; readonly unitCents: number; readonly quantity: number }

/** The order's lines as the gateway charges them: their sum is the order's subtotal less its discount. */
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
    // Units that would cost unequal cents are one line.
    return netCents % quantity === 0
      ? { name: title, unitCents: netCents / quantity, quantity }
      : { name: `${quantity} × ${title}`, unitCents: netCents, quantity: 1 }
  })
}

/** The total that the buyer saw: as sent, else from the prices that were sent; null when nothing was shown. */
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

/** Letters and digits that nobody confuses when reading them aloud. */
const SEAT_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Twelve letters from random bytes, 60 bits, in groups of four. */
export function seatCode(random: Uint8Array): string {
  const letters = Array.from(random.subarray(0, 12), (byte) => SEAT_ALPHABET[byte % SEAT_ALPHABET.length])
  return [0, 4, 8].map((start) => letters.slice(start, start + 4).join('')).join('-')
}

/** A code as somebody may have typed it; null when it cannot be one. */
export function readSeatCode(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '')
  if (letters.length !== 12 || [...letters].some((letter) => !SEAT_ALPHABET.includes(letter))) return null
  return [letters.slice(0, 4), letters.slice(4, 8), letters.slice(8)].join('-')
}

/** How long the payment page waits before it asks again: quickly at first, then with patience; null: no more. */
export function nextLookMs(looks: number): number | null {
  return looks >= 12 ? null : Math.min(15_000, 1000 * 1.6 ** looks)
}
