import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../lib/money.ts'
import {
  freeShippingHint,
  judgeCoupon,
  lineDiscounts,
  quote,
  readCouponCode,
  touchesAny,
  type Coupon,
  type Discount,
} from './quote.ts'

const one = (price: number, quantity = 1) => quote([{ unitPriceCents: cents(price), quantity }])

test('an empty or free cart costs nothing, shipping and tax included', () => {
  expect(quote([]).totalCents).toBe(0)
  expect(one(0, 3).totalCents).toBe(0)
})

test('tax is 10 percent of the subtotal, rounded half up once', () => {
  expect(one(1999)).toMatchObject({ subtotalCents: 1999, taxCents: 200, shippingCents: 999, totalCents: 3198 })
  expect(one(5)).toMatchObject({ taxCents: 1 })
  expect(one(4)).toMatchObject({ taxCents: 0 })
})

test('shipping is free above 50 dollars and due at exactly 50', () => {
  expect(one(4999).shippingCents).toBe(999)
  expect(one(5000).shippingCents).toBe(999)
  expect(one(5001).shippingCents).toBe(0)
})

test('the free-shipping hint shows only between 0 and 50 dollars', () => {
  expect(freeShippingHint(cents(0))).toBeNull()
  expect(freeShippingHint(cents(1))).toBe('Add $49.99 more for free shipping!')
  expect(freeShippingHint(cents(4999))).toBe('Add $0.01 more for free shipping!')
  expect(freeShippingHint(cents(5000))).toBeNull()
})

const percent = (value: number, courseIds: string[] | null = null): Discount => ({
  off: { kind: 'percent', percent: value },
  courseIds,
})
const amount = (value: number, courseIds: string[] | null = null): Discount => ({
  off: { kind: 'amount', amountCents: cents(value) },
  courseIds,
})
const line = (courseId: string, price: number, quantity = 1) => ({
  courseId,
  unitPriceCents: cents(price),
  quantity,
})

test('a discount is subtracted before the free limit and tax, and never goes below zero', () => {
  expect(quote([line('a', 6000)], amount(1000))).toMatchObject({
    subtotalCents: 6000,
    discountCents: 1000,
    taxCents: 500,
    shippingCents: 999,
    totalCents: 6499,
  })
  expect(quote([line('a', 500)], amount(9999))).toMatchObject({ discountCents: 500, shippingCents: 0, totalCents: 0 })
  expect(quote([line('a', 1999)], percent(100)).totalCents).toBe(0)
})

test('a percentage is rounded half up once over all lines', () => {
  // 10% of each 1995 is 199.5; of both it is 399, not twice 200.
  expect(quote([line('a', 1995), line('b', 1995)], percent(10)).discountCents).toBe(399)
  expect(quote([line('a', 1995)], percent(10)).discountCents).toBe(200)
  expect(quote([line('a', 1994)], percent(10)).discountCents).toBe(199)
})

test('a coupon for some courses discounts only their lines', () => {
  const lines = [line('a', 1000, 2), line('b', 5000)]
  expect(quote(lines, percent(50, ['a'])).discountCents).toBe(1000)
  expect(lineDiscounts(lines, percent(50, ['a']))).toEqual([1000, 0])
  expect(quote(lines, amount(3000, ['a'])).discountCents).toBe(2000)
  expect(quote(lines, percent(50, ['c'])).discountCents).toBe(0)
  expect(touchesAny(lines, percent(50, ['c']))).toBe(false)
})

test('leftover cents go to the lines with the largest remainders', () => {
  expect(lineDiscounts([line('a', 1000), line('b', 1000), line('c', 1000)], amount(100))).toEqual([34, 33, 33])
  expect(lineDiscounts([line('a', 100), line('b', 299)], amount(2))).toEqual([1, 1])
  expect(lineDiscounts([line('a', 0), line('b', 299)], amount(2))).toEqual([0, 2])
})

const now = new Date('2026-11-21T12:00:00Z')
const coupon = (more: Partial<Coupon> = {}): Coupon => ({
  code: 'SPRING',
  discount: percent(10),
  startsAt: null,
  endsAt: null,
  useLimit: null,
  isActive: true,
  ...more,
})
const judged = (one: Coupon | null, uses = 0) => {
  const judgement = judgeCoupon(one, { now, uses, lines: [line('a', 1000)] })
  return judgement.kind === 'valid' ? 'valid' : judgement.why
}

test('a refused coupon names its reason', () => {
  expect(judged(null)).toBe('unknown')
  expect(judged(coupon())).toBe('valid')
  expect(judged(coupon({ isActive: false }))).toBe('over')
  expect(judged(coupon({ startsAt: new Date('2026-11-21T12:00:01Z') }))).toBe('not-yet')
  expect(judged(coupon({ startsAt: now, endsAt: new Date('2026-11-21T12:00:01Z') }))).toBe('valid')
  expect(judged(coupon({ endsAt: now }))).toBe('over')
  expect(judged(coupon({ useLimit: 3 }), 2)).toBe('valid')
  expect(judged(coupon({ useLimit: 3 }), 3)).toBe('used-up')
  expect(judged(coupon({ discount: percent(10, ['b']) }))).toBe('not-these')
})

test('a coupon code is accepted in any case and with spaces, and a malformed one is refused', () => {
  expect(readCouponCode(' spring-26 ')).toBe('SPRING-26')
  for (const text of ['', 'AB', '-AB', 'A'.repeat(33), 'SPRING!', 'ΑΒΓ']) expect(readCouponCode(text)).toBeNull()
})

const anyLine = fc.record({
  courseId: fc.constantFrom('a', 'b', 'c', 'd'),
  unitPriceCents: fc.integer({ min: 0, max: 999_999 }).map(cents),
  quantity: fc.integer({ min: 1, max: 100 }),
})
const anyDiscount = fc.record({
  off: fc.oneof(
    fc.record({ kind: fc.constant('percent' as const), percent: fc.integer({ min: 1, max: 100 }) }),
    fc.record({
      kind: fc.constant('amount' as const),
      amountCents: fc.integer({ min: 1, max: 99_999_999 }).map(cents),
    }),
  ),
  courseIds: fc.option(fc.subarray(['a', 'b', 'c', 'd', 'e'], { minLength: 1 })),
})

test('the total is always the sum of its parts, in whole cents', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 20 }), fc.option(anyDiscount), (lines, discount) => {
      const q = quote(lines, discount)
      expect(q.totalCents).toBe(q.subtotalCents - q.discountCents + q.taxCents + q.shippingCents)
      expect(Number.isSafeInteger(q.totalCents) && q.totalCents >= 0).toBe(true)
    }),
  )
})

test('line discounts add up to the discount, and none exceeds its line', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 20 }), anyDiscount, (lines, discount) => {
      const shares = lineDiscounts(lines, discount)
      expect(shares.reduce((total, share) => total + share, 0)).toBe(quote(lines, discount).discountCents)
      for (const [index, share] of shares.entries()) {
        const { unitPriceCents, quantity } = lines[index]!
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(unitPriceCents * quantity)
      }
      const others = shares.filter((_, index) => discount.courseIds?.includes(lines[index]!.courseId) === false)
      expect(others.every((share) => share === 0)).toBe(true)
    }),
  )
})
