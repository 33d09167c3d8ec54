import { randomInt } from 'node:crypto'
import { z } from 'zod'

const Line = z.object({
  id: z.string(),
  priceId: z.string(),
  productId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  unitCents: z.number(),
  quantity: z.number(),
})

const Metadata = z.record(z.string(), z.string())

const DeclineReason = z.object({ code: z.string(), declineCode: z.string().nullable(), message: z.string() })

const MethodType = z.enum(['card', 'us_bank_account'])

const Method = z.object({
  id: z.string(),
  kind: MethodType,
  holder: z.string().nullable(),
  brand: z.string(),
  last4: z.string(),
  expiryMonth: z.number(),
  expiryYear: z.number(),
})

const Refund = z.object({
  id: z.string(),
  createdAt: z.number(),
  amountCents: z.number(),
  reason: z.string().nullable(),
  metadata: Metadata,
})

const Dispute = z.object({
  id: z.string(),
  createdAt: z.number(),
  status: z.enum(['needs_response', 'won', 'lost']),
})

/** A checkout session with its payment, refunds and dispute, as stored in the database. Instants are Unix seconds. */
export const Payment = z.object({
  id: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
  status: z.enum(['open', 'complete', 'expired']),
  isPaid: z.boolean(),
  currency: z.string(),
  lines: z.array(Line),
  url: z.string(),
  successUrl: z.string(),
  cancelUrl: z.string().nullable(),
  clientReferenceId: z.string().nullable(),
  customerEmail: z.string().nullable(),
  customerCreation: z.string().nullable(),
  locale: z.string().nullable(),
  submitType: z.string().nullable(),
  /** The methods that the shop allows; null for all. */
  methodTypes: z.array(MethodType).nullable(),
  metadata: Metadata,
  intentMetadata: Metadata,
  intentDescription: z.string().nullable(),
  payerEmail: z.string().nullable(),
  method: Method.nullable(),
  intent: z
    .object({
      id: z.string(),
      createdAt: z.number(),
      status: z.enum(['requires_payment_method', 'requires_action', 'processing', 'succeeded']),
      failing: DeclineReason.nullable(),
    })
    .nullable(),
  charge: z
    .object({ id: z.string(), createdAt: z.number(), status: z.enum(['pending', 'succeeded', 'failed']) })
    .nullable(),
  refunds: z.array(Refund),
  dispute: Dispute.nullable(),
})
export type Payment = z.infer<typeof Payment>
export type PaymentLine = z.infer<typeof Line>
export type PaymentRefund = z.infer<typeof Refund>
export type PaymentDispute = z.infer<typeof Dispute>
type DeclineReason = z.infer<typeof DeclineReason>

export function offeredMethods(payment: Payment): readonly z.infer<typeof MethodType>[] {
  return payment.methodTypes ?? MethodType.options
}

export function totalCents(payment: Payment): number {
  return payment.lines.reduce((sum, line) => sum + line.unitCents * line.quantity, 0)
}

export function refundedCents(payment: Payment): number {
  return payment.refunds.reduce((sum, refund) => sum + refund.amountCents, 0)
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An unguessable id in Stripe's format, such as `cs_test_a1B2…`. */
export function newId(prefix: string, length = 24): string {
  return `${prefix}_${Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')}`
}
