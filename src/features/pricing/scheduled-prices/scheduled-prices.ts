import { fill } from '../../../lib/failure.ts'
import { cents, formatDollars, percentOf, type Cents } from '../../../lib/money.ts'
import { DAY_MS, formatInstant } from '../../../lib/time.ts'
import { copy } from './scheduled-prices.copy.ts'
import type { ScheduledPriceView, PricesForm } from './scheduled-prices.schema.ts'

export const PRICE_MAX_CENTS = 999_999
/** A price is shown as the one before only if it was the lowest of so many days. */
export const WAS_PRICE_DAYS = 30
export const PERCENT_MIN = -90
export const PERCENT_MAX = 500

/** What a course costs as it is stored; while a sale runs, with the price that comes back. */
export type StoredPrice = { readonly priceCents: Cents; readonly regularCents: Cents | null }

/** A price from an instant on, or a sale from one instant to just before another. */
export type ScheduledPrice = {
  readonly id: string
  readonly kind: 'price' | 'sale'
  readonly cents: Cents
  readonly startsAt: Date
  readonly endsAt: Date | null
  readonly state: 'planned' | 'running'
}

export type PriceInForce = StoredPrice & {
  /** The sale that runs. */
  readonly sale: ScheduledPrice | null
  /** When that sale began to ask its price, if it begins only now. */
  readonly begun: boolean
  /** Plans that this instant has moved on. */
  readonly moved: readonly { readonly id: string; readonly to: 'running' | 'done' }[]
}

type PriceEvent = { readonly at: Date; readonly scheduledPrice: ScheduledPrice; readonly what: 'end' | 'start' }

/**
 * What is in force at an instant, whatever of the plan has been carried out: the one rule for what is quoted and for what is
 * stored. At the same instant a sale ends before anything begins. A sale that asks no less than the course costs is none.
 */
export function priceAt(stored: StoredPrice, scheduledPrices: readonly ScheduledPrice[], now: Date): PriceInForce {
  let price = stored.priceCents
  let regular = stored.regularCents
  let sale = scheduledPrices.find(({ state }) => state === 'running') ?? null
  const wasRunning = sale
  const states = new Map<string, 'running' | 'done'>()
  for (const { scheduledPrice, what } of priceEventsUntil(scheduledPrices, now)) {
    if (what === 'end') {
      if (sale?.id !== scheduledPrice.id) continue
      price = regular ?? price
      regular = null
      sale = null
      states.set(scheduledPrice.id, 'done')
    } else if (scheduledPrice.kind === 'price') {
      if (sale === null) price = scheduledPrice.cents
      else regular = scheduledPrice.cents
      states.set(scheduledPrice.id, 'done')
    } else if (sale !== null || scheduledPrice.cents >= price) states.set(scheduledPrice.id, 'done')
    else {
      regular = price
      price = scheduledPrice.cents
      sale = scheduledPrice
      states.set(scheduledPrice.id, 'running')
    }
  }
  return {
    priceCents: price,
    regularCents: regular,
    sale,
    begun: sale !== null && sale.id !== wasRunning?.id,
    moved: [...states].map(([id, to]) => ({ id, to })),
  }
}

function priceEventsUntil(scheduledPrices: readonly ScheduledPrice[], now: Date): PriceEvent[] {
  const all = scheduledPrices.flatMap((scheduledPrice): PriceEvent[] => [
    ...(scheduledPrice.state === 'planned'
      ? [{ at: scheduledPrice.startsAt, scheduledPrice, what: 'start' as const }]
      : []),
    ...(scheduledPrice.endsAt === null ? [] : [{ at: scheduledPrice.endsAt, scheduledPrice, what: 'end' as const }]),
  ])
  const order = { end: 0, start: 1 }
  return all
    .filter(({ at }) => at <= now)
    .sort((a, b) => a.at.getTime() - b.at.getTime() || order[a.what] - order[b.what])
}

/** Whether two spans share an instant; each is without its end. */
export function overlap(
  one: { readonly startsAt: Date; readonly endsAt: Date },
  other: { readonly startsAt: Date; readonly endsAt: Date },
): boolean {
  return one.startsAt < other.endsAt && other.startsAt < one.endsAt
}

/** A price that was, and since when. */
export type PastPrice = { readonly cents: Cents; readonly at: Date }

/**
 * The price that may be shown as the one before a sale: the lowest of the 30 days before it. Null where it is not known for
 * all of them, or was no higher.
 */
export function wasPrice(history: readonly PastPrice[], sale: { startsAt: Date; cents: Cents }): Cents | null {
  const from = sale.startsAt.getTime() - WAS_PRICE_DAYS * DAY_MS
  const before = history.filter(({ at }) => at < sale.startsAt)
  const first = before.filter(({ at }) => at.getTime() <= from).sort((a, b) => b.at.getTime() - a.at.getTime())[0]
  if (first === undefined) return null
  const lowest = Math.min(first.cents, ...before.filter(({ at }) => at.getTime() > from).map((one) => one.cents))
  return lowest > sale.cents ? cents(lowest) : null
}

export type PriceChange =
  | { readonly kind: 'set'; readonly cents: Cents }
  | { readonly kind: 'percent'; readonly percent: number; readonly rounding: 'none' | '99' }

/** A price after a change; null: it would be none that a course can have. */
export function changedPrice(price: Cents, change: PriceChange): Cents | null {
  const next = change.kind === 'set' ? change.cents : roundedTo(percentOf(price, 100 + change.percent), change.rounding)
  return next >= 0 && next <= PRICE_MAX_CENTS ? next : null
}

/** The nearest price that ends with .99, the higher of two. What is free stays free. */
function roundedTo(amount: Cents, rounding: 'none' | '99'): Cents {
  if (rounding === 'none' || amount === 0) return amount
  return cents(Math.max(99, Math.round((amount - 99) / 100) * 100 + 99))
}

/** What a plan does, and when. Of a sale that runs, what comes back is said. */
export function describeScheduledPrice(scheduledPrice: ScheduledPriceView, regularCents: number | null): string {
  const price = formatDollars(scheduledPrice.cents as Cents)
  const from = formatInstant(scheduledPrice.startsAt)
  if (scheduledPrice.endsAt === null) return fill(copy['price.planned.price'], { price, from })
  const until = formatInstant(scheduledPrice.endsAt)
  if (scheduledPrice.state !== 'running' || regularCents === null)
    return fill(copy['price.planned.sale'], { price, from, until })
  return fill(copy['price.sale'], { until, price: formatDollars(regularCents as Cents) })
}

/** What learners see beside the price of a sale. */
export function describeWas(wasCents: number | null): string {
  if (wasCents === null) return copy['price.sale.no-was']
  return fill(copy['price.sale.was'], { price: formatDollars(wasCents as Cents) })
}

/** When a change begins and ends, as it is previewed. */
export function describeWhen(when: PricesForm['when']): string {
  if (when.kind === 'now') return copy['price.preview.now']
  if (when.kind === 'from') return fill(copy['price.preview.from-on'], { from: formatInstant(when.startsAt) })
  const until = formatInstant(when.endsAt)
  if (when.startsAt === null) return fill(copy['price.preview.sale-now'], { until })
  return fill(copy['price.preview.sale'], { from: formatInstant(when.startsAt), until })
}
