import { fill } from '../../lib/failure.ts'
import { formatDollars, type Cents } from '../../lib/money.ts'
import { paths } from '../../lib/paths.ts'
import { formatDay } from '../../lib/time.ts'
import { composeEmail } from '../../platform/email-template.server.ts'
import type { Email } from '../../platform/mail.server.ts'
import { copy } from './checkout.copy.ts'
import type { OrderView } from './checkout.schema.ts'

/** The receipt of an order, with the codes of its seats. */
export function receiptEmail(order: OrderView, site: { readonly brand: string; readonly appUrl: string }): Email {
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
