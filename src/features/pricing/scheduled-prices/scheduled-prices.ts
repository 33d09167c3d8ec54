import { fill } from '../../../lib/failure.ts'
import { cents, formatDollars, percentOf, type Cents } from '../../../lib/money.ts'
import { DAY_MS, formatInstant } from '../../../lib/time.ts'
import { copy } from './scheduled-prices.copy.ts'
import type { ScheduledPriceView, PricesForm } from './scheduled-prices.schema.ts'

export const PRICE_MAX_CENTS = 999_999
/** A struck-through price is the lowest of this many days before the sale. */
export const WAS_PRICE_DAYS = 30
export const PERCENT_MIN = -90
export const PERCENT_MAX = 500

/** A course's stored price. During a sale `regularCents` is the price that returns afterwards. */
export type StoredPrice = { readonly priceCents: Cents; readonly regularCents: Cents | null }

/** A price from `startsAt` on, or a sale until just before `endsAt`. */
export type ScheduledPrice = {
  readonly id: string
  readonly kind: 'price' | 'sale'
  readonly cents: Cents
  readonly startsAt: Date
  readonly endsAt: Date | null
  readonly state: 'planned' | 'running'
}

type PriceInForce = StoredPrice & {
  /** The running sale. */
  readonly sale: ScheduledPrice | null
  /** Whether that sale starts with this evaluation. */
  readonly begun: boolean
  /** Scheduled prices whose state changes. */
  readonly moved: readonly { readonly id: string; readonly to: 'running' | 'done' }[]
}

type PriceEvent = { readonly at: Date; readonly scheduledPrice: ScheduledPrice; readonly kind: 'end' | 'start' }

/**
 * The price in force at an instant, whether or not due changes are applied yet. Quotes and the job that stores prices share this
 * rule. At the same instant a sale ends before another change begins. A sale that does not lower the price is skipped.
 */
export function priceAt(stored: StoredPrice, scheduledPrices: readonly ScheduledPrice[], now: Date): PriceInForce {
  let price = stored.priceCents
  let regular = stored.regularCents
  let sale = scheduledPrices.find(({ state }) => state === 'running') ?? null
  const wasRunning = sale
  const states = new Map<string, 'running' | 'done'>()
  for (const { scheduledPrice, kind } of priceEventsUntil(scheduledPrices, now)) {
    if (kind === 'end') {
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
      ? [{ at: scheduledPrice.startsAt, scheduledPrice, kind: 'start' as const }]
      : []),
    ...(scheduledPrice.endsAt === null ? [] : [{ at: scheduledPrice.endsAt, scheduledPrice, kind: 'end' as const }]),
  ])
  const order = { end: 0, start: 1 }
  return all
    .filter(({ at }) => at <= now)
    .sort((a, b) => a.at.getTime() - b.at.getTime() || order[a.kind] - order[b.kind])
}

/** Whether two half-open time spans overlap. */
export function overlap(
  one: { readonly startsAt: Date; readonly endsAt: Date },
  other: { readonly startsAt: Date; readonly endsAt: Date },
): boolean {
  return one.startsAt < other.endsAt && other.startsAt < one.endsAt
}

/** A past price and the instant from which it applied. */
export type PastPrice = { readonly cents: Cents; readonly at: Date }

/**
 * The price to strike through during a sale: the lowest of the 30 days before it. Null when the history does not cover all 30
 * days, or when that price is not higher than the sale's.
 */
export function wasPrice(history: readonly PastPrice[], sale: { startsAt: Date; cents: Cents }): Cents | null {
  const from = sale.startsAt.getTime() - WAS_PRICE_DAYS * DAY_MS
  const before = history.filter(({ at }) => at < sale.startsAt)
  const first = before.filter(({ at }) => at.getTime() <= from).sort((a, b) => b.at.getTime() - a.at.getTime())[0]
  if (first === undefined) return null
  const lowest = Math.min(first.cents, ...before.filter(({ at }) => at.getTime() > from).map((price) => price.cents))
  return lowest > sale.cents ? cents(lowest) : null
}

export type PriceChange =
  | { readonly kind: 'set'; readonly cents: Cents }
  | { readonly kind: 'percent'; readonly percent: number; readonly rounding: 'none' | '99' }

/** A price after a change; null when it is outside the allowed range. */
export function changedPrice(price: Cents, change: PriceChange): Cents | null {
  const next = change.kind === 'set' ? change.cents : roundedTo(percentOf(price, 100 + change.percent), change.rounding)
  return next >= 0 && next <= PRICE_MAX_CENTS ? next : null
}

/** The nearest price that ends with .99, or the higher of two equally near ones. A price of zero stays zero. */
function roundedTo(amount: Cents, rounding: 'none' | '99'): Cents {
  if (rounding === 'none' || amount === 0) return amount
  return cents(Math.max(99, Math.round((amount - 99) / 100) * 100 + 99))
}

/** Describes a scheduled price; for a running sale, with the price that returns. */
export function describeScheduledPrice(scheduledPrice: ScheduledPriceView, regularCents: number | null): string {
  const price = formatDollars(scheduledPrice.cents as Cents)
  const from = formatInstant(scheduledPrice.startsAt)
  if (scheduledPrice.endsAt === null) return fill(copy['price.planned.price'], { price, from })
  const until = formatInstant(scheduledPrice.endsAt)
  if (scheduledPrice.state !== 'running' || regularCents === null)
    return fill(copy['price.planned.sale'], { price, from, until })
  return fill(copy['price.sale'], { until, price: formatDollars(regularCents as Cents) })
}

/** Describes the struck-through price that learners see. */
export function describeWas(wasCents: number | null): string {
  if (wasCents === null) return copy['price.sale.no-was']
  return fill(copy['price.sale.was'], { price: formatDollars(wasCents as Cents) })
}

/** Describes the time of a previewed change. */
export function describeWhen(when: PricesForm['when']): string {
  if (when.kind === 'now') return copy['price.preview.now']
  if (when.kind === 'from') return fill(copy['price.preview.from-on'], { from: formatInstant(when.startsAt) })
  const until = formatInstant(when.endsAt)
  if (when.startsAt === null) return fill(copy['price.preview.sale-now'], { until })
  return fill(copy['price.preview.sale'], { from: formatInstant(when.startsAt), until })
}
