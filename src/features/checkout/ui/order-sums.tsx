import { fill } from '../../../lib/failure.ts'
import { formatDollars, type Cents } from '../../../lib/money.ts'
import { copy } from '../checkout.copy.ts'
import type { OrderView } from '../checkout.schema.ts'

type Sums = Pick<
  OrderView,
  'subtotalCents' | 'discountCents' | 'couponCode' | 'taxCents' | 'shippingCents' | 'totalCents' | 'refundedCents'
>

/** The sums of an order from the subtotal to the refunded amount. */
export function OrderSums({ order }: { order: Sums }) {
  const rows: readonly (readonly [string, string])[] = [
    [copy['order.subtotal'], dollars(order.subtotalCents)],
    ...(order.discountCents > 0 ? ([[discountLabel(order), `−${dollars(order.discountCents)}`]] as const) : []),
    [copy['order.tax'], dollars(order.taxCents)],
    [copy['order.shipping'], order.shippingCents === 0 ? copy['order.shipping.free'] : dollars(order.shippingCents)],
  ]
  return (
    <dl className="nums mt-3 space-y-1 text-sm">
      {rows.map(([label, amount]) => (
        <div key={label} className="flex justify-between gap-4">
          <dt className="text-soft">{label}</dt>
          <dd className="whitespace-nowrap">{amount}</dd>
        </div>
      ))}
      <div className="flex justify-between gap-4 pt-1 text-lg font-semibold">
        <dt>{copy['order.total']}</dt>
        <dd className="whitespace-nowrap">{dollars(order.totalCents)}</dd>
      </div>
      {order.refundedCents === 0 ? null : (
        <div className="flex justify-between gap-4">
          <dt>{copy['order.refunded']}</dt>
          <dd className="whitespace-nowrap">−{dollars(order.refundedCents)}</dd>
        </div>
      )}
    </dl>
  )
}

function discountLabel({ couponCode }: Sums): string {
  return couponCode === null ? copy['order.discount'] : fill(copy['order.discount.coupon'], { code: couponCode })
}

function dollars(amount: number): string {
  return formatDollars(amount as Cents)
}
