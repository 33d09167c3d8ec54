import type { DisputeFacts, OrderState, PaymentFacts } from './orders.ts'

/**
 * Histories of one payment at the provider, and the order in which the shop learns of them. Events are delivered late, twice
 * and in any order, between visits of the success page and runs of the repair job. A slow reply of the provider may show an
 * older state than a reply that came before it.
 */

type Happening =
  | 'pays by card'
  | 'pays later'
  | 'later payment arrives'
  | 'later payment fails'
  | 'expires'
  | 'part is refunded'
  | 'all is refunded'
  | 'dispute opens'
  | 'dispute is won'
  | 'dispute is lost'

const kinds: Record<Happening, string> = {
  'pays by card': 'checkout.session.completed',
  'pays later': 'checkout.session.completed',
  'later payment arrives': 'checkout.session.async_payment_succeeded',
  'later payment fails': 'checkout.session.async_payment_failed',
  expires: 'checkout.session.expired',
  'part is refunded': 'charge.refunded',
  'all is refunded': 'charge.refunded',
  'dispute opens': 'charge.dispute.created',
  'dispute is won': 'charge.dispute.closed',
  'dispute is lost': 'charge.dispute.closed',
}

/** The provider's state after something happened. */
export type ProviderState = {
  readonly payment: Pick<PaymentFacts, 'status' | 'isPaid' | 'hasFailed' | 'refundedCents'>
  readonly dispute: DisputeFacts['state'] | null
}

const START: ProviderState = {
  payment: { status: 'open', isPaid: false, hasFailed: false, refundedCents: 0 },
  dispute: null,
}

/** What may happen next at the provider. */
function possible({ payment, dispute }: ProviderState, totalCents: number): Happening[] {
  if (payment.status === 'open') return ['pays by card', 'pays by card', 'pays later', 'expires']
  if (payment.status === 'expired' || payment.hasFailed) return []
  if (!payment.isPaid) return ['later payment arrives', 'later payment arrives', 'later payment fails']
  const next: Happening[] = payment.refundedCents < totalCents ? ['part is refunded', 'all is refunded'] : []
  if (dispute === null) next.push('dispute opens')
  if (dispute === 'open') next.push('dispute is won', 'dispute is lost')
  return next
}

function afterIt(happening: Happening, { payment, dispute }: ProviderState, totalCents: number): ProviderState {
  const changed = (change: Partial<ProviderState['payment']>) => ({ payment: { ...payment, ...change }, dispute })
  switch (happening) {
    case 'pays by card':
      return changed({ status: 'complete', isPaid: true })
    case 'pays later':
      return changed({ status: 'complete' })
    case 'later payment arrives':
      return changed({ isPaid: true })
    case 'later payment fails':
      return changed({ hasFailed: true })
    case 'expires':
      return changed({ status: 'expired' })
    case 'part is refunded':
      return changed({ refundedCents: Math.min(totalCents, payment.refundedCents + Math.ceil(totalCents / 4)) })
    case 'all is refunded':
      return changed({ refundedCents: totalCents })
    case 'dispute opens':
      return { payment, dispute: 'open' }
    case 'dispute is won':
      return { payment, dispute: 'won' }
    case 'dispute is lost':
      return { payment, dispute: 'lost' }
  }
}

/**
 * A reason for the shop to check the payment (an event, the success page or the repair job), and the states with which the
 * provider replies.
 */
export type Look = {
  readonly event: { readonly id: string; readonly kind: string } | null
  readonly told: ProviderState
}

export type History = {
  readonly happenings: readonly Happening[]
  readonly looks: readonly Look[]
  readonly end: ProviderState
}

/** A random history. In its last check the provider replies with the final state. */
export function historyOf(random: () => number, totalCents: number, name: string): History {
  const below = (count: number) => Math.floor(random() * count)
  const states = [START]
  const happenings: Happening[] = []
  const steps = 1 + below(6)
  for (let step = 0; step < steps; step += 1) {
    const next = possible(states.at(-1)!, totalCents)
    const happening = next[below(next.length)]
    if (happening === undefined) break
    happenings.push(happening)
    states.push(afterIt(happening, states.at(-1)!, totalCents))
  }
  const looks: { place: number; look: Look }[] = []
  const add = (event: Look['event'], since: number) => {
    const told = states[since + below(states.length - since)]!
    looks.push({ place: random(), look: { event, told } })
  }
  for (const [index, happening] of happenings.entries()) {
    const event = { id: `evt_${name}_${index}`, kind: kinds[happening] }
    // An event arrives after the change that it reports, one to three times.
    for (let times = 1 + below(3); times > 0; times -= 1) add(event, index + 1)
  }
  for (let pages = below(4); pages > 0; pages -= 1) add(null, 0)
  const inOrder = looks.sort((a, b) => a.place - b.place).map(({ look }) => look)
  const end = states.at(-1)!
  return { happenings, looks: [...inOrder, { event: null, told: end }], end }
}

/** The states of an order that the provider's last state allows. */
export function expectedStates({ payment, dispute }: ProviderState, totalCents: number): readonly OrderState[] {
  if (!payment.isPaid) return [payment.status === 'expired' ? 'expired' : payment.hasFailed ? 'failed' : 'pending']
  if (dispute === 'lost' || payment.refundedCents >= totalCents) return ['refunded']
  if (dispute === 'open') return ['disputed']
  return [payment.refundedCents > 0 ? 'partly_refunded' : 'paid']
}
