import type { Db } from '../../../db/open.server.ts'
import { fill } from '../../../lib/failure.ts'
import { cents, formatDollars, type Cents } from '../../../lib/money.ts'
import { after, HOUR_MS, MINUTE_MS } from '../../../lib/time.ts'
import { type AdminAction, audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { fail as failPlatform } from '../../../platform/request-failures.ts'
import { receiptEmail } from '../checkout-emails.server.ts'
import { RefundRefused } from '../payment/stripe-gateway.server.ts'
import { listOpenDisputes } from '../payment/payment-queries.server.ts'
import { fulfilOrder, logOtherMode } from '../payment/payment-commands.server.ts'
import { findOrder, lockOrder, type LockedOrder } from '../orders-queries.server.ts'
import { ABANDONED_AFTER_HOURS, isSettled } from '../orders.ts'
import { fail as failCheckout } from '../checkout.schema.ts'
import { endOrderAccess, type CheckoutDeps } from '../orders-commands.server.ts'
import { copy } from './order-admin.copy.ts'
import { fail, type CheckResult, type RefundOrder } from './order-admin.schema.ts'

type OrderAction = AdminAction & { readonly orderId: string }

/**
 * Refunds an order at the gateway, once per key, moves the order as the gateway then reports, and ends access if the admin chose
 * so. The audit entry is stored before the gateway is called. One refund of an order at a time: each keeps its own choice about access.
 * @throws Failure order.not-found, order.other-mode, order.not-refundable, order.refund-too-much, order.refund-waits,
 * order.refund-refused, payment.away
 */
export async function refundOrder(db: Db, shop: CheckoutDeps, action: Refunding): Promise<void> {
  const { refund } = action
  await settleUnheardRefund(db, shop, action)
  const { paymentIntent, sessionId } = await db.transaction().execute(async (tx) => {
    const order = await getLocked(tx, shop, action.orderId)
    const leftCents = order.totalCents - order.refundedCents
    if (!isSettled(order.state) || order.paymentIntent === null || order.sessionId === null || leftCents === 0)
      throw fail('order.not-refundable')
    if (refund.amount !== null && refund.amount > leftCents) throw tooMuch(cents(leftCents))
    const amountCents = refund.amount ?? leftCents
    const isEnding = refund.endAccess || amountCents === leftCents
    await auditOrder(tx, action, 'order.refund', {
      amountCents,
      access: copy[isEnding ? 'desk.refund.access.ended' : 'desk.refund.access.kept'],
    })
    await claimRefund(tx, action)
    return { paymentIntent: order.paymentIntent, sessionId: order.sessionId }
  })
  try {
    const key = `refund-${action.orderId}-${refund.key}`
    await shop.gateway.refund({ paymentIntent, amountCents: refund.amount, key })
  } catch (error) {
    if (!(error instanceof RefundRefused)) throw error
    await releaseRefund(db, action, { ending_access_by: null })
    shop.log.warn({ err: error, orderId: action.orderId }, 'the gateway refused a refund')
    throw fail('order.refund-refused', { sentence: fill(copy['desk.refund.refused'], { reason: error.message }) })
  }
  // The webhook reports the same refund; the first of the two moves the order, ends its access and emails the buyer.
  await fulfilOrder(db, shop, { sessionId, cause: 'refund by admin', now: action.now })
  await releaseRefund(db, action)
}

/** After this, a refund to which the gateway has not answered no longer holds up another one. */
const REFUND_WAIT_MS = MINUTE_MS

type Refunding = OrderAction & { readonly refund: RefundOrder }

/** @throws Failure order.refund-waits while another refund of the order waits for the gateway */
async function claimRefund(tx: Db, { orderId, actorId, refund, now }: Refunding): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('orders')
    .set({ refunding_key: refund.key, refunding_at: now, ending_access_by: refund.endAccess ? actorId : null })
    .where('id', '=', orderId)
    .where((eb) =>
      eb.or([
        eb('refunding_key', 'is', null),
        eb('refunding_key', '=', refund.key),
        eb('refunding_at', '<=', after(now, -REFUND_WAIT_MS)),
      ]),
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw fail('order.refund-waits')
}

async function releaseRefund(
  db: Db,
  { orderId, refund }: Refunding,
  outcome: { readonly ending_access_by?: null } = {},
): Promise<void> {
  await db
    .updateTable('orders')
    .set({ refunding_key: null, refunding_at: null, ...outcome })
    .where('id', '=', orderId)
    .where('refunding_key', '=', refund.key)
    .execute()
}

/** An earlier refund that was to end access, and of which nobody heard the outcome, ends it before another one has its own choice. */
async function settleUnheardRefund(db: Db, shop: CheckoutDeps, { orderId, refund, now }: Refunding): Promise<void> {
  const order = await db
    .selectFrom('orders')
    .where('id', '=', orderId)
    .where('ending_access_by', 'is not', null)
    .where('refunding_key', 'is distinct from', refund.key)
    .select('gateway_session_id as sessionId')
    .executeTakeFirst()
  if (order === undefined || order.sessionId === null) return
  await fulfilOrder(db, shop, { sessionId: order.sessionId, cause: 'refund by admin', now })
}

/**
 * Ends the access of an order, for its buyer and the users of its seats, with or without a refund. Repeating it changes nothing.
 * @throws Failure order.not-found, order.no-access
 */
export async function endAccess(db: Db, action: OrderAction): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, action.orderId)
    if (order === null) throw failCheckout('order.not-found')
    if (!isSettled(order.state)) throw fail('order.no-access')
    await endOrderAccess(tx, order, { actorId: action.actorId, action: 'order.end-access', now: action.now })
  })
}

/** @throws Failure order.not-found, order.no-receipt */
export async function resendReceipt(db: Db, shop: CheckoutDeps, action: OrderAction): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const order = await findOrder(tx, action.orderId)
    if (order === null) throw failCheckout('order.not-found')
    if (order.paidAt === null) throw fail('order.no-receipt')
    await auditOrder(tx, action, 'order.resend-receipt', null)
    const email = { ...receiptEmail(order, shop), limitedAs: 'receipt' } as const
    if (!(await shop.mail.send(email, tx))) throw failPlatform('mail.too-many')
  })
}

/**
 * Asks the gateway about an order and moves it to the reported state.
 * @throws Failure order.not-found, order.other-mode, payment.away
 */
export async function checkOrder(db: Db, shop: CheckoutDeps, action: OrderAction): Promise<CheckResult> {
  const sessionId = await db.transaction().execute(async (tx) => {
    const order = await getLocked(tx, shop, action.orderId)
    await auditOrder(tx, action, 'order.check', null)
    return order.sessionId
  })
  const known = sessionId ?? (await findSessionOf(db, shop, action.orderId))
  if (known === null) return { kind: 'no-session', state: null, why: null }
  const [open] = await listOpenDisputes(db, { isLive: shop.gateway.isLive, orderId: action.orderId })
  const dispute = open === undefined ? null : await shop.gateway.findDispute(open.disputeId)
  const done = await fulfilOrder(db, shop, {
    sessionId: known,
    cause: 'checked by admin',
    now: action.now,
    ...(dispute === null ? {} : { dispute }),
  })
  if (done.kind === 'order') return { kind: 'order', state: done.order.state, why: null }
  if (done.kind === 'mismatch') return { kind: 'mismatch', state: null, why: done.why }
  return { kind: 'unknown', state: null, why: null }
}

/** The completed session of an order that did not store it. */
async function findSessionOf(db: Db, shop: CheckoutDeps, orderId: string): Promise<string | null> {
  const order = await findOrder(db, orderId)
  if (order === null || order.totalCents === 0) return null
  const placedAt = new Date(order.createdAt)
  const completed = await shop.gateway.listCompleted(
    after(placedAt, -5 * MINUTE_MS),
    after(placedAt, ABANDONED_AFTER_HOURS * HOUR_MS),
  )
  return completed.find((session) => session.orderId === orderId)?.sessionId ?? null
}

/** Clears a payment issue that an admin has resolved. @throws Failure order.not-found */
export async function endPaymentIssue(db: Db, action: OrderAction): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, action.orderId)
    if (order === null) throw failCheckout('order.not-found')
    if (order.paymentIssue === null) return
    await tx
      .updateTable('orders')
      .set({ payment_issue: null, payment_issue_at: null })
      .where('id', '=', action.orderId)
      .execute()
    await auditOrder(tx, action, 'order.trouble-over', { paymentIssue: order.paymentIssue })
  })
}

/** Locks an order. @throws Failure order.not-found; order.other-mode when the order and the gateway's key differ in mode */
async function getLocked(tx: Db, shop: CheckoutDeps, orderId: string): Promise<LockedOrder> {
  const order = await lockOrder(tx, orderId)
  if (order === null) throw failCheckout('order.not-found')
  if (order.isLive === shop.gateway.isLive) return order
  logOtherMode(shop, { orderId })
  throw fail('order.other-mode', { sentence: copy[order.isLive ? 'desk.other-mode.live' : 'desk.other-mode.test'] })
}

function tooMuch(left: Cents) {
  const sentence = fill(copy['desk.refund.too-much'], { left: formatDollars(left) })
  return fail('order.refund-too-much', { sentence, fields: [{ field: 'amount', message: sentence }] })
}

async function auditOrder(
  tx: Db,
  { orderId, actorId, now }: OrderAction,
  name: string,
  after: object | null,
): Promise<void> {
  await audit(tx, { at: now, actorId, action: name, table: 'orders', id: orderId, before: null, after })
}
