import { copy } from '../checkout.copy.ts'
import type { OrderState } from '../orders.ts'

const tones: Record<OrderState, string> = {
  pending: 'bg-flag-soft text-flag',
  paid: 'bg-good-soft text-good',
  expired: 'bg-sunken text-soft',
  failed: 'bg-bad-soft text-bad',
  partly_refunded: 'bg-flag-soft text-flag',
  refunded: 'bg-sunken text-soft',
  disputed: 'bg-bad-soft text-bad',
}

/** The state of an order as a colored label. */
export function OrderStateMark({ state }: { state: OrderState }) {
  return (
    <span className={`inline-block rounded-sm px-2 py-0.5 text-xs font-semibold whitespace-nowrap ${tones[state]}`}>
      {copy[`order.state.${state}`]}
    </span>
  )
}
