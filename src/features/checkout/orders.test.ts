import { expect, test } from 'vitest'
import { cents } from '../../lib/money.ts'
import { quote } from '../pricing/quote.ts'
import {
  canMove,
  cartKey,
  chargedLines,
  isLiveSession,
  mismatch,
  movesTo,
  nextCheckMs,
  orderMoves,
  readSeatCode,
  SEAT_LETTERS,
  seatCode,
  shownTotal,
  type DisputeFacts,
  type OrderFacts,
  type OrderState,
  type PaymentFacts,
} from './orders.ts'

const states = Object.keys(orderMoves) as OrderState[]

const anOrder = (state: OrderState, more: Partial<OrderFacts> = {}): OrderFacts => ({
  id: 'o1',
  state,
  totalCents: 3198,
  currency: 'usd',
  isLive: false,
  paymentIntent: null,
  refundedCents: 0,
  endedDisputes: [],
  ...more,
})
const aPayment = (more: Partial<PaymentFacts> = {}): PaymentFacts => ({
  sessionId: 'cs_1',
  orderId: 'o1',
  status: 'complete',
  isPaid: true,
  hasFailed: false,
  amountCents: 3198,
  currency: 'usd',
  isLive: false,
  paymentIntent: 'pi_1',
  refundedCents: 0,
  ...more,
})
const path = (order: OrderFacts, payment: PaymentFacts, dispute: DisputeFacts | null = null) =>
  movesTo(order, payment, dispute).map(({ to }) => to)

test('an order only makes the moves of the table', () => {
  const moves = states.flatMap((from) => states.filter((to) => canMove(from, to)).map((to) => `${from} > ${to}`))
  expect(moves.sort()).toEqual([
    'disputed > paid',
    'disputed > partly_refunded',
    'disputed > refunded',
    'expired > paid',
    'failed > paid',
    'paid > disputed',
    'paid > partly_refunded',
    'paid > refunded',
    'partly_refunded > disputed',
    'partly_refunded > partly_refunded',
    'partly_refunded > refunded',
    'pending > expired',
    'pending > failed',
    'pending > paid',
  ])
})

test('every report of the gateway leads to allowed moves only, and repeating it changes nothing', () => {
  const disputes: (DisputeFacts | null)[] = [
    null,
    ...(['open', 'won', 'lost'] as const).map((state) => ({ id: 'dp', state })),
  ]
  for (const from of states)
    for (const status of ['open', 'complete', 'expired'] as const)
      for (const isPaid of [true, false])
        for (const hasFailed of [true, false])
          for (const refundedCents of [0, 100, 3198])
            for (const dispute of disputes) {
              const payment = aPayment({ status, isPaid, hasFailed, refundedCents })
              const known = from === 'partly_refunded' ? 50 : 0
              let state = from
              const moves = movesTo(anOrder(from, { refundedCents: known }), payment, dispute)
              for (const { to } of moves) {
                expect(canMove(state, to)).toBe(true)
                state = to
              }
              const ended = moves.flatMap(({ detail }) => ('ended' in detail ? [String(detail['dispute'])] : []))
              const refunded = Math.max(known, ...moves.map(({ detail }) => Number(detail['refundedCents'] ?? 0)))
              const after = anOrder(state, { refundedCents: refunded, endedDisputes: ended })
              // A refund during a dispute takes effect when the dispute ends.
              expect(state === 'disputed' ? [] : path(after, payment, dispute)).toEqual([])
            }
})

test('a payment pays a pending order once, and a late payment still counts', () => {
  expect(path(anOrder('pending'), aPayment())).toEqual(['paid'])
  expect(path(anOrder('paid'), aPayment())).toEqual([])
  expect(path(anOrder('expired'), aPayment())).toEqual(['paid'])
  expect(path(anOrder('failed'), aPayment())).toEqual(['paid'])
  expect(path(anOrder('refunded'), aPayment())).toEqual([])
})

test('an unpaid session leaves the order pending, expired or failed', () => {
  expect(path(anOrder('pending'), aPayment({ status: 'open', isPaid: false }))).toEqual([])
  expect(path(anOrder('pending'), aPayment({ status: 'complete', isPaid: false }))).toEqual([])
  expect(path(anOrder('pending'), aPayment({ status: 'expired', isPaid: false }))).toEqual(['expired'])
  expect(path(anOrder('pending'), aPayment({ isPaid: false, hasFailed: true }))).toEqual(['failed'])
})

test('a refund reported before its payment makes both moves, and a partial refund stays partial until the rest', () => {
  expect(path(anOrder('pending'), aPayment({ refundedCents: 3198 }))).toEqual(['paid', 'refunded'])
  expect(path(anOrder('paid'), aPayment({ refundedCents: 1000 }))).toEqual(['partly_refunded'])
  const part = anOrder('partly_refunded', { refundedCents: 1000 })
  expect(path(part, aPayment({ refundedCents: 1000 }))).toEqual([])
  expect(path(part, aPayment({ refundedCents: 1500 }))).toEqual(['partly_refunded'])
  expect(path(part, aPayment({ refundedCents: 3198 }))).toEqual(['refunded'])
})

test('a dispute moves an order, its end decides, and an outdated report changes nothing', () => {
  const dispute = (state: DisputeFacts['state']) => ({ id: 'dp', state })
  expect(path(anOrder('paid'), aPayment(), dispute('open'))).toEqual(['disputed'])
  expect(path(anOrder('disputed'), aPayment(), dispute('won'))).toEqual(['paid'])
  expect(path(anOrder('disputed'), aPayment({ refundedCents: 100 }), dispute('won'))).toEqual(['partly_refunded'])
  expect(path(anOrder('disputed'), aPayment(), dispute('lost'))).toEqual(['refunded'])
  expect(path(anOrder('paid'), aPayment(), dispute('lost'))).toEqual(['disputed', 'refunded'])
  expect(path(anOrder('paid'), aPayment(), dispute('won'))).toEqual([])
  expect(path(anOrder('paid', { endedDisputes: ['dp'] }), aPayment(), dispute('open'))).toEqual([])
})

test('a payment of another order, amount, currency or mode never matches', () => {
  expect(mismatch(anOrder('pending'), aPayment())).toBeNull()
  expect(mismatch(anOrder('pending'), aPayment({ orderId: 'o2' }))).toBe('another order')
  expect(mismatch(anOrder('pending'), aPayment({ amountCents: 3197 }))).toBe('another amount')
  expect(mismatch(anOrder('pending'), aPayment({ currency: 'eur' }))).toBe('another currency')
  expect(mismatch(anOrder('pending'), aPayment({ isLive: true }))).toBe('test and live mode mixed')
  expect(mismatch(anOrder('paid', { paymentIntent: 'pi_0' }), aPayment())).toBe('a second payment of the same order')
})

test('equal content, prices and mode have the same key, in any order of the lines', () => {
  const line = (courseId: string, quantity = 1, price = 1999) => ({
    courseId,
    title: courseId,
    quantity,
    unitPriceCents: cents(price),
  })
  const key = (lines: ReturnType<typeof line>[], isLive = false) => cartKey(lines, quote(lines), { isLive })
  expect(key([line('a'), line('b')])).toBe(key([line('b'), line('a')]))
  const others = [key([line('a')]), key([line('a', 2)]), key([line('a', 1, 2000)]), key([line('a')], true)]
  expect(new Set(others).size).toBe(4)
  const withCoupon = (couponCode: string) => cartKey([line('a')], quote([line('a')]), { isLive: false, couponCode })
  expect(new Set([key([line('a')]), withCoupon('ONE'), withCoupon('TWO')]).size).toBe(3)
})

test('the gateway charges the net amount of each line, as one line when it is not divisible by its units', () => {
  const line = (quantity: number, unitPriceCents: number, discountCents: number) => ({
    title: 'A',
    quantity,
    unitPriceCents,
    discountCents,
  })
  expect(chargedLines([line(3, 1000, 0), line(3, 1000, 300), line(3, 1000, 100), line(1, 1000, 1000)])).toEqual([
    { name: 'A', unitCents: 1000, quantity: 3 },
    { name: 'A', unitCents: 900, quantity: 3 },
    { name: '3 × A', unitCents: 2900, quantity: 1 },
    { name: 'A', unitCents: 0, quantity: 1 },
  ])
})

test('the id of a session tells its mode', () => {
  expect(['cs_test_a1', 'cs_live_a1', 'cs_a1'].map(isLiveSession)).toEqual([false, true, null])
})

test('the shown total is the sent one, or else computed from the sent prices', () => {
  expect(shownTotal({ total: 31.98, cartItems: [{ id: 'a', price: 1, quantity: 1 }] })).toBe(3198)
  expect(shownTotal({ cartItems: [{ id: 'a', price: 19.99, quantity: 1 }] })).toBe(3198)
  expect(shownTotal({ cartItems: [{ id: 'a', quantity: 1 }] })).toBeNull()
  const half = { off: { kind: 'percent', percent: 50 }, courseIds: ['a'] } as const
  expect(shownTotal({ cartItems: [{ id: 'a', price: 100, quantity: 1 }] }, half)).toBe(5000 + 500 + 999)
})

test('a seat code is readable, and accepted in any typed form', () => {
  const code = seatCode(Uint8Array.from({ length: 28 }, (_, index) => index * 21))
  expect(code).toMatch(/^([2-9A-HJ-NP-Z]{4}-){6}[2-9A-HJ-NP-Z]{4}$/)
  expect(readSeatCode(` ${code.toLowerCase().replaceAll('-', ' ')}`)).toBe(code)
  expect(readSeatCode('ABCD-EFGH')).toBeNull()
  expect(readSeatCode('ABCD-EFGH-2345-6789')).toBeNull()
  expect(readSeatCode('ABCD-EFGH-0O1I')).toBeNull()
})

test('a seat code has at least 128 random bits', () => {
  const letters = (bytes: number[]) => seatCode(Uint8Array.from(bytes)).replaceAll('-', '')
  const alphabet = new Set(Array.from({ length: 256 }, (_, byte) => letters([byte])))
  expect(alphabet.size).toBe(32)
  expect(letters(Array.from({ length: SEAT_LETTERS }, () => 0)).length * Math.log2(alphabet.size)).toBeGreaterThan(128)
})

test('a seat code of twelve letters, from before, is accepted', () => {
  expect(readSeatCode('abcd efgh 2345')).toBe('ABCD-EFGH-2345')
})

test('the payment page checks again with growing delays, and stops', () => {
  expect(nextCheckMs(0)).toBe(1000)
  expect(nextCheckMs(11)).toBe(15_000)
  expect(nextCheckMs(12)).toBeNull()
})
