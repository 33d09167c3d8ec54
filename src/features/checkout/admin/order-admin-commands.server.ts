import type { Db } from '../../../db/open.server.ts'
import { fill } from '../../../lib/failure.ts'
import type { UserId } from '../../../lib/ids.ts'
import { cents, formatDollars, type Cents } from '../../../lib/money.ts'
import { after, HOUR_MS, MINUTE_MS } from '../../../lib/time.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { revokeAccess } from '../../access/access-commands.server.ts'
import { receiptEmail } from '../checkout-emails.server.ts'
import { RefundRefused } from '../payment/stripe-gateway.server.ts'
import { listOpenDisputes } from '../payment/payment-queries.server.ts'
import { fulfilOrder, logOtherMode } from '../payment/payment-commands.server.ts'
import { findOrder, listSources, lockOrder, type LockedOrder } from '../orders-queries.server.ts'
import { ABANDONED_AFTER_HOURS, isSettled } from '../orders.ts'
import { fail as failCheckout } from '../checkout.schema.ts'
import type { CheckoutDeps } from '../orders-commands.server.ts'
import { copy } from './order-admin.copy.ts'
import { fail, type Checked, type RefundOrder } from './order-admin.schema.ts'

type RefundRequest = { readonly orderId: string; readonly actorId: UserId; readonly now: Date }

/**
 * Gives money back at the gateway, once for each key, and lets its answer move the order; what the admin decided about access
 * is done with it. The wish is written down before the gateway hears of it.
 * @throws Failure order.not-found, order.other-mode, order.not-refundable, order.refund-too-much, order.refund-refused, payment.away
 */
export async function refundOrder(
  db: Db,
  shop: CheckoutDeps,
  asked: RefundRequest & { readonly wish: RefundOrder },
): Promise<void> {
  const { wish } = asked
  const { paymentIntent, sessionId } = await db.transaction().execute(async (tx) => {
    const order = await getLocked(tx, shop, asked.orderId)
    const leftCents = order.totalCents - order.refundedCents
    if (!isSettled(order.state) || order.paymentIntent === null || order.sessionId === null || leftCents === 0)
      throw fail('order.not-refundable')
    if (wish.amount !== null && wish.amount > leftCents) throw tooMuch(cents(leftCents))
    await note(tx, asked, 'order.refund', {
      amountCents: wish.amount ?? leftCents,
      endAccess: wish.endAccess,
    })
    return { paymentIntent: order.paymentIntent, sessionId: order.sessionId }
  })
  try {
    const key = `refund-${asked.orderId}-${wish.key}`
    await shop.gateway.refund({ paymentIntent, amountCents: wish.amount, key })
  } catch (error) {
    if (!(error instanceof RefundRefused)) throw error
    shop.log.warn({ err: error, orderId: asked.orderId }, 'the gateway refused a refund')
    throw fail('order.refund-refused', { sentence: fill(copy['desk.refund.refused'], { reason: error.message }) })
  }
  // The event says the same; whichever comes first moves the order.
  await fulfilOrder(db, shop, { sessionId, cause: 'refund by admin', now: asked.now })
  if (wish.endAccess) await endIfGiven(db, asked)
}

/**
 * Closes what an order opened, for its buyer and the holders of its seats, whatever became of its money. A second time changes
 * nothing. @throws Failure order.not-found, order.no-access
 */
export async function endAccess(db: Db, asked: RefundRequest): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, asked.orderId)
    if (order === null) throw failCheckout('order.not-found')
    if (!isSettled(order.state)) throw fail('order.no-access')
    await end(tx, order, asked)
  })
}

/** A refund that turned out to be the whole one has ended everything already. */
async function endIfGiven(db: Db, asked: RefundRequest): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, asked.orderId)
    if (order !== null && isSettled(order.state)) await end(tx, order, asked)
  })
}

async function end(tx: Db, order: LockedOrder, asked: RefundRequest): Promise<void> {
  if (order.isAccessEnded) return
  await tx.updateTable('orders').set({ access_ended_at: asked.now }).where('id', '=', order.id).execute()
  await revokeAccess(tx, await listSources(tx, order.id), asked.now)
  await note(tx, asked, 'order.end-access', null)
}

/** @throws Failure order.not-found, order.no-receipt */
export async function resendReceipt(db: Db, shop: CheckoutDeps, asked: RefundRequest): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const order = await findOrder(tx, asked.orderId)
    if (order === null) throw failCheckout('order.not-found')
    if (order.paidAt === null) throw fail('order.no-receipt')
    await note(tx, asked, 'order.resend-receipt', null)
    await shop.mail.send(receiptEmail(order, shop), tx)
  })
}

/**
 * Asks the gateway about one order and brings it to where the gateway says it is.
 * @throws Failure order.not-found, order.other-mode, payment.away
 */
export async function checkOrder(db: Db, shop: CheckoutDeps, asked: RefundRequest): Promise<Checked> {
  const sessionId = await db.transaction().execute(async (tx) => {
    const order = await getLocked(tx, shop, asked.orderId)
    await note(tx, asked, 'order.check', null)
    return order.sessionId
  })
  const known = sessionId ?? (await findSessionOf(db, shop, asked.orderId))
  if (known === null) return { kind: 'no-session', state: null, why: null }
  const [open] = await listOpenDisputes(db, { isLive: shop.gateway.isLive, orderId: asked.orderId })
  const dispute = open === undefined ? null : await shop.gateway.findDispute(open.disputeId)
  const done = await fulfilOrder(db, shop, {
    sessionId: known,
    cause: 'checked by admin',
    now: asked.now,
    ...(dispute === null ? {} : { dispute }),
  })
  if (done.kind === 'order') return { kind: 'order', state: done.order.state, why: null }
  if (done.kind === 'mismatch') return { kind: 'mismatch', state: null, why: done.why }
  return { kind: 'unknown', state: null, why: null }
}

/** The completed session that names an order which never heard of it. */
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

/** An admin has seen to what the shop could not solve. @throws Failure order.not-found */
export async function endPaymentIssue(db: Db, asked: RefundRequest): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, asked.orderId)
    if (order === null) throw failCheckout('order.not-found')
    if (order.paymentIssue === null) return
    await tx
      .updateTable('orders')
      .set({ payment_issue: null, payment_issue_at: null })
      .where('id', '=', asked.orderId)
      .execute()
    await note(tx, asked, 'order.trouble-over', { paymentIssue: order.paymentIssue })
  })
}

/** The order, if the gateway that we talk to is the one that knows it. */
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

async function note(
  tx: Db,
  { orderId, actorId, now }: RefundRequest,
  action: string,
  after: object | null,
): Promise<void> {
  await audit(tx, { at: now, actorId, action, table: 'orders', id: orderId, before: null, after })
}
