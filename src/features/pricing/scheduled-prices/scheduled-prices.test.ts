import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../../lib/money.ts'
import { after, DAY_MS } from '../../../lib/time.ts'
import { changedPrice, overlap, priceAt, wasPrice, type ScheduledPrice } from './scheduled-prices.ts'

const noon = new Date('2026-11-22T12:00:00Z')
const at = (ms: number) => after(noon, ms)
const scheduledPrice = (more: Partial<ScheduledPrice> & Pick<ScheduledPrice, 'id'>): ScheduledPrice => ({
  kind: 'price',
  cents: cents(2500),
  startsAt: noon,
  endsAt: null,
  state: 'planned',
  ...more,
})
const sale = (more: Partial<ScheduledPrice> & Pick<ScheduledPrice, 'id'>) =>
  scheduledPrice({ kind: 'sale', cents: cents(1500), endsAt: at(1000), ...more })
const stored = { priceCents: cents(2000), regularCents: null }
const priced = (
  scheduledPrices: readonly ScheduledPrice[],
  now: Date,
  from: Parameters<typeof priceAt>[0] = stored,
) => {
  const { priceCents, regularCents } = priceAt(from, scheduledPrices, now)
  return regularCents === null ? [priceCents] : [priceCents, regularCents]
}

test('a scheduled price applies from its instant on, not a millisecond before', () => {
  expect(priced([scheduledPrice({ id: 'a' })], at(-1))).toEqual([2000])
  expect(priced([scheduledPrice({ id: 'a' })], noon)).toEqual([2500])
})

test('a sale applies until just before its end, and then the regular price returns', () => {
  const scheduledPrices = [sale({ id: 's' })]
  expect(priced(scheduledPrices, at(-1))).toEqual([2000])
  expect(priced(scheduledPrices, noon)).toEqual([1500, 2000])
  expect(priced(scheduledPrices, at(999))).toEqual([1500, 2000])
  expect(priced(scheduledPrices, at(1000))).toEqual([2000])
})

test('a price scheduled during a sale applies after the sale', () => {
  const scheduledPrices = [sale({ id: 's' }), scheduledPrice({ id: 'a', startsAt: at(500) })]
  expect(priced(scheduledPrices, at(500))).toEqual([1500, 2500])
  expect(priced(scheduledPrices, at(1000))).toEqual([2500])
})

test('a sale that ends at an instant ends before another begins', () => {
  const scheduledPrices = [
    sale({ id: 'b', cents: cents(1200), startsAt: at(1000), endsAt: at(2000) }),
    sale({ id: 'a' }),
  ]
  expect(priced(scheduledPrices, at(1000))).toEqual([1200, 2000])
  expect(priced(scheduledPrices, at(2000))).toEqual([2000])
})

test('a sale that does not lower the price is skipped', () => {
  expect(priced([sale({ id: 's', cents: cents(2000) })], noon)).toEqual([2000])
})

test('an applied price is not applied again', () => {
  const running = sale({ id: 's', state: 'running' })
  const now = { priceCents: cents(1500), regularCents: cents(2000) }
  expect(priced([running], at(500), now)).toEqual([1500, 2000])
  expect(priced([running], at(1000), now)).toEqual([2000])
  expect(priceAt(now, [running], at(500))).toMatchObject({ begun: false, moved: [] })
  expect(priceAt(now, [running], at(1000)).moved).toEqual([{ id: 's', to: 'done' }])
})

test('a schedule ends at the same price, whenever it is applied in between', () => {
  const step = fc.integer({ min: 0, max: 20 })
  const anyPlan = fc.record({ isSale: fc.boolean(), from: step, length: fc.integer({ min: 1, max: 8 }), price: step })
  fc.assert(
    fc.property(fc.array(anyPlan, { maxLength: 6 }), fc.array(step), step, (wishes, stops, end) => {
      let scheduledPrices: ScheduledPrice[] = wishes.map(({ isSale, from, length, price }, index) =>
        scheduledPrice({
          id: String(index),
          kind: isSale ? 'sale' : 'price',
          cents: cents(1000 + price),
          startsAt: at(from),
          endsAt: isSale ? at(from + length) : null,
        }),
      )
      const atOnce = priceAt(stored, scheduledPrices, at(end))
      let now: Parameters<typeof priceAt>[0] = stored
      for (const stop of [...stops.filter((one) => one < end).sort((a, b) => a - b), end]) {
        const { priceCents, regularCents, moved } = priceAt(now, scheduledPrices, at(stop))
        now = { priceCents, regularCents }
        scheduledPrices = scheduledPrices.flatMap((one) => {
          const to = moved.find(({ id }) => id === one.id)?.to
          return to === 'done' ? [] : [{ ...one, state: to ?? one.state }]
        })
      }
      expect(now).toEqual({ priceCents: atOnce.priceCents, regularCents: atOnce.regularCents })
    }),
  )
})

test('adjacent time spans do not overlap', () => {
  const span = (from: number, to: number) => ({ startsAt: at(from), endsAt: at(to) })
  expect(overlap(span(0, 10), span(10, 20))).toBe(false)
  expect(overlap(span(0, 11), span(10, 20))).toBe(true)
  expect(overlap(span(12, 13), span(10, 20))).toBe(true)
})

test('the struck-through price is the lowest of 30 days, and only where it is known and higher', () => {
  const day = (days: number, price: number) => ({ cents: cents(price), at: at(-days * DAY_MS) })
  const asked = { startsAt: noon, cents: cents(1500) }
  expect(wasPrice([day(40, 2000)], asked)).toBe(2000)
  expect(wasPrice([day(40, 3000), day(10, 1800), day(5, 2500)], asked)).toBe(1800)
  expect(wasPrice([day(60, 1000), day(40, 2000)], asked)).toBe(2000)
  // A price raised the day before the sale does not count.
  expect(wasPrice([day(40, 1500), day(1, 3000)], asked)).toBeNull()
  expect(wasPrice([day(29, 2000)], asked)).toBeNull()
  expect(wasPrice([], asked)).toBeNull()
})

test('a change sets, raises or lowers a price and may round it to the nearest .99', () => {
  const percent = (price: number, by: number, rounding: 'none' | '99' = '99') =>
    changedPrice(cents(price), { kind: 'percent', percent: by, rounding })
  expect(changedPrice(cents(1), { kind: 'set', cents: cents(4999) })).toBe(4999)
  expect(percent(1999, 10, 'none')).toBe(2199)
  expect(percent(1999, 10)).toBe(2199)
  expect(percent(2000, 10)).toBe(2199)
  expect(percent(2000, 12)).toBe(2199)
  expect(percent(2000, 13)).toBe(2299)
  expect(percent(50, -50)).toBe(99)
  expect(percent(0, 50)).toBe(0)
  expect(percent(999_999, 1)).toBeNull()
})
