import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { CourseId, OrderId, UserId } from '../../lib/ids.ts'
import { after } from '../../lib/time.ts'
import type { Log } from '../../platform/log.server.ts'
import type { Mail } from '../../platform/mail.server.ts'
import { findAccess } from '../access/access-queries.server.ts'
import { grantAccess } from '../access/access-commands.server.ts'
import { lockCoupon, type StoredCoupon } from '../pricing/coupons-queries.server.ts'
import { judgeCoupon, lineDiscounts, type Quote } from '../pricing/quote.ts'
import { couponFailure } from '../pricing/pricing.schema.ts'
import { copy } from './checkout.copy.ts'
import { receiptEmail } from './checkout-emails.server.ts'
import type { PaymentGateway } from './payment/stripe-gateway.server.ts'
import { countCouponRedemptions, findOrder, findSeat, lockOrder } from './orders-queries.server.ts'
import {
  cartKey,
  CURRENCY,
  FREE_REPEAT_MS,
  givesSeats,
  seatCode,
  type OrderedLine,
  type OrderMove,
  type OrderState,
} from './orders.ts'
import { fail, type RedeemedSeat } from './checkout.schema.ts'

/** What selling needs besides the request's own database. */
export type CheckoutDeps = {
  readonly gateway: PaymentGateway
  readonly mail: Mail
  readonly brand: string
  readonly appUrl: string
  readonly log: Log
}

type Buyer = { readonly userId: UserId }

type OrderRequest = Buyer & {
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
export async function placeOrder(db: Db, order: OrderRequest & { readonly isLive: boolean }): Promise<PlacedOrder> {
  const key = keyOf(order)
  for (;;) {
    const made = await db.transaction().execute((tx) => insertOrder(tx, order, key))
    if (made !== null) return { orderId: made, sessionId: null, sessionUrl: null }
    const known = await db
      .selectFrom('orders')
      .where('user_id', '=', order.userId)
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

function keyOf(order: OrderRequest & { readonly isLive: boolean }): string {
  return cartKey(order.lines, order.quote, { isLive: order.isLive, couponCode: order.coupon?.code })
}

async function insertOrder(
  tx: Db,
  order: OrderRequest & { readonly isLive: boolean },
  key: string,
): Promise<OrderId | null> {
  const { coupon = null } = order
  // Before the order: those who want the same coupon take turns, and each counts what the one before has stored.
  const current = coupon === null ? null : await lockCoupon(tx, coupon.id)
  const { rows } = await sql<{ id: OrderId }>`
    insert into orders (user_id, currency, subtotal_cents, discount_cents, tax_cents, shipping_cents, total_cents,
      cart_key, is_live, coupon_id, coupon_code, created_at)
    values (${order.userId}, ${CURRENCY}, ${order.quote.subtotalCents}, ${order.quote.discountCents},
      ${order.quote.taxCents}, ${order.quote.shippingCents}, ${order.quote.totalCents}, ${key}, ${order.isLive},
      ${coupon?.id ?? null}, ${coupon?.code ?? null}, ${order.now})
    on conflict (user_id, cart_key) where state = 'pending' do nothing
    returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) return null
  if (coupon !== null) {
    const uses = await countCouponRedemptions(tx, { couponId: coupon.id, isLive: order.isLive, exceptOrder: id })
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
export async function storeCheckoutSession(
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
export async function giveFreeOrder(db: Db, shop: CheckoutDeps, order: OrderRequest): Promise<OrderId> {
  const { isLive } = shop.gateway
  return db.transaction().execute(async (tx) => {
    const key = keyOf({ ...order, isLive })
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${order.userId}:free`}, 0))`.execute(tx)
    const recent = await tx
      .selectFrom('orders')
      .where('user_id', '=', order.userId)
      .where('cart_key', '=', key)
      .where('state', '=', 'paid')
      .where('paid_at', '>', after(order.now, -FREE_REPEAT_MS))
      .select('id')
      .executeTakeFirst()
    if (recent !== undefined) return recent.id as OrderId
    const orderId = await insertOrder(tx, { ...order, isLive }, key)
    if (orderId === null) throw new Error('a free order was left pending')
    await moveOrder(tx, orderId, 'pending', { to: 'paid', detail: {} }, 'free', order.now)
    await fulfilFromGateway(tx, shop, orderId, order.userId, order.now)
    return orderId
  })
}

/** Everything that a paid order gives: access for the buyer, seats for the further units, and the receipt. */
export async function fulfilFromGateway(
  tx: Db,
  shop: CheckoutDeps,
  orderId: string,
  userId: UserId,
  now: Date,
): Promise<void> {
  const lines = await tx
    .selectFrom('order_lines')
    .where('order_id', '=', orderId)
    .orderBy('course_id')
    .select(['id', 'course_id', 'quantity'])
    .execute()
  for (const line of lines) {
    const courseId = line.course_id as CourseId
    await grantAccess(tx, { userId, courseId, source: 'order', orderLineId: line.id, seatCode: null, now })
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
  if (order !== null) await shop.mail.send(receiptEmail(order, shop), tx)
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
    if (seat.redeemedBy !== null && seat.redeemedBy !== asked.userId) throw fail('seat.taken')
    if (!givesSeats({ state: seat.orderState, isAccessEnded: seat.isAccessEnded })) throw fail('seat.void')
    if (seat.redeemedBy === null) {
      await tx
        .updateTable('seats')
        .set({ redeemed_by: asked.userId, redeemed_at: asked.now })
        .where('code', '=', asked.code)
        .execute()
      await grantAccess(tx, {
        userId: asked.userId,
        courseId: seat.courseId,
        source: 'seat',
        orderLineId: null,
        seatCode: seat.code,
        now: asked.now,
      })
    }
    const access = await findAccess(tx, asked.userId, seat.courseId, asked.now)
    const until = access.kind === 'running' ? access.until : access.kind === 'ended' ? access.since : asked.now
    return { courseId: seat.courseId, courseSlug: seat.courseSlug, title: seat.title, until: until.toISOString() }
  })
}

export async function moveOrder(
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
