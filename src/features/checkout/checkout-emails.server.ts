import { fill } from '../../lib/failure.ts'
import { formatDollars, type Cents } from '../../lib/money.ts'
import { paths } from '../../lib/paths.ts'
import { formatDay, formatInstant } from '../../lib/time.ts'
import { composeEmail } from '../../platform/email-template.server.ts'
import type { Email } from '../../platform/mail.server.ts'
import { copy } from './checkout.copy.ts'
import type { OrderView } from './checkout.schema.ts'

type Site = { readonly brand: string; readonly appUrl: string }

/** A course of a refunded order, and until when its buyer still has it; null when the access has ended. */
export type RefundedCourse = { readonly title: string; readonly until: Date | null }

type RefundNews = {
  readonly refunded: Cents
  readonly courses: readonly RefundedCourse[]
  readonly endedAt: Date
  /** Whether the seats of the order can no longer be redeemed. */
  readonly areSeatsVoid: boolean
}

/** Says what was refunded, and which access ends when. */
export function refundEmail(order: OrderView, news: RefundNews, site: Site): Email {
  const amounts = { amount: formatDollars(news.refunded), total: formatDollars(order.totalCents as Cents) }
  const isWhole = news.refunded === order.totalCents
  const hasSeats = order.lines.some((line) => line.seats.length > 0)
  return composeEmail({
    to: order.buyer.email,
    subject: fill(copy['refund.subject'], { brand: site.brand, ...amounts }),
    name: order.buyer.name,
    lines: [
      fill(copy[isWhole ? 'refund.line.whole' : 'refund.line.part'], amounts),
      copy['refund.line.bank'],
      ...news.courses.map(({ title, until }) =>
        until === null
          ? fill(copy['refund.line.ended'], { title, at: formatInstant(news.endedAt) })
          : fill(copy['refund.line.kept'], { title, at: formatInstant(until) }),
      ),
      ...(hasSeats && news.areSeatsVoid ? [copy['refund.line.seats']] : []),
      ...(news.courses.some(({ until }) => until === null) ? [copy['refund.line.results']] : []),
    ],
    action: { label: copy['receipt.action'], url: `${site.appUrl}${paths.order(order.id)}` },
    brand: site.brand,
  })
}

/** The parts of an order that its receipt names. */
export type Receipt = Pick<
  OrderView,
  | 'id'
  | 'buyer'
  | 'createdAt'
  | 'paidAt'
  | 'subtotalCents'
  | 'discountCents'
  | 'couponCode'
  | 'taxCents'
  | 'shippingCents'
  | 'totalCents'
> & {
  readonly lines: readonly (Pick<OrderView['lines'][number], 'title' | 'quantity' | 'unitPriceCents'> & {
    readonly id?: string
    readonly seats: readonly { readonly code: string }[]
  })[]
}

/** The receipt of an order, with the codes of its seats. */
export function receiptEmail(order: Receipt, site: Site): Email {
  const dollars = (amount: number) => formatDollars(amount as Cents)
  const seats = order.lines.flatMap((line) => line.seats.map((seat) => ({ title: line.title, code: seat.code })))
  return composeEmail({
    to: order.buyer.email,
    subject: fill(copy['receipt.subject'], { brand: site.brand }),
    name: order.buyer.name,
    lines: [
      fill(copy['receipt.line.thanks'], {
        total: dollars(order.totalCents),
        day: formatDay(order.paidAt ?? order.createdAt),
      }),
      ...order.lines.map((line) => `${line.quantity} × ${line.title}: ${dollars(line.unitPriceCents * line.quantity)}`),
      ...(order.discountCents === 0
        ? []
        : [
            `${fill(copy['order.discount.coupon'], { code: order.couponCode ?? '' })}: −${dollars(order.discountCents)}.`,
          ]),
      `${copy['order.tax']}: ${dollars(order.taxCents)}. ${copy['order.shipping']}: ${dollars(order.shippingCents)}. ${copy['order.total']}: ${dollars(order.totalCents)}.`,
      copy['receipt.line.access'],
      ...(seats.length === 0 ? [] : [copy['receipt.line.seats']]),
      ...seats.map(({ title, code }) => `${title}: ${site.appUrl}${paths.redeem(code)}`),
    ],
    action: { label: copy['receipt.action'], url: `${site.appUrl}${paths.order(order.id)}` },
    brand: site.brand,
  })
}
