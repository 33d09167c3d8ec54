import { fill } from '../../../../lib/failure.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { copy as checkoutCopy } from '../../checkout.copy.ts'
import { OrderStateName } from '../../checkout.schema.ts'
import { actionText, copy } from '../order-admin.copy.ts'
import type { OrderEvent } from '../order-admin.schema.ts'

/** The history of an order in chronological order. */
export function OrderHistory({ events }: { events: readonly OrderEvent[] }) {
  return (
    <ol className="mt-3 space-y-3 border-l border-line pl-4">
      {events.map((event) => (
        <li key={`${event.at} ${event.kind} ${event.what} ${event.why}`} className="text-sm">
          <p className={event.kind === 'move' ? 'font-semibold' : ''}>{describe(event)}</p>
          <p className="nums break-all text-soft">
            {formatInstant(event.at)}
            {event.why === '' ? null : `, ${event.why}`}
          </p>
        </li>
      ))}
    </ol>
  )
}

function describe({ kind, what }: OrderEvent): string {
  if (kind === 'event') return fill(copy['desk.happened.event'], { kind: what })
  if (kind === 'action') return actionText[what] ?? what
  const [from = '', to] = what.split(' ')
  return to === undefined
    ? stateText(from)
    : fill(copy['desk.happened.move'], { from: stateText(from), to: stateText(to) })
}

function stateText(state: string): string {
  const known = OrderStateName.safeParse(state)
  return known.success ? checkoutCopy[`order.state.${known.data}`] : state
}
