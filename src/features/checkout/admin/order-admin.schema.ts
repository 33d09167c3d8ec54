import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { isUuid } from '../../../lib/ids.ts'
import { parseDollars, type Cents } from '../../../lib/money.ts'
import { isPageInstant } from '../../../lib/paging.ts'
import { mismatches, paymentIssues } from '../orders.ts'
import { OrderLineView, OrderStateName, OrderSummary, OrderView, SeatView } from '../checkout.schema.ts'
import { copy } from './order-admin.copy.ts'

/** The cursor of a page: it begins after this order. */
const Cursor = z.string().transform((text, issues) => {
  const [at = '', id = ''] = text.split('~')
  if (isUuid(id) && isPageInstant(at)) return { at: new Date(at), id }
  issues.addIssue({ code: 'custom', message: 'must be the cursor of a page' })
  return z.NEVER
})
type Cursor = z.output<typeof Cursor>

/** The filter of the list in its address; invalid values are ignored. */
export const OrderFilter = z.object({
  search: z.string().trim().max(200).catch(''),
  state: OrderStateName.nullable().catch(null),
  after: Cursor.nullable().catch(null),
})
export type OrderFilter = z.output<typeof OrderFilter>

const PaymentIssueName = z.enum(paymentIssues)

export const AdminOrder = OrderSummary.extend({
  isLive: z.boolean(),
  paymentIssue: PaymentIssueName.nullable(),
})
export type AdminOrder = z.infer<typeof AdminOrder>

const Grant = z.object({
  holder: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  revokedAt: z.string().nullable(),
})
export type Grant = z.infer<typeof Grant>

/** An entry in the history of an order: a move, a gateway event, or an admin's action. */
export const OrderEvent = z.object({
  at: z.string(),
  kind: z.enum(['move', 'event', 'action']),
  what: z.string(),
  why: z.string(),
})
export type OrderEvent = z.infer<typeof OrderEvent>

export const OrderRecord = OrderView.extend({
  /** Null when the account is deleted. */
  buyerId: z.string().nullable(),
  isLive: z.boolean(),
  provider: z.string(),
  sessionId: z.string().nullable(),
  paymentIntent: z.string().nullable(),
  paymentIssue: PaymentIssueName.nullable(),
  paymentIssueAt: z.string().nullable(),
  lines: z.array(
    OrderLineView.extend({
      grant: Grant.nullable(),
      seats: z.array(SeatView.extend({ grant: Grant.nullable() })),
    }),
  ),
  history: z.array(OrderEvent),
})
export type OrderRecord = z.infer<typeof OrderRecord>

/** An admin's refund. The key is unique for each opened dialog, so that a repeated request refunds once. */
export const RefundOrder = z.object({
  /** Dollars; null refunds the rest. */
  amount: z
    .string()
    .transform((text, issues): Cents => {
      const amount = parseDollars(text)
      if (amount !== null && amount > 0) return amount
      issues.addIssue({ code: 'custom', message: copy['desk.refund.amount.bad'] })
      return z.NEVER
    })
    .nullable(),
  endAccess: z.boolean(),
  key: z.uuid(),
})
export type RefundOrder = z.output<typeof RefundOrder>

export const CheckResult = z.object({
  kind: z.enum(['order', 'mismatch', 'unknown', 'no-session']),
  state: OrderStateName.nullable(),
  why: z.enum(mismatches).nullable(),
})
export type CheckResult = z.infer<typeof CheckResult>

export const fail = failureTable({
  'order.other-mode': { status: 409, kind: 'validation', sentence: copy['desk.other-mode.test'] },
  'order.not-refundable': { status: 409, kind: 'validation', sentence: copy['desk.not-refundable'] },
  'order.refund-too-much': { status: 409, kind: 'validation', sentence: copy['desk.refund.too-much'] },
  'order.refund-waits': { status: 409, kind: 'validation', sentence: copy['desk.refund.waits'] },
  'order.refund-refused': { status: 502, kind: 'other', sentence: copy['desk.refund.refused'] },
  'order.no-access': { status: 409, kind: 'validation', sentence: copy['desk.no-access'] },
  'order.no-receipt': { status: 409, kind: 'validation', sentence: copy['desk.no-receipt'] },
})
