import type { PaymentGateway } from '../../features/checkout/payment/stripe-gateway.server.ts'
import type { Tracing } from '../../platform/telemetry/tracing.server.ts'

type Call = (...given: unknown[]) => unknown

/** Each call to the payment provider is a span, named by what we want of it. */
export function tracedPayment(gateway: PaymentGateway, tracing: Tracing): PaymentGateway {
  const traced = Object.entries(gateway).map(([name, value]: [string, unknown]) => {
    // It reads an event that has arrived, and calls nobody.
    if (typeof value !== 'function' || name === 'readEvent') return [name, value]
    const start = { name: `payment ${name}`, kind: 'client', facts: { 'peer.service': gateway.provider } } as const
    return [name, (...given: unknown[]) => tracing.within(start, async () => (value as Call)(...given))]
  })
  return Object.fromEntries(traced) as PaymentGateway
}
