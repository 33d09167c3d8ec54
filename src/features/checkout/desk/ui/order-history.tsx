import { fill } from '../../../../lib/failure.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { copy as checkoutCopy } from '../../copy.ts'
import { OrderStateName } from '../../schema.ts'
import { actionText, copy } from '../copy.ts'
import type { Happening } from '../schema.ts'

/** Moves, events and what admins did, as they came. */
export function OrderHistory({ happenings }: { happenings: readonly Happening[] }) {
  return (
    <ol className="mt-3 space-y-3 border-l border-line pl-4">
      {happenings.map((happening) => (
        <li key={`${happening.at} ${happening.kind} ${happening.what} ${happening.why}`} className="text-sm">
          <p className={happening.kind === 'move' ? 'font-semibold' : ''}>{describe(happening)}</p>
          <p className="nums break-all text-soft">
            {formatInstant(happening.at)}
            {happening.why === '' ? null : `, ${happening.why}`}
          </p>
        </li>
      ))}
    </ol>
  )
}

function describe({ kind, what }: Happening): string {
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
