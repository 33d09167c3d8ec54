import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { OrderId, UserId } from '../../lib/ids.ts'
import { after } from '../../lib/time.ts'
import { audit } from '../../platform/audit-log/audit-log-commands.server.ts'
import type { Log } from '../../platform/log.server.ts'
import type { Mail } from '../../platform/mail.server.ts'
import { findAccess } from '../access/access-queries.server.ts'
import { grantAccess, revokeAccess } from '../access/access-commands.server.ts'
import { lockCoupon, type StoredCoupon } from '../pricing/coupons-queries.server.ts'
import { judgeCoupon, lineDiscounts, type Quote } from '../pricing/quote.ts'
import { couponFailure } from '../pricing/pricing.schema.ts'
import { copy } from './checkout.copy.ts'
import type { PaymentGateway } from './payment/stripe-gateway.server.ts'
import { countCouponRedemptions, findSeat, listSources, lockOrder } from './orders-queries.server.ts'
import {
  cartKey,
  CURRENCY,
  FREE_REPEAT_MS,
  givesSeats,
  type OrderedLine,
  type OrderMove,
  type OrderState,
  type PaymentProvider,
} from './orders.ts'
import { fail, type RedeemedSeat } from './checkout.schema.ts'
import { payLockedOrder } from './payment/unpaid-orders-commands.server.ts'

/** The services that checkout needs besides the database. */
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
  /** The coupon that the quote includes. */
  readonly coupon?: StoredCoupon | null
  readonly now: Date
}

type GatewayOrder = OrderRequest & { readonly isLive: boolean; readonly provider: PaymentProvider }

export type PlacedOrder = {
  readonly orderId: OrderId
  readonly sessionId: string | null
  readonly sessionUrl: string | null
}

/**
 * Stores the order before the buyer pays. Repeated requests of a buyer for the same content, prices and mode find the same
 * pending order. From then on the order holds a redemption of its coupon. @throws Failure coupon.used-up, coupon.over
 */
export async function placeOrder(db: Db, order: GatewayOrder): Promise<PlacedOrder> {
  const key = keyOf(order)
  for (;;) {
    const inserted = await db.transaction().execute((tx) => insertOrder(tx, order, key))
    if (inserted !== null) return { orderId: inserted, sessionId: null, sessionUrl: null }
    const pending = await db
      .selectFrom('orders')
      .where('user_id', '=', order.userId)
      .where('cart_key', '=', key)
      .where('state', '=', 'pending')
      .select(['id', 'gateway_session_id', 'gateway_session_url'])
      .executeTakeFirst()
    // Between the two statements the other order may be paid or expire; then the next insert succeeds.
    if (pending !== undefined)
      return {
        orderId: pending.id as OrderId,
        sessionId: pending.gateway_session_id,
        sessionUrl: pending.gateway_session_url,
      }
  }
}

function keyOf(order: GatewayOrder): string {
  return cartKey(order.lines, order.quote, { isLive: order.isLive, couponCode: order.coupon?.code })
}

async function insertOrder(tx: Db, order: GatewayOrder, key: string): Promise<OrderId | null> {
  const { coupon = null } = order
  // Locks the coupon first: orders with the same coupon are inserted one at a time, so that each counts those before it.
  const current = coupon === null ? null : await lockCoupon(tx, coupon.id)
  const { rows } = await sql<{ id: OrderId }>`
    insert into orders (user_id, currency, subtotal_cents, discount_cents, tax_cents, shipping_cents, total_cents,
      cart_key, provider, is_live, coupon_id, coupon_code, created_at)
    values (${order.userId}, ${CURRENCY}, ${order.quote.subtotalCents}, ${order.quote.discountCents},
      ${order.quote.taxCents}, ${order.quote.shippingCents}, ${order.quote.totalCents}, ${key}, ${order.provider},
      ${order.isLive}, ${coupon?.id ?? null}, ${coupon?.code ?? null}, ${order.now})
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

/** Stores the session that the gateway opened, so that a repeated checkout finds it. */
export async function storeCheckoutSession(
  db: Db,
  order: { orderId: OrderId; sessionId: string; url: string | null; payableUntil: Date },
): Promise<void> {
  await db
    .updateTable('orders')
    .set({
      gateway_session_id: order.sessionId,
      gateway_session_url: order.url,
      payable_until: order.payableUntil,
    })
    .where('id', '=', order.orderId)
    .where('gateway_session_id', 'is', null)
    .execute()
}

/** Closes a pending order that can no longer be paid, so that a new one can be placed. */
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
 * Places and fulfils an order that costs nothing. Repeating it within a minute finds the same order.
 * @throws Failure coupon.used-up, coupon.over
 */
export async function giveFreeOrder(db: Db, shop: CheckoutDeps, order: OrderRequest): Promise<OrderId> {
  const placed = { ...order, isLive: shop.gateway.isLive, provider: shop.gateway.provider }
  return db.transaction().execute(async (tx) => {
    const key = keyOf(placed)
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
    const orderId = await insertOrder(tx, placed, key)
    if (orderId === null) throw new Error('A free order is still pending.')
    await payLockedOrder(tx, shop, { orderId, cause: 'free', now: order.now })
    return orderId
  })
}

/**
 * Redeems a seat: the first user to redeem its code gets 30 days of access. The same user gets the same reply again.
 * @throws Failure seat.not-found, seat.taken, seat.void
 */
export async function redeemSeat(db: Db, redemption: Buyer & { code: string; now: Date }): Promise<RedeemedSeat> {
  return db.transaction().execute(async (tx) => {
    const known = await findSeat(tx, redemption.code)
    if (known === null) throw fail('seat.not-found', { fields: [{ field: 'code', message: copy['seat.missing'] }] })
    // Locks the order before the seat, as a refund does, to avoid a deadlock.
    await tx.selectFrom('orders').where('id', '=', known.orderId).select('id').forShare().execute()
    await tx.selectFrom('seats').where('code', '=', redemption.code).select('code').forUpdate().execute()
    const seat = await findSeat(tx, redemption.code)
    if (seat === null) throw fail('seat.not-found')
    if (seat.redeemedBy !== null && seat.redeemedBy !== redemption.userId) throw fail('seat.taken')
    if (!givesSeats({ state: seat.orderState, isAccessEnded: seat.isAccessEnded })) throw fail('seat.void')
    if (seat.redeemedBy === null) {
      await tx
        .updateTable('seats')
        .set({ redeemed_by: redemption.userId, redeemed_at: redemption.now })
        .where('code', '=', redemption.code)
        .execute()
      await grantAccess(tx, {
        userId: redemption.userId,
        courseId: seat.courseId,
        source: 'seat',
        orderLineId: null,
        seatCode: seat.code,
        now: redemption.now,
      })
    }
    const access = await findAccess(tx, redemption.userId, seat.courseId, redemption.now)
    const until = access.kind === 'running' ? access.until : access.kind === 'ended' ? access.since : redemption.now
    return { courseId: seat.courseId, courseSlug: seat.courseSlug, title: seat.title, until: until.toISOString() }
  })
}

/** Ends the access of an order, for its buyer and the users of its seats. Repeating it changes nothing. */
export async function endOrderAccess(
  tx: Db,
  order: { readonly id: string; readonly isAccessEnded: boolean },
  by: {
    readonly actorId: UserId | null
    readonly action: 'order.end-access' | 'order.refund-ended-access'
    readonly now: Date
  },
): Promise<void> {
  if (order.isAccessEnded) return
  const { actorId, action, now } = by
  await tx.updateTable('orders').set({ access_ended_at: now }).where('id', '=', order.id).execute()
  await revokeAccess(tx, await listSources(tx, order.id), now)
  await audit(tx, { at: now, actorId, action, table: 'orders', id: order.id, before: null, after: null })
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
