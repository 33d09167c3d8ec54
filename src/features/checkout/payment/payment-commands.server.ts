import type { Db } from '../../../db/open.server.ts'
import { isUuid, type CourseId, type OrderId, type UserId } from '../../../lib/ids.ts'
import type { Cents } from '../../../lib/money.ts'
import { after, DAY_MS } from '../../../lib/time.ts'
import { restoreAccess, revokeAccess } from '../../access/access-commands.server.ts'
import { findAccess } from '../../access/access-queries.server.ts'
import { refundEmail, type RefundedCourse } from '../checkout-emails.server.ts'
import {
  findOrder,
  findOrderOwner,
  listSources,
  lockOrder,
  type LockedOrder,
  type OrderOwner,
} from '../orders-queries.server.ts'
import {
  givesSeats,
  isLiveSession,
  isSettled,
  mayResolve,
  mismatch,
  movesTo,
  newlyRefunded,
  type DisputeFacts,
  type Mismatch,
  type OrderMove,
  type OrderState,
  type PaymentFacts,
  type PaymentIssue,
} from '../orders.ts'
import { fail as failCheckout } from '../checkout.schema.ts'
import { closeOrder, endOrderAccess, moveOrder, type CheckoutDeps } from '../orders-commands.server.ts'
import { payLockedOrder, payOrder } from './unpaid-orders-commands.server.ts'
import { findUnpaid } from './unpaid-orders-queries.server.ts'
import { SessionRefused, type GatewayEvent } from './stripe-gateway.server.ts'
import {
  listOpenDisputes,
  listOpenOrders,
  listOutOfReach,
  listSeatHolders,
  listUnpaid,
  type OpenOrder,
} from './payment-queries.server.ts'
import { seatEndedEmail } from './seat-emails.server.ts'

type Fulfilment =
  | { readonly kind: 'order'; readonly order: OrderOwner }
  /** This event was handled before. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'not-ours' }
  /** The payment does not match the order: nothing is granted, and the log names the reason. */
  | { readonly kind: 'mismatch'; readonly why: Mismatch }

type FulfilmentRequest = {
  readonly sessionId: string
  readonly cause: string
  readonly now: Date
  readonly dispute?: DisputeFacts
  readonly event?: GatewayEvent
}

/**
 * Grants each line of a paid order once, however often and in whatever order webhooks, pages and repairs call. The state comes
 * from the gateway, never from the caller, and moves the order in one transaction.
 * @throws Failure payment.away
 */
export async function fulfilOrder(db: Db, shop: CheckoutDeps, request: FulfilmentRequest): Promise<Fulfilment> {
  const isOtherMode = isLiveSession(request.sessionId) === !shop.gateway.isLive
  if (isOtherMode) logOtherMode(shop, { sessionId: request.sessionId, cause: request.cause })
  const payment = isOtherMode ? null : await shop.gateway.findPayment(request.sessionId)
  const paid = payment === null ? null : await payAtOnce(db, shop, payment, request)
  if (paid !== null) return { kind: 'order', order: paid }
  return db.transaction().execute(async (tx): Promise<Fulfilment> => {
    const { event, now } = request
    if (event !== undefined && !(await claimEvent(tx, event, now))) return { kind: 'repeated' }
    if (isOtherMode) return conclude(tx, event, null, { kind: 'mismatch', why: 'test and live mode mixed' })
    const order = payment?.orderId == null ? null : await lockIfOrder(tx, payment.orderId)
    if (payment === null || order === null) return conclude(tx, event, null, { kind: 'not-ours' })
    const why = mismatch(order, payment)
    if (why !== null) {
      shop.log.error({ orderId: order.id, sessionId: payment.sessionId, why }, 'a payment does not fit its order')
      await setPaymentIssue(tx, order, why, now)
      return conclude(tx, event, order.id, { kind: 'mismatch', why })
    }
    await tx
      .updateTable('orders')
      .set({
        gateway_session_id: order.sessionId ?? payment.sessionId,
        gateway_payment_intent: order.paymentIntent ?? (payment.isPaid ? payment.paymentIntent : null),
        payable_until: payment.payableUntil,
      })
      .where('id', '=', order.id)
      .execute()
    if (order.paymentIssue !== null && mayResolve(order.paymentIssue)) await setPaymentIssue(tx, order, null, now)
    const moves = movesTo(order, payment, request.dispute ?? null)
    const state = await makeMoves(tx, shop, order, moves, request)
    const refunded = newlyRefunded(order, moves)
    if (refunded > 0) await concludeRefund(tx, shop, { order, state, refunded, now })
    const owner = { id: order.id as OrderId, userId: order.userId, state }
    return conclude(tx, event, order.id, { kind: 'order', order: owner })
  })
}

/**
 * The usual case, without a transaction: an order becomes paid and nothing else changes. Returns null, and writes nothing, when
 * more has to change or the facts changed between reading and writing.
 */
async function payAtOnce(
  db: Db,
  shop: CheckoutDeps,
  payment: PaymentFacts,
  request: FulfilmentRequest,
): Promise<OrderOwner | null> {
  const { orderId, sessionId, paymentIntent } = payment
  if (!payment.isPaid || orderId === null || !isUuid(orderId)) return null
  const { cause, now, event, dispute = null } = request
  const order = await findUnpaid(db, { orderId, eventId: event?.id })
  if (order === null || order.isKnownEvent || order.paymentIssue !== null) return null
  if (mismatch(order, payment) !== null) return null
  const [move, ...others] = movesTo(order, payment, dispute)
  if (move?.to !== 'paid' || others.length > 0) return null
  const session = { id: sessionId, paymentIntent }
  const isPaid = await payOrder(db, shop, order, { cause, now, session, event })
  return isPaid ? { id: order.id, userId: order.userId, state: 'paid' } : null
}

/** Makes the moves with their effects on access, and returns the last state. */
async function makeMoves(
  tx: Db,
  shop: CheckoutDeps,
  order: LockedOrder,
  moves: readonly OrderMove[],
  { cause, now }: { readonly cause: string; readonly now: Date },
): Promise<OrderState> {
  let { state } = order
  for (const move of moves) {
    if (move.to === 'paid' && state !== 'disputed') {
      await payLockedOrder(tx, shop, { orderId: order.id, cause, now })
      state = move.to
      continue
    }
    await moveOrder(tx, order.id, state, move, cause, now)
    if (move.to === 'refunded' || move.to === 'disputed') await revokeAccess(tx, await listSources(tx, order.id), now)
    else if (state === 'disputed') {
      if (!order.isAccessEnded) await restoreAccess(tx, await listSources(tx, order.id), now)
    }
    state = move.to
  }
  return state
}

/**
 * Ends the access when the admin asked for it with this refund, and emails the buyer. It runs in the transaction that records
 * the refund, so each refund is emailed once, whether the webhook or the admin comes first.
 */
async function concludeRefund(
  tx: Db,
  shop: CheckoutDeps,
  refund: { readonly order: LockedOrder; readonly state: OrderState; readonly refunded: Cents; readonly now: Date },
): Promise<void> {
  const { order, state, refunded, now } = refund
  const actorId = order.endingAccessBy
  if (actorId !== null) {
    await tx.updateTable('orders').set({ ending_access_by: null }).where('id', '=', order.id).execute()
    // A full refund has ended all access already.
    if (isSettled(state)) await endOrderAccess(tx, order, { actorId, action: 'order.refund-ended-access', now })
  }
  const view = await findOrder(tx, order.id)
  if (view === null) return
  const courses: RefundedCourse[] = []
  for (const { courseId, title } of view.lines) {
    const access = await findAccess(tx, order.userId, courseId as CourseId, now)
    courses.push({ title, until: access.kind === 'running' ? access.until : null })
  }
  const isAccessEnded = view.accessEndedAt !== null
  const endedAt = view.accessEndedAt === null ? now : new Date(view.accessEndedAt)
  const areSeatsVoid = !givesSeats({ state, isAccessEnded })
  await shop.mail.send(refundEmail(view, { refunded, courses, endedAt, areSeatsVoid }, shop), tx)
  // Access that ended before this refund was emailed then.
  if (areSeatsVoid && !order.isAccessEnded) await emailSeatHolders(tx, shop, { orderId: order.id, endedAt, now })
}

/** A user with another access period for the course keeps it, so nothing has ended for them. */
async function emailSeatHolders(
  tx: Db,
  shop: CheckoutDeps,
  { orderId, endedAt, now }: { readonly orderId: string; readonly endedAt: Date; readonly now: Date },
): Promise<void> {
  for (const holder of await listSeatHolders(tx, orderId)) {
    const access = await findAccess(tx, holder.userId, holder.courseId, now)
    if (access.kind !== 'running') await shop.mail.send(seatEndedEmail(holder, endedAt, shop), tx)
  }
}

async function conclude(
  tx: Db,
  event: GatewayEvent | undefined,
  orderId: string | null,
  done: Fulfilment,
): Promise<Fulfilment> {
  const outcome = done.kind === 'order' ? done.order.state : done.kind === 'mismatch' ? done.why : done.kind
  if (event !== undefined) await storeOutcome(tx, event, orderId, outcome)
  return done
}

/** A session of another shop may have any reference. */
async function lockIfOrder(tx: Db, reference: string) {
  return isUuid(reference) ? lockOrder(tx, reference) : null
}

/**
 * Handles an event. Repeated events, events of other shops and unknown kinds of events change nothing.
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
      if (await claimEvent(tx, event, now)) await storeOutcome(tx, event, null, 'test and live mode mixed')
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
      if (await claimEvent(tx, event, now)) await storeOutcome(tx, event, null, outcome)
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

/** False when the event was claimed before. The claim is part of the event's transaction. */
async function claimEvent(tx: Db, event: GatewayEvent, now: Date): Promise<boolean> {
  const claimed = await tx
    .insertInto('gateway_events')
    .values({ id: event.id, kind: event.kind, outcome: 'claimed', received_at: now })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

async function storeOutcome(tx: Db, event: GatewayEvent, orderId: string | null, outcome: string): Promise<void> {
  await tx.updateTable('gateway_events').set({ order_id: orderId, outcome }).where('id', '=', event.id).execute()
}

type Repair = { fulfilled: number; closed: number; failed: number }

/**
 * Corrects the effects of lost events: pending orders whose session was paid or expired, paid sessions that their order does not
 * know, and disputes that have ended. With `userId` it only checks that buyer's pending orders.
 */
export async function reconcileOrders(
  db: Db,
  shop: CheckoutDeps,
  filter: { readonly now: Date; readonly userId?: UserId },
): Promise<Repair> {
  const repair: Repair = { fulfilled: 0, closed: 0, failed: 0 }
  const { now } = filter
  const { isLive } = shop.gateway
  const correct = async (sessionId: string, dispute?: DisputeFacts): Promise<boolean> => {
    try {
      const done = await fulfilOrder(db, shop, {
        sessionId,
        cause: filter.userId === undefined ? 'repair' : 'repair by buyer',
        now,
        ...(dispute === undefined ? {} : { dispute }),
      })
      if (done.kind === 'order' && isSettled(done.order.state)) repair.fulfilled += 1
      else if (done.kind === 'order' && done.order.state !== 'pending') repair.closed += 1
      return true
    } catch (error) {
      repair.failed += 1
      shop.log.warn({ err: error, sessionId }, 'an order could not be checked')
      return false
    }
  }

  for (const order of await listOpenOrders(db, { ...filter, isLive, limit: 200 })) {
    // A live key cannot check a test order; its session expires after a day.
    const canCheck = order.isLive === isLive && order.sessionId !== null
    if (canCheck && order.sessionId !== null) await correct(order.sessionId)
    else if (order.isAbandoned) {
      await closeOrder(db, { orderId: order.id, to: 'expired', cause: 'abandoned', now })
      repair.closed += 1
    }
  }
  if (filter.userId !== undefined) return repair

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

/** Sets or clears the payment issue that admins see. A repeated issue keeps its first time. */
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
 * Closes a buyer's unpaid orders with this coupon at the gateway, so that their new cart can redeem it. Returns the number of
 * released redemptions.
 * @throws Failure payment.away
 */
export async function releaseCoupon(
  db: Db,
  shop: CheckoutDeps,
  filter: { readonly userId: UserId; readonly couponId: string; readonly now: Date },
): Promise<number> {
  const { isLive } = shop.gateway
  let released = 0
  for (const open of await listOpenOrders(db, { ...filter, isLive, limit: 10 })) {
    if (open.isLive !== isLive) continue
    const done = await closeAtGateway(db, shop, open, { cause: 'coupon used in another cart', now: filter.now })
    if (done?.kind === 'order' && done.order.state === 'expired') released += 1
  }
  return released
}

/**
 * Closes a user's unpaid orders at the gateway before their account is deleted, so that none of them is paid afterwards.
 * @throws Failure payment.away
 */
export async function closeOpenOrders(
  db: Db,
  shop: CheckoutDeps,
  user: { readonly userId: UserId; readonly now: Date },
): Promise<void> {
  const { isLive } = shop.gateway
  const why = { cause: 'account deleted', now: user.now }
  for (const open of await listOpenOrders(db, { ...user, isLive, limit: 1000 })) {
    if (open.isLive === isLive) await closeAtGateway(db, shop, open, why)
    else await closeOrder(db, { orderId: open.id, to: 'expired', ...why })
  }
}

/**
 * Closes a pending order that its buyer no longer wants, so that nobody can pay it, and returns its state: an order that was paid
 * meanwhile stays paid.
 * @throws Failure order.processing while its payment is on its way; payment.away
 */
export async function dropOrder(
  db: Db,
  shop: CheckoutDeps,
  drop: { readonly orderId: OrderId; readonly now: Date },
): Promise<OrderState> {
  const { orderId, now } = drop
  const order = await db.transaction().execute((tx) => lockOrder(tx, orderId))
  if (order === null) throw failCheckout('order.not-found')
  if (order.state !== 'pending') return order.state
  if (order.isLive !== shop.gateway.isLive) throw failCheckout('payment.away')
  const done = await closeAtGateway(db, shop, order, { cause: 'dropped by buyer', now })
  if (done?.kind !== 'order') throw failCheckout('payment.away', { detail: done })
  if (done.order.state === 'pending') throw failCheckout('order.processing')
  return done.order.state
}

/**
 * Expires the session of an order. If it was paid meanwhile, the order is fulfilled. Null when the order does not exist.
 * @throws Failure payment.away
 */
async function closeAtGateway(
  db: Db,
  shop: CheckoutDeps,
  open: Pick<OpenOrder, 'id' | 'sessionId'>,
  why: { readonly cause: string; readonly now: Date },
): Promise<Fulfilment | null> {
  const order = await findOrder(db, open.id)
  if (order === null) return null
  let { sessionId } = open
  try {
    // The order's id is the idempotency key, so this call returns the session that another tab is opening.
    sessionId ??= (await shop.gateway.openSession({ ...order, buyerEmail: order.buyer.email })).id
  } catch (error) {
    if (!(error instanceof SessionRefused)) throw error
    // There is no session, so nobody can pay it.
    await closeOrder(db, { ...why, orderId: open.id, to: 'failed' })
    const closed = await findOrderOwner(db, { orderId: open.id })
    return closed && { kind: 'order', order: closed }
  }
  await shop.gateway.closeSession(sessionId)
  return fulfilOrder(db, shop, { sessionId, ...why })
}

/** Logs that an order, session or event was refused because its mode differs from that of the shop's key. */
export function logOtherMode(shop: CheckoutDeps, detail: object): void {
  const mode = shop.gateway.isLive ? 'live' : 'test'
  shop.log.error({ ...detail, mode }, `refused: test and live mode are mixed; the shop runs with a ${mode} key`)
}
