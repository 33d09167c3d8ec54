import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { CourseId, OrderId, UserId } from '../../lib/ids.ts'
import { comesAfter, inOnePage, inPages, type OwnData } from '../../platform/own-data-export.server.ts'
import type { Sources } from '../access/access-queries.server.ts'
import {
  couponStates,
  paymentIssues,
  waitingOrder,
  type OrderFacts,
  type OrderState,
  type PaymentIssue,
} from './orders.ts'
import type { BuyerOrder, OrderView } from './checkout.schema.ts'

/** The refunded cents of a row of `orders`, from its moves. */
const refundedOf = sql<number>`coalesce((
  select max((detail->>'refundedCents')::int) from order_moves where order_moves.order_id = orders.id), 0)`

export async function findOrder(db: Db, orderId: string): Promise<(OrderView & { readonly buyerId: UserId }) | null> {
  const order = await db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .innerJoin('profiles', 'profiles.id', 'orders.user_id')
    .where('orders.id', '=', orderId)
    .select([
      'orders.id',
      'orders.user_id',
      'orders.state',
      'orders.currency',
      'orders.subtotal_cents',
      'orders.discount_cents',
      'orders.tax_cents',
      'orders.shipping_cents',
      'orders.total_cents',
      'orders.created_at',
      'orders.paid_at',
      'orders.coupon_code',
      'orders.access_ended_at',
      'orders.gateway_session_id',
      'orders.payable_until',
      'users.email',
      'users.name',
      'profiles.full_name',
      refundedOf.as('refunded_cents'),
    ])
    .executeTakeFirst()
  if (order === undefined) return null
  return {
    id: order.id,
    buyerId: order.user_id as UserId,
    state: order.state,
    buyer: { name: order.full_name || order.name, email: order.email },
    createdAt: order.created_at.toISOString(),
    paidAt: order.paid_at?.toISOString() ?? null,
    currency: order.currency,
    lines: await listLines(db, orderId),
    subtotalCents: order.subtotal_cents,
    discountCents: order.discount_cents,
    couponCode: order.coupon_code,
    taxCents: order.tax_cents,
    shippingCents: order.shipping_cents,
    totalCents: order.total_cents,
    refundedCents: order.refunded_cents,
    accessEndedAt: order.access_ended_at?.toISOString() ?? null,
    ...waitingView(order),
  }
}

function waitingView(row: {
  readonly state: OrderState
  readonly gateway_session_id: string | null
  readonly payable_until: Date | null
  readonly created_at: Date
}) {
  const { payableUntil, isProcessing } = waitingOrder({
    state: row.state,
    sessionId: row.gateway_session_id,
    payableUntil: row.payable_until,
    createdAt: row.created_at,
  })
  return { payableUntil: payableUntil?.toISOString() ?? null, isProcessing }
}

async function listLines(db: Db, orderId: string): Promise<OrderView['lines']> {
  const lines = await db
    .selectFrom('order_lines')
    .innerJoin('courses', 'courses.id', 'order_lines.course_id')
    .where('order_id', '=', orderId)
    .orderBy('order_lines.title')
    .orderBy('order_lines.id')
    .select([
      'order_lines.id',
      'course_id',
      'courses.slug',
      'order_lines.title',
      'quantity',
      'unit_price_cents',
      'discount_cents',
    ])
    .execute()
  const seats = await db
    .selectFrom('seats')
    .innerJoin('order_lines', 'order_lines.id', 'seats.order_line_id')
    .where('order_lines.order_id', '=', orderId)
    .orderBy('seats.number')
    .select(['seats.order_line_id', 'seats.code', 'seats.redeemed_at'])
    .execute()
  return lines.map((line) => ({
    courseId: line.course_id,
    courseSlug: line.slug,
    title: line.title,
    quantity: line.quantity,
    unitPriceCents: line.unit_price_cents,
    discountCents: line.discount_cents,
    seats: seats
      .filter((seat) => seat.order_line_id === line.id)
      .map((seat) => ({ code: seat.code, redeemedAt: seat.redeemed_at?.toISOString() ?? null })),
  }))
}

/** The number of orders of a course, paid or not. Accounting needs the course while there are any. */
export async function countOrdersOfCourse(db: Db, courseId: string): Promise<number> {
  const { count } = await db
    .selectFrom('order_lines')
    .where('course_id', '=', courseId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * The number of orders of one mode that redeem a coupon. `exceptOwn` excludes the buyer's pending orders, which can be released,
 * and a free order after `freeSince`, which a repeated checkout would find again.
 */
export async function countCouponRedemptions(
  db: Db,
  filter: {
    readonly couponId: string
    readonly isLive: boolean
    readonly exceptOrder?: string
    readonly exceptOwn?: { readonly userId: UserId; readonly freeSince: Date }
  },
): Promise<number> {
  const { userId = null, freeSince = null } = filter.exceptOwn ?? {}
  const { rows } = await sql<{ uses: number }>`
    select count(*)::int as uses from orders
    where coupon_id = ${filter.couponId} and is_live = ${filter.isLive} and state = any(${[...couponStates]}::text[])
      and id is distinct from ${filter.exceptOrder ?? null}::uuid
      and (user_id = ${userId}::uuid
        and (state = 'pending' or state = 'paid' and total_cents = 0 and paid_at > ${freeSince}::timestamptz)) is not true`.execute(
    db,
  )
  return rows[0]?.uses ?? 0
}

type CouponRedemptions = { readonly couponId: string; readonly live: number; readonly test: number }

/** The redemptions of each redeemed coupon. Orders in test mode are counted separately. */
export async function listCouponRedemptions(db: Db): Promise<CouponRedemptions[]> {
  const { rows } = await sql<CouponRedemptions>`
    select coupon_id as "couponId", count(*) filter (where is_live)::int as live,
      count(*) filter (where not is_live)::int as test
    from orders where coupon_id is not null and state = any(${[...couponStates]}::text[])
    group by coupon_id`.execute(db)
  return rows
}

/** A text in SQL that changes whenever an order of the user does. */
export const ordersState = (userId: UserId) => sql<string>`(
  select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) from orders where user_id = ${userId})`

/** The orders of one buyer, or of all buyers, newest first. */
export async function listOrders(
  db: Db,
  filter: { readonly userId?: UserId; readonly limit: number; readonly without?: readonly OrderState[] },
): Promise<BuyerOrder[]> {
  const without = filter.without ?? []
  const rows = await db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .$if(filter.userId !== undefined, (query) => query.where('orders.user_id', '=', filter.userId ?? ''))
    .$if(without.length > 0, (query) => query.where('orders.state', 'not in', without))
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id')
    .limit(filter.limit)
    .select([
      'orders.id',
      'orders.state',
      'orders.created_at',
      'orders.total_cents',
      'orders.gateway_session_id',
      'orders.payable_until',
      'users.email',
      sql<string[]>`array(select title from order_lines where order_lines.order_id = orders.id order by title, id)`.as(
        'titles',
      ),
    ])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    totalCents: row.total_cents,
    titles: row.titles,
    buyerEmail: row.email,
    ...waitingView(row),
  }))
}

export type OrderOwner = { readonly id: OrderId; readonly userId: UserId; readonly state: OrderState }

export async function findOrderOwner(
  db: Db,
  by: { readonly orderId: string } | { readonly sessionId: string } | { readonly paymentIntent: string },
): Promise<(OrderOwner & { readonly sessionId: string | null }) | null> {
  const [column, value] =
    'orderId' in by
      ? (['id', by.orderId] as const)
      : 'sessionId' in by
        ? (['gateway_session_id', by.sessionId] as const)
        : (['gateway_payment_intent', by.paymentIntent] as const)
  const row = await db
    .selectFrom('orders')
    .where(column, '=', value)
    .select(['id', 'user_id', 'state', 'gateway_session_id'])
    .executeTakeFirst()
  if (row === undefined) return null
  const { state, gateway_session_id: sessionId } = row
  return { id: row.id as OrderId, userId: row.user_id as UserId, state, sessionId }
}

export type LockedOrder = OrderFacts & {
  readonly userId: UserId
  readonly sessionId: string | null
  readonly isAccessEnded: boolean
  readonly paymentIssue: PaymentIssue | null
  /** The admin whose partial refund is to end the access. */
  readonly endingAccessBy: UserId | null
}

/** Locks an order until the transaction ends, and reads the facts that decide its next move. */
export async function lockOrder(tx: Db, orderId: string): Promise<LockedOrder | null> {
  const order = await tx
    .selectFrom('orders')
    .where('id', '=', orderId)
    .select([
      'id',
      'user_id',
      'state',
      'total_cents',
      'currency',
      'is_live',
      'gateway_payment_intent',
      'gateway_session_id',
      'access_ended_at',
      'payment_issue',
      'ending_access_by',
    ])
    .forUpdate()
    .executeTakeFirst()
  if (order === undefined) return null
  const { rows } = await sql<{ refundedCents: number; endedDisputes: string[] }>`
    select coalesce(max((detail->>'refundedCents')::int), 0) as "refundedCents",
      coalesce(array_agg(detail->>'dispute') filter (where detail ? 'ended'), '{}') as "endedDisputes"
    from order_moves where order_id = ${orderId}`.execute(tx)
  return {
    id: order.id,
    userId: order.user_id as UserId,
    state: order.state,
    totalCents: order.total_cents,
    currency: order.currency,
    isLive: order.is_live,
    paymentIntent: order.gateway_payment_intent,
    sessionId: order.gateway_session_id,
    isAccessEnded: order.access_ended_at !== null,
    paymentIssue: readPaymentIssue(order.payment_issue),
    endingAccessBy: order.ending_access_by as UserId | null,
    refundedCents: rows[0]?.refundedCents ?? 0,
    endedDisputes: rows[0]?.endedDisputes ?? [],
  }
}

export function readPaymentIssue(text: string | null): PaymentIssue | null {
  return paymentIssues.find((paymentIssue) => paymentIssue === text) ?? null
}

type SeatFacts = {
  readonly code: string
  readonly courseId: CourseId
  readonly courseSlug: string
  readonly title: string
  readonly orderId: string
  readonly orderState: OrderState
  readonly isAccessEnded: boolean
  readonly redeemedBy: UserId | null
}

export async function findSeat(db: Db, code: string): Promise<SeatFacts | null> {
  const row = await db
    .selectFrom('seats')
    .innerJoin('order_lines', 'order_lines.id', 'seats.order_line_id')
    .innerJoin('orders', 'orders.id', 'order_lines.order_id')
    .innerJoin('courses', 'courses.id', 'seats.course_id')
    .where('seats.code', '=', code)
    .select([
      'seats.code',
      'seats.course_id',
      'seats.redeemed_by',
      'courses.slug',
      'courses.title',
      'orders.id as order_id',
      'orders.state',
      'orders.access_ended_at',
    ])
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    code: row.code,
    courseId: row.course_id as CourseId,
    courseSlug: row.slug,
    title: row.title,
    orderId: row.order_id,
    orderState: row.state,
    isAccessEnded: row.access_ended_at !== null,
    redeemedBy: row.redeemed_by as UserId | null,
  }
}

/** The sources of the access that an order grants: its lines and their seats. */
export async function listSources(db: Db, orderId: string): Promise<Sources> {
  const lines = await db.selectFrom('order_lines').where('order_id', '=', orderId).select('id').execute()
  const orderLineIds = lines.map(({ id }) => id)
  const seats = await db.selectFrom('seats').where('order_line_id', 'in', orderLineIds).select('code').execute()
  return { orderLineIds, seatCodes: seats.map(({ code }) => code) }
}

/** Exports a user's checkout data: their orders, and the seats that they bought or redeemed. */
export function exportOf(db: Db, userId: UserId): OwnData[] {
  return [
    { name: 'orders', pages: inPages((after: ExportCursor | null, limit) => exportOrders(db, userId, after, limit)) },
    { name: 'order_lines', pages: inOnePage(() => exportLines(db, userId)) },
    { name: 'order_moves', pages: inOnePage(() => exportMoves(db, userId)) },
    { name: 'coupons_used', pages: inOnePage(() => exportCoupons(db, userId)) },
    { name: 'seats', pages: inOnePage(() => exportSeats(db, userId)) },
  ]
}

type ExportCursor = { readonly id: string; readonly created_at: Date }

const exportOrders = (db: Db, userId: UserId, after: ExportCursor | null, limit: number) =>
  db
    .selectFrom('orders')
    .where('user_id', '=', userId)
    .where(comesAfter(after, 'created_at', 'id'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .select([
      'id',
      'state',
      'currency',
      'subtotal_cents',
      'discount_cents',
      'tax_cents',
      'shipping_cents',
      'total_cents',
      'coupon_code',
      'gateway_session_id',
      'gateway_payment_intent',
      'is_live',
      'created_at',
      'paid_at',
      'access_ended_at',
    ])
    .execute()

const exportLines = (db: Db, userId: UserId) =>
  db
    .selectFrom('order_lines')
    .innerJoin('orders', 'orders.id', 'order_lines.order_id')
    .where('orders.user_id', '=', userId)
    .orderBy('orders.created_at')
    .orderBy('order_lines.id')
    .select([
      'order_lines.id',
      'order_lines.order_id',
      'order_lines.course_id',
      'order_lines.title',
      'order_lines.unit_price_cents',
      'order_lines.quantity',
      'order_lines.discount_cents',
    ])
    .execute()

const exportMoves = (db: Db, userId: UserId) =>
  db
    .selectFrom('order_moves')
    .innerJoin('orders', 'orders.id', 'order_moves.order_id')
    .where('orders.user_id', '=', userId)
    .orderBy('order_moves.id')
    .select([
      'order_moves.order_id',
      'order_moves.from_state',
      'order_moves.to_state',
      'order_moves.cause',
      'order_moves.at',
      sql<object>`order_moves.detail`.as('detail'),
    ])
    .execute()

const exportCoupons = (db: Db, userId: UserId) =>
  db
    .selectFrom('orders')
    .where('user_id', '=', userId)
    .where('coupon_code', 'is not', null)
    .orderBy('created_at')
    .select(['coupon_code', 'id as order_id', 'discount_cents', 'state as order_state', 'created_at'])
    .execute()

// The export names no other user: for a seat redeemed by somebody else it only shows that it is redeemed.
const exportSeats = (db: Db, userId: UserId) =>
  db
    .selectFrom('seats')
    .innerJoin('order_lines', 'order_lines.id', 'seats.order_line_id')
    .innerJoin('orders', 'orders.id', 'order_lines.order_id')
    .where((eb) => eb.or([eb('orders.user_id', '=', userId), eb('seats.redeemed_by', '=', userId)]))
    .orderBy('seats.created_at')
    .orderBy('seats.code')
    .select((eb) => [
      'seats.code',
      'seats.course_id',
      'order_lines.title as course',
      eb('orders.user_id', '=', userId).as('bought_by_you'),
      eb.fn.coalesce(eb('seats.redeemed_by', '=', userId), sql<boolean>`false`).as('redeemed_by_you'),
      'seats.redeemed_at',
    ])
    .execute()
