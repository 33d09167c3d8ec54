import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { isUuid } from '../../../lib/ids.ts'
import { parseDollars, type Cents } from '../../../lib/money.ts'
import { mismatches, paymentIssues } from '../orders.ts'
import { OrderLineView, OrderStateName, OrderSummary, OrderView, SeatView } from '../checkout.schema.ts'
import { copy } from './order-admin.copy.ts'

/** Where a page of the list goes on: after this order, newest first. */
export const Cursor = z.string().transform((text, issues) => {
  const [at = '', id = ''] = text.split('~')
  if (isUuid(id) && !Number.isNaN(Date.parse(at))) return { at: new Date(at), id }
  issues.addIssue({ code: 'custom', message: 'must be the end of a page' })
  return z.NEVER
})
export type Cursor = z.output<typeof Cursor>

/** What the list is asked for by its address; a value that does not fit is as good as none. */
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

/** Something that happened to an order: a move, an event of the gateway, or what an admin did. */
export const OrderEvent = z.object({
  at: z.string(),
  kind: z.enum(['move', 'event', 'action']),
  what: z.string(),
  why: z.string(),
})
export type OrderEvent = z.infer<typeof OrderEvent>

export const OrderRecord = OrderView.extend({
  /** Null: the account is deleted. */
  buyerId: z.string().nullable(),
  isLive: z.boolean(),
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

/** A refund as an admin asks for it. The key is made once for each asking, so that a second press asks for the same. */
export const RefundOrder = z.object({
  /** Dollars; null: all that is left. */
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

export const Checked = z.object({
  kind: z.enum(['order', 'mismatch', 'unknown', 'no-session']),
  state: OrderStateName.nullable(),
  why: z.enum(mismatches).nullable(),
})
export type Checked = z.infer<typeof Checked>

export const fail = failureTable({
  'order.other-mode': { status: 409, kind: 'validation', sentence: copy['desk.other-mode.test'] },
  'order.not-refundable': { status: 409, kind: 'validation', sentence: copy['desk.not-refundable'] },
  'order.refund-too-much': { status: 409, kind: 'validation', sentence: copy['desk.refund.too-much'] },
  'order.refund-refused': { status: 502, kind: 'other', sentence: copy['desk.refund.refused'] },
  'order.no-access': { status: 409, kind: 'validation', sentence: copy['desk.no-access'] },
  'order.no-receipt': { status: 409, kind: 'validation', sentence: copy['desk.no-receipt'] },
})
