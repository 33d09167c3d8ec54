import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import { isUuid, type CourseId, type OrderId, type PersonId } from '../../lib/ids.ts'
import { after, DAY_MS } from '../../lib/time.ts'
import type { Log } from '../../platform/log.server.ts'
import type { Mail } from '../../platform/mail.server.ts'
import { findAccess } from '../access/read.server.ts'
import { grantAccess, restoreAccess, revokeAccess } from '../access/write.server.ts'
import { lockCoupon, type StoredCoupon } from '../pricing/read.server.ts'
import { judgeCoupon, lineDiscounts, type Quote } from '../pricing/rules.ts'
import { couponFailure } from '../pricing/schema.ts'
import { copy } from './copy.ts'
import type { GatewayEvent, PaymentGateway } from './gateway.server.ts'
import { receiptLetter } from './letters.server.ts'
import {
  findOrder,
  findOrderOwner,
  findSeat,
  listOpenDisputes,
  listOpenOrders,
  listOutOfReach,
  listSources,
  listUnpaid,
  lockOrder,
  countCouponUses,
  type LockedOrder,
  type OrderOwner,
} from './read.server.ts'
import {
  cartKey,
  CURRENCY,
  FREE_REPEAT_MS,
  givesSeats,
  isLiveSession,
  isSettled,
  mayPass,
  mismatch,
  movesTo,
  seatCode,
  type DisputeTruth,
  type Mismatch,
  type OrderedLine,
  type OrderMove,
  type OrderState,
  type Trouble,
} from './rules.ts'
import { fail, type RedeemedSeat } from './schema.ts'

/** What selling needs besides the request's own database. */
export type Shop = {
  readonly gateway: PaymentGateway
  readonly mail: Mail
  readonly brand: string
  readonly appUrl: string
  readonly log: Log
}

type Buyer = { readonly personId: PersonId }

type Wish = Buyer & {
  readonly lines: readonly OrderedLine[]
  readonly quote: Quote
  /** The quote is made with it. */
  readonly coupon?: StoredCoupon | null
  readonly now: Date
}

export type PlacedOrder = {
  readonly orderId: OrderId
  readonly sessionId: string | null
  readonly sessionUrl: string | null
}

/**
 * Stores the order before anybody is sent to pay: one pending order per buyer, content, prices and mode, however often it is
 * asked for. It holds a use of its coupon from then on. @throws Failure coupon.used-up, coupon.over
 */
export async function placeOrder(db: Db, order: Wish & { readonly isLive: boolean }): Promise<PlacedOrder> {
  const key = keyOf(order)
  for (;;) {
    const made = await db.transaction().execute((tx) => insertOrder(tx, order, key))
    if (made !== null) return { orderId: made, sessionId: null, sessionUrl: null }
    const known = await db
      .selectFrom('orders')
      .where('user_id', '=', order.personId)
      .where('cart_key', '=', key)
      .where('state', '=', 'pending')
      .select(['id', 'gateway_session_id', 'gateway_session_url'])
      .executeTakeFirst()
    // Between the two statements the other order may have been paid or expired: then ours can be made.
    if (known !== undefined)
      return {
        orderId: known.id as OrderId,
        sessionId: known.gateway_session_id,
        sessionUrl: known.gateway_session_url,
      }
  }
}

function keyOf(order: Wish & { readonly isLive: boolean }): string {
  return cartKey(order.lines, order.quote, { isLive: order.isLive, couponCode: order.coupon?.code })
}

async function insertOrder(tx: Db, order: Wish & { readonly isLive: boolean }, key: string): Promise<OrderId | null> {
  const { coupon = null } = order
  // Before the order: those who want the same coupon take turns, and each counts what the one before has stored.
  const current = coupon === null ? null : await lockCoupon(tx, coupon.id)
  const { rows } = await sql<{ id: OrderId }>`
    insert into orders (user_id, currency, subtotal_cents, discount_cents, tax_cents, shipping_cents, total_cents,
      cart_key, is_live, coupon_id, coupon_code, created_at)
    values (${order.personId}, ${CURRENCY}, ${order.quote.subtotalCents}, ${order.quote.discountCents},
      ${order.quote.taxCents}, ${order.quote.shippingCents}, ${order.quote.totalCents}, ${key}, ${order.isLive},
      ${coupon?.id ?? null}, ${coupon?.code ?? null}, ${order.now})
    on conflict (user_id, cart_key) where state = 'pending' do nothing
    returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) return null
  if (coupon !== null) {
    const uses = await countCouponUses(tx, { couponId: coupon.id, isLive: order.isLive, exceptOrder: id })
    const judgement = judgeCoupon(current, { now: order.now, uses, lines: order.lines })
    if (judgement.kind === 'refused') throw couponFailure(judgement)
  }
  const discounts = lineDiscounts(order.lines, coupon?.discount ?? null)
  await tx
    .insertInto('order_lines')
    .values(
      order.lines.map((line, index) => ({
        order_id: id,
        course_id: line.courseId,
        title: line.title,
        unit_price_cents: line.unitPriceCents,
        quantity: line.quantity,
        discount_cents: discounts[index] ?? 0,
      })),
    )
    .execute()
  await logMove(tx, id, null, { to: 'pending', detail: {} }, 'checkout', order.now)
  return id
}

/** Keeps the session that the gateway opened, so that the next press finds it. */
export async function keepSession(
  db: Db,
  order: { orderId: OrderId; sessionId: string; url: string | null },
): Promise<void> {
  await db
    .updateTable('orders')
    .set({ gateway_session_id: order.sessionId, gateway_session_url: order.url })
    .where('id', '=', order.orderId)
    .where('gateway_session_id', 'is', null)
    .execute()
}

/** A pending order that can't be paid any more makes room for a new one. */
export async function closeOrder(
  db: Db,
  order: { orderId: string; to: 'expired' | 'failed'; cause: string; now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const facts = await lockOrder(tx, order.orderId)
    if (facts?.state !== 'pending') return
    await moveOrder(tx, order.orderId, facts.state, { to: order.to, detail: {} }, order.cause, order.now)
  })
}

/**
 * An order that costs nothing is paid the moment it is placed. Two presses within a minute are one order.
 * @throws Failure coupon.used-up, coupon.over
 */
export async function giveFreeOrder(db: Db, shop: Shop, order: Wish): Promise<OrderId> {
  const { isLive } = shop.gateway
  return db.transaction().execute(async (tx) => {
    const key = keyOf({ ...order, isLive })
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${order.personId}:free`}, 0))`.execute(tx)
    const recent = await tx
      .selectFrom('orders')
      .where('user_id', '=', order.personId)
      .where('cart_key', '=', key)
      .where('state', '=', 'paid')
      .where('paid_at', '>', after(order.now, -FREE_REPEAT_MS))
      .select('id')
      .executeTakeFirst()
    if (recent !== undefined) return recent.id as OrderId
    const orderId = await insertOrder(tx, { ...order, isLive }, key)
    if (orderId === null) throw new Error('a free order was left pending')
    await moveOrder(tx, orderId, 'pending', { to: 'paid', detail: {} }, 'free', order.now)
    await handOver(tx, shop, orderId, order.personId, order.now)
    return orderId
  })
}

/**
 * A buyer who changes the cart does not compete with themselves: their unpaid orders with this coupon are closed at the
 * gateway and give its use back. What turns out to be paid meanwhile is fulfilled. Says how many uses came back.
 * @throws Failure payment.away
 */
export async function letGoOfCoupon(
  db: Db,
  shop: Shop,
  asked: Buyer & { readonly couponId: string; readonly now: Date },
): Promise<number> {
  const { isLive } = shop.gateway
  let freed = 0
  for (const open of await listOpenOrders(db, { ...asked, isLive, limit: 10 })) {
    const order = open.isLive === isLive ? await findOrder(db, open.id) : null
    if (order === null) continue
    // Opened with the order's id as key, this is the session of another tab that is still being opened.
    const sessionId = open.sessionId ?? (await shop.gateway.openSession({ ...order, buyerEmail: order.buyer.email })).id
    await shop.gateway.closeSession(sessionId)
    const done = await fulfilOrder(db, shop, { sessionId, cause: 'coupon used in another cart', now: asked.now })
    if (done.kind === 'order' && done.order.state === 'expired') freed += 1
  }
  return freed
}

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
  shop: Shop,
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
      await setTrouble(tx, order, why, asked.now)
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
    if (order.trouble !== null && mayPass(order.trouble)) await setTrouble(tx, order, null, asked.now)
    let { state } = order
    for (const move of movesTo(order, payment, asked.dispute ?? null)) {
      await moveOrder(tx, order.id, state, move, asked.cause, asked.now)
      if (move.to === 'refunded' || move.to === 'disputed')
        await revokeAccess(tx, await listSources(tx, order.id), asked.now)
      else if (state === 'disputed') {
        if (!order.isAccessEnded) await restoreAccess(tx, await listSources(tx, order.id), asked.now)
      } else if (move.to === 'paid') await handOver(tx, shop, order.id, order.personId, asked.now)
      state = move.to
    }
    const owner = { id: order.id as OrderId, personId: order.personId, state }
    return conclude(tx, event, order.id, { kind: 'order', order: owner })
  })
}

/** Everything that a paid order gives: access for the buyer, seats for the further units, and the receipt. */
async function handOver(tx: Db, shop: Shop, orderId: string, personId: PersonId, now: Date): Promise<void> {
  const lines = await tx
    .selectFrom('order_lines')
    .where('order_id', '=', orderId)
    .orderBy('course_id')
    .select(['id', 'course_id', 'quantity'])
    .execute()
  for (const line of lines) {
    const courseId = line.course_id as CourseId
    await grantAccess(tx, { personId, courseId, source: 'order', orderLineId: line.id, seatCode: null, now })
    const numbers = Array.from({ length: line.quantity - 1 }, (_, index) => index + 1)
    if (numbers.length === 0) continue
    await tx
      .insertInto('seats')
      .values(
        numbers.map((number) => ({
          code: seatCode(randomBytes(12)),
          order_line_id: line.id,
          number,
          course_id: line.course_id,
          created_at: now,
        })),
      )
      .onConflict((on) => on.columns(['order_line_id', 'number']).doNothing())
      .execute()
  }
  const order = await findOrder(tx, orderId)
  if (order !== null) await shop.mail.send(receiptLetter(order, shop), tx)
}

/**
 * What an event asks for. Repeats, events of other shops and kinds that we don't know change nothing.
 * @throws Failure payment.away, so that the gateway sends the event again
 */
export async function handleEvent(
  db: Db,
  shop: Shop,
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

async function findSession(db: Db, shop: Shop, paymentIntent: string): Promise<string | null> {
  const known = await findOrderOwner(db, { paymentIntent })
  return known?.sessionId ?? (await shop.gateway.findSessionOf(paymentIntent))
}

export type Repair = { fulfilled: number; closed: number; failed: number }

/**
 * Mends what got lost: pending orders whose session was paid or died, paid sessions whose order never heard of them, and
 * disputes that ended unheard. With a person: only their own orders.
 */
export async function reconcileOrders(
  db: Db,
  shop: Shop,
  asked: { readonly now: Date; readonly personId?: PersonId },
): Promise<Repair> {
  const repair: Repair = { fulfilled: 0, closed: 0, failed: 0 }
  const { now } = asked
  const { isLive } = shop.gateway
  const mend = async (sessionId: string, dispute?: DisputeTruth): Promise<boolean> => {
    try {
      const done = await fulfilOrder(db, shop, {
        sessionId,
        cause: asked.personId === undefined ? 'repair' : 'repair by buyer',
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
    if (isAskable && order.sessionId !== null) await mend(order.sessionId)
    else if (order.isAbandoned) {
      await closeOrder(db, { orderId: order.id, to: 'expired', cause: 'abandoned', now })
      repair.closed += 1
    }
  }
  if (asked.personId !== undefined) return repair

  const completed = await shop.gateway.listCompleted(after(now, -3 * DAY_MS))
  const unpaid = await listUnpaid(
    db,
    completed.flatMap(({ orderId }) => orderId ?? []),
  )
  for (const { sessionId, orderId, isPaid } of completed) {
    if (orderId === null || !unpaid.has(orderId)) continue
    if (!(await mend(sessionId)) && isPaid) await noteTrouble(db, orderId, 'paid and not handed over', now)
  }
  for (const orderId of await listOutOfReach(db, isLive))
    await noteTrouble(db, orderId, 'test and live mode mixed', now)
  for (const { sessionId, disputeId } of await listOpenDisputes(db, { isLive })) {
    const dispute = await shop.gateway.findDispute(disputeId)
    if (dispute !== null && dispute.state !== 'open') await mend(sessionId, dispute)
  }
  return repair
}

/**
 * A code gives its 30 days once, to whoever redeems it first; the same person asking again is told the same.
 * @throws Failure seat.not-found, seat.taken, seat.void
 */
export async function redeemSeat(db: Db, asked: Buyer & { code: string; now: Date }): Promise<RedeemedSeat> {
  return db.transaction().execute(async (tx) => {
    const found = await findSeat(tx, asked.code)
    if (found === null) throw fail('seat.not-found', { fields: [{ field: 'code', message: copy['seat.missing'] }] })
    // The order first, as a refund does, so that the two never wait for each other.
    await tx.selectFrom('orders').where('id', '=', found.orderId).select('id').forShare().execute()
    await tx.selectFrom('seats').where('code', '=', asked.code).select('code').forUpdate().execute()
    const seat = await findSeat(tx, asked.code)
    if (seat === null) throw fail('seat.not-found')
    if (seat.redeemedBy !== null && seat.redeemedBy !== asked.personId) throw fail('seat.taken')
    if (!givesSeats({ state: seat.orderState, isAccessEnded: seat.isAccessEnded })) throw fail('seat.void')
    if (seat.redeemedBy === null) {
      await tx
        .updateTable('seats')
        .set({ redeemed_by: asked.personId, redeemed_at: asked.now })
        .where('code', '=', asked.code)
        .execute()
      await grantAccess(tx, {
        personId: asked.personId,
        courseId: seat.courseId,
        source: 'seat',
        orderLineId: null,
        seatCode: seat.code,
        now: asked.now,
      })
    }
    const access = await findAccess(tx, asked.personId, seat.courseId, asked.now)
    const until = access.kind === 'running' ? access.until : access.kind === 'ended' ? access.since : asked.now
    return { courseId: seat.courseId, courseSlug: seat.courseSlug, title: seat.title, until: until.toISOString() }
  })
}

/** Says clearly in the log what was refused: an order, session or event of the other mode than our key's. */
export function logOtherMode(shop: Shop, detail: object): void {
  const mode = shop.gateway.isLive ? 'live' : 'test'
  shop.log.error({ ...detail, mode }, `refused: test and live mode are mixed; the shop runs with a ${mode} key`)
}

/** Shows the order to admins until somebody or something has solved it; since when stays as it was first seen. */
async function setTrouble(tx: Db, order: LockedOrder, trouble: Trouble | null, now: Date): Promise<void> {
  if (order.trouble === trouble) return
  await tx
    .updateTable('orders')
    .set({ trouble, trouble_at: trouble === null ? null : now })
    .where('id', '=', order.id)
    .execute()
}

async function noteTrouble(db: Db, orderId: string, trouble: Trouble, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order !== null && order.trouble === null) await setTrouble(tx, order, trouble, now)
  })
}

async function moveOrder(
  tx: Db,
  orderId: string,
  from: OrderState,
  move: OrderMove,
  cause: string,
  now: Date,
): Promise<void> {
  const isPaidNow = move.to === 'paid' && from !== 'disputed'
  await tx
    .updateTable('orders')
    .set({ state: move.to, ...(isPaidNow ? { paid_at: now } : {}) })
    .where('id', '=', orderId)
    .execute()
  await logMove(tx, orderId, from, move, cause, now)
}

async function logMove(
  tx: Db,
  orderId: string,
  from: OrderState | null,
  move: OrderMove,
  cause: string,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('order_moves')
    .values({
      order_id: orderId,
      from_state: from,
      to_state: move.to,
      cause,
      detail: JSON.stringify(move.detail),
      at: now,
    })
    .execute()
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
 * Before somebody goes: their unpaid orders are closed at the gateway too, so that nobody can pay for what no one would get.
 * What turns out to be paid meanwhile is fulfilled, and stays in the books.
 * @throws Failure payment.away
 */
export async function closeOpenOrders(db: Db, shop: Shop, asked: Buyer & { readonly now: Date }): Promise<void> {
  const { isLive } = shop.gateway
  for (const open of await listOpenOrders(db, { ...asked, isLive, limit: 1000 })) {
    const order = await findOrder(db, open.id)
    if (order === null) continue
    if (open.isLive === isLive) {
      // Opened with the order's id as key, this is the session of another tab that is still being opened.
      const sessionId =
        open.sessionId ?? (await shop.gateway.openSession({ ...order, buyerEmail: order.buyer.email })).id
      await shop.gateway.closeSession(sessionId)
      await fulfilOrder(db, shop, { sessionId, cause: 'account deleted', now: asked.now })
    } else await closeOrder(db, { orderId: open.id, to: 'expired', cause: 'account deleted', now: asked.now })
  }
}
