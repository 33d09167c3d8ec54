import type { Db } from '../../../db/open.server.ts'
import { isUuid, type OrderId, type UserId } from '../../../lib/ids.ts'
import { after, DAY_MS } from '../../../lib/time.ts'
import { restoreAccess, revokeAccess } from '../../access/access-commands.server.ts'
import {
  findOrder,
  findOrderOwner,
  listSources,
  lockOrder,
  type LockedOrder,
  type OrderOwner,
} from '../orders-queries.server.ts'
import {
  isLiveSession,
  isSettled,
  mayResolve,
  mismatch,
  movesTo,
  type DisputeTruth,
  type Mismatch,
  type PaymentIssue,
} from '../orders.ts'
import { closeOrder, fulfilFromGateway, moveOrder, type CheckoutDeps } from '../orders-commands.server.ts'
import type { GatewayEvent } from './stripe-gateway.server.ts'
import {
  listOpenDisputes,
  listOpenOrders,
  listOutOfReach,
  listUnpaid,
  type OpenOrder,
} from './payment-queries.server.ts'

export type Fulfilment =
  | { readonly kind: 'order'; readonly order: OrderOwner }
  /** The same event was handled before. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'not-ours' }
  /** The payment doesn't fit the order: nothing was given, and the log says why. */
  | { readonly kind: 'mismatch'; readonly why: Mismatch }

/**
 * A paid order gives each of its lines once, however often and in whatever order webhooks, pages and repairs call. Nothing that
 * they say is believed: the gateway is asked, and its answer moves the order in one transaction.
 * @throws Failure payment.away
 */
export async function fulfilOrder(
  db: Db,
  shop: CheckoutDeps,
  asked: { sessionId: string; cause: string; now: Date; dispute?: DisputeTruth; event?: GatewayEvent },
): Promise<Fulfilment> {
  const isOtherMode = isLiveSession(asked.sessionId) === !shop.gateway.isLive
  if (isOtherMode) logOtherMode(shop, { sessionId: asked.sessionId, cause: asked.cause })
  const payment = isOtherMode ? null : await shop.gateway.findPayment(asked.sessionId)
  return db.transaction().execute(async (tx): Promise<Fulfilment> => {
    const { event } = asked
    if (event !== undefined && !(await claimEvent(tx, event, asked.now))) return { kind: 'repeated' }
    if (isOtherMode) return conclude(tx, event, null, { kind: 'mismatch', why: 'test and live mode mixed' })
    const order = payment?.orderId == null ? null : await lockIfOrder(tx, payment.orderId)
    if (payment === null || order === null) return conclude(tx, event, null, { kind: 'not-ours' })
    const why = mismatch(order, payment)
    if (why !== null) {
      shop.log.error({ orderId: order.id, sessionId: payment.sessionId, why }, 'a payment does not fit its order')
      await setPaymentIssue(tx, order, why, asked.now)
      return conclude(tx, event, order.id, { kind: 'mismatch', why })
    }
    await tx
      .updateTable('orders')
      .set({
        gateway_session_id: order.sessionId ?? payment.sessionId,
        gateway_payment_intent: order.paymentIntent ?? (payment.isPaid ? payment.paymentIntent : null),
      })
      .where('id', '=', order.id)
      .execute()
    if (order.paymentIssue !== null && mayResolve(order.paymentIssue)) await setPaymentIssue(tx, order, null, asked.now)
    let { state } = order
    for (const move of movesTo(order, payment, asked.dispute ?? null)) {
      await moveOrder(tx, order.id, state, move, asked.cause, asked.now)
      if (move.to === 'refunded' || move.to === 'disputed')
        await revokeAccess(tx, await listSources(tx, order.id), asked.now)
      else if (state === 'disputed') {
        if (!order.isAccessEnded) await restoreAccess(tx, await listSources(tx, order.id), asked.now)
      } else if (move.to === 'paid') await fulfilFromGateway(tx, shop, order.id, order.userId, asked.now)
      state = move.to
    }
    const owner = { id: order.id as OrderId, userId: order.userId, state }
    return conclude(tx, event, order.id, { kind: 'order', order: owner })
  })
}

async function conclude(
  tx: Db,
  event: GatewayEvent | undefined,
  orderId: string | null,
  done: Fulfilment,
): Promise<Fulfilment> {
  const outcome = done.kind === 'order' ? done.order.state : done.kind === 'mismatch' ? done.why : done.kind
  if (event !== undefined) await noteOutcome(tx, event, orderId, outcome)
  return done
}

/** Another shop's reference may be anything. */
async function lockIfOrder(tx: Db, reference: string) {
  return isUuid(reference) ? lockOrder(tx, reference) : null
}

/**
 * What an event asks for. Repeats, events of other shops and kinds that we don't know change nothing.
 * @throws Failure payment.away, so that the gateway sends the event again
 */
export async function handleEvent(
  db: Db,
  shop: CheckoutDeps,
  event: GatewayEvent,
  now: Date,
): Promise<Fulfilment | { readonly kind: 'ignored' }> {
  const { subject } = event
  if (event.isLive !== shop.gateway.isLive) {
    logOtherMode(shop, { event: event.id, cause: event.kind })
    await db.transaction().execute(async (tx) => {
      if (await claimEvent(tx, event, now)) await noteOutcome(tx, event, null, 'test and live mode mixed')
    })
    return { kind: 'mismatch', why: 'test and live mode mixed' }
  }
  const dispute = subject?.kind === 'dispute' ? await shop.gateway.findDispute(subject.id) : null
  const intent = subject?.kind === 'payment' ? subject.intent : (dispute?.paymentIntent ?? null)
  const sessionId =
    subject?.kind === 'session' ? subject.id : intent === null ? null : await findSession(db, shop, intent)
  if (sessionId === null) {
    const outcome = subject === null ? 'ignored' : 'not-ours'
    shop.log.info({ event: event.id, kind: event.kind, outcome }, 'a gateway event asks for nothing')
    await db.transaction().execute(async (tx) => {
      if (await claimEvent(tx, event, now)) await noteOutcome(tx, event, null, outcome)
    })
    return { kind: outcome }
  }
  return fulfilOrder(db, shop, {
    sessionId,
    cause: event.kind,
    now,
    event,
    ...(dispute === null ? {} : { dispute }),
  })
}

async function findSession(db: Db, shop: CheckoutDeps, paymentIntent: string): Promise<string | null> {
  const known = await findOrderOwner(db, { paymentIntent })
  return known?.sessionId ?? (await shop.gateway.findSessionOf(paymentIntent))
}

/** False when the event was claimed before; a claim stands or falls with what the event does. */
async function claimEvent(tx: Db, event: GatewayEvent, now: Date): Promise<boolean> {
  const claimed = await tx
    .insertInto('gateway_events')
    .values({ id: event.id, kind: event.kind, outcome: 'claimed', received_at: now })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

async function noteOutcome(tx: Db, event: GatewayEvent, orderId: string | null, outcome: string): Promise<void> {
  await tx.updateTable('gateway_events').set({ order_id: orderId, outcome }).where('id', '=', event.id).execute()
}

export type Repair = { fulfilled: number; closed: number; failed: number }

/**
 * Mends what got lost: pending orders whose session was paid or died, paid sessions whose order never heard of them, and
 * disputes that ended unheard. With a person: only their own orders.
 */
export async function reconcileOrders(
  db: Db,
  shop: CheckoutDeps,
  asked: { readonly now: Date; readonly userId?: UserId },
): Promise<Repair> {
  const repair: Repair = { fulfilled: 0, closed: 0, failed: 0 }
  const { now } = asked
  const { isLive } = shop.gateway
  const correct = async (sessionId: string, dispute?: DisputeTruth): Promise<boolean> => {
    try {
      const done = await fulfilOrder(db, shop, {
        sessionId,
        cause: asked.userId === undefined ? 'repair' : 'repair by buyer',
        now,
        ...(dispute === undefined ? {} : { dispute }),
      })
      if (done.kind === 'order' && isSettled(done.order.state)) repair.fulfilled += 1
      else if (done.kind === 'order' && done.order.state !== 'pending') repair.closed += 1
      return true
    } catch (error) {
      repair.failed += 1
      shop.log.warn({ err: error, sessionId }, 'an order could not be looked after')
      return false
    }
  }

  for (const order of await listOpenOrders(db, { ...asked, isLive, limit: 200 })) {
    // A play order from before the shop went live: no live key can ask for it, and its session is dead after a day.
    const isAskable = order.isLive === isLive && order.sessionId !== null
    if (isAskable && order.sessionId !== null) await correct(order.sessionId)
    else if (order.isAbandoned) {
      await closeOrder(db, { orderId: order.id, to: 'expired', cause: 'abandoned', now })
      repair.closed += 1
    }
  }
  if (asked.userId !== undefined) return repair

  const completed = await shop.gateway.listCompleted(after(now, -3 * DAY_MS))
  const unpaid = await listUnpaid(
    db,
    completed.flatMap(({ orderId }) => orderId ?? []),
  )
  for (const { sessionId, orderId, isPaid } of completed) {
    if (orderId === null || !unpaid.has(orderId)) continue
    if (!(await correct(sessionId)) && isPaid) await recordPaymentIssue(db, orderId, 'paid and not handed over', now)
  }
  for (const orderId of await listOutOfReach(db, isLive))
    await recordPaymentIssue(db, orderId, 'test and live mode mixed', now)
  for (const { sessionId, disputeId } of await listOpenDisputes(db, { isLive })) {
    const dispute = await shop.gateway.findDispute(disputeId)
    if (dispute !== null && dispute.state !== 'open') await correct(sessionId, dispute)
  }
  return repair
}

/** Shows the order to admins until somebody or something has solved it; since when stays as it was first seen. */
async function setPaymentIssue(
  tx: Db,
  order: LockedOrder,
  paymentIssue: PaymentIssue | null,
  now: Date,
): Promise<void> {
  if (order.paymentIssue === paymentIssue) return
  await tx
    .updateTable('orders')
    .set({ payment_issue: paymentIssue, payment_issue_at: paymentIssue === null ? null : now })
    .where('id', '=', order.id)
    .execute()
}

async function recordPaymentIssue(db: Db, orderId: string, paymentIssue: PaymentIssue, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order !== null && order.paymentIssue === null) await setPaymentIssue(tx, order, paymentIssue, now)
  })
}

/**
 * A buyer who changes the cart does not compete with themselves: their unpaid orders with this coupon are closed at the
 * gateway and give its use back. Says how many uses came back.
 * @throws Failure payment.away
 */
export async function releaseCoupon(
  db: Db,
  shop: CheckoutDeps,
  asked: { readonly userId: UserId; readonly couponId: string; readonly now: Date },
): Promise<number> {
  const { isLive } = shop.gateway
  let freed = 0
  for (const open of await listOpenOrders(db, { ...asked, isLive, limit: 10 })) {
    if (open.isLive !== isLive) continue
    const done = await closeAtGateway(db, shop, open, { cause: 'coupon used in another cart', now: asked.now })
    if (done?.kind === 'order' && done.order.state === 'expired') freed += 1
  }
  return freed
}

/**
 * Before somebody goes: their unpaid orders are closed at the gateway too, so that nobody can pay for what no one would get.
 * @throws Failure payment.away
 */
export async function closeOpenOrders(
  db: Db,
  shop: CheckoutDeps,
  asked: { readonly userId: UserId; readonly now: Date },
): Promise<void> {
  const { isLive } = shop.gateway
  const why = { cause: 'account deleted', now: asked.now }
  for (const open of await listOpenOrders(db, { ...asked, isLive, limit: 1000 })) {
    if (open.isLive === isLive) await closeAtGateway(db, shop, open, why)
    else await closeOrder(db, { orderId: open.id, to: 'expired', ...why })
  }
}

/**
 * Nobody can pay this order any more. What turns out to be paid meanwhile is fulfilled, and stays in the books. Null: it is
 * gone. @throws Failure payment.away
 */
async function closeAtGateway(
  db: Db,
  shop: CheckoutDeps,
  open: OpenOrder,
  why: { readonly cause: string; readonly now: Date },
): Promise<Fulfilment | null> {
  const order = await findOrder(db, open.id)
  if (order === null) return null
  // Opened with the order's id as key, this is the session of another tab that is still being opened.
  const sessionId = open.sessionId ?? (await shop.gateway.openSession({ ...order, buyerEmail: order.buyer.email })).id
  await shop.gateway.closeSession(sessionId)
  return fulfilOrder(db, shop, { sessionId, ...why })
}

/** Says clearly in the log what was refused: an order, session or event of the other mode than our key's. */
export function logOtherMode(shop: CheckoutDeps, detail: object): void {
  const mode = shop.gateway.isLive ? 'live' : 'test'
  shop.log.error({ ...detail, mode }, `refused: test and live mode are mixed; the shop runs with a ${mode} key`)
}
