import type { Db } from '../../../db/open.server.ts'
import { fill } from '../../../lib/failure.ts'
import type { UserId } from '../../../lib/ids.ts'
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
 * so. The audit entry is stored before the gateway is called.
 * @throws Failure order.not-found, order.other-mode, order.not-refundable, order.refund-too-much, order.refund-refused, payment.away
 */
export async function refundOrder(
  db: Db,
  shop: CheckoutDeps,
  action: OrderAction & { readonly refund: RefundOrder },
): Promise<void> {
  const { refund } = action
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
    await setEndingAccess(tx, action.orderId, refund.endAccess ? action.actorId : null)
    return { paymentIntent: order.paymentIntent, sessionId: order.sessionId }
  })
  try {
    const key = `refund-${action.orderId}-${refund.key}`
    await shop.gateway.refund({ paymentIntent, amountCents: refund.amount, key })
  } catch (error) {
    if (!(error instanceof RefundRefused)) throw error
    await setEndingAccess(db, action.orderId, null)
    shop.log.warn({ err: error, orderId: action.orderId }, 'the gateway refused a refund')
    throw fail('order.refund-refused', { sentence: fill(copy['desk.refund.refused'], { reason: error.message }) })
  }
  // The webhook reports the same refund; the first of the two moves the order, ends its access and emails the buyer.
  await fulfilOrder(db, shop, { sessionId, cause: 'refund by admin', now: action.now })
}

async function setEndingAccess(db: Db, orderId: string, adminId: UserId | null): Promise<void> {
  await db.updateTable('orders').set({ ending_access_by: adminId }).where('id', '=', orderId).execute()
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
