import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { after, HOUR_MS } from '../../../lib/time.ts'
import { ABANDONED_AFTER_HOURS } from '../orders.ts'

export type OpenOrder = {
  readonly id: string
  readonly sessionId: string | null
  readonly isLive: boolean
  readonly isAbandoned: boolean
}

/** Pending orders, oldest first. With a test key, live orders are excluded. */
export async function listOpenOrders(
  db: Db,
  filter: {
    readonly now: Date
    readonly isLive: boolean
    readonly userId?: UserId
    readonly couponId?: string
    readonly limit: number
  },
): Promise<OpenOrder[]> {
  const rows = await db
    .selectFrom('orders')
    .where('state', '=', 'pending')
    .$if(!filter.isLive, (query) => query.where('is_live', '=', false))
    .$if(filter.userId !== undefined, (query) => query.where('user_id', '=', filter.userId ?? ''))
    .$if(filter.couponId !== undefined, (query) => query.where('coupon_id', '=', filter.couponId ?? ''))
    .orderBy('created_at')
    .limit(filter.limit)
    .select(['id', 'gateway_session_id', 'is_live', 'created_at'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    sessionId: row.gateway_session_id,
    isLive: row.is_live,
    isAbandoned: after(row.created_at, ABANDONED_AFTER_HOURS * HOUR_MS) < filter.now,
  }))
}

/** Pending live orders without a payment issue, when the shop has a test key and cannot check them. */
export async function listOutOfReach(db: Db, isLive: boolean): Promise<string[]> {
  if (isLive) return []
  const rows = await db
    .selectFrom('orders')
    .where('state', '=', 'pending')
    .where('is_live', '=', true)
    .where('payment_issue', 'is', null)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Those of these orders that are not paid. */
export async function listUnpaid(db: Db, orderIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where id::text = any(${[...orderIds]}::text[]) and state in ('pending', 'expired', 'failed')`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** The latest dispute of each disputed order. */
export async function listOpenDisputes(
  db: Db,
  filter: { readonly isLive: boolean; readonly orderId?: string },
): Promise<{ orderId: string; sessionId: string; disputeId: string }[]> {
  const { rows } = await sql<{ orderId: string; sessionId: string; disputeId: string }>`
    select distinct on (orders.id) orders.id as "orderId", gateway_session_id as "sessionId",
      order_moves.detail->>'dispute' as "disputeId"
    from orders join order_moves on order_moves.order_id = orders.id and order_moves.to_state = 'disputed'
    where orders.state = 'disputed' and gateway_session_id is not null and is_live = ${filter.isLive}
      and orders.id = coalesce(${filter.orderId ?? null}::uuid, orders.id)
    order by orders.id, order_moves.id desc`.execute(db)
  return rows
}

export type SeatHolder = {
  readonly userId: UserId
  readonly email: string
  readonly name: string
  readonly courseId: CourseId
  readonly title: string
}

/** The users who redeemed seats of an order, except its buyer. */
export async function listSeatHolders(db: Db, orderId: string): Promise<SeatHolder[]> {
  const rows = await db
    .selectFrom('seats')
    .innerJoin('order_lines', 'order_lines.id', 'seats.order_line_id')
    .innerJoin('orders', 'orders.id', 'order_lines.order_id')
    .innerJoin('users', 'users.id', 'seats.redeemed_by')
    .where('orders.id', '=', orderId)
    .whereRef('seats.redeemed_by', '!=', 'orders.user_id')
    .distinct()
    .select(['users.id', 'users.email', 'users.name', 'seats.course_id', 'order_lines.title'])
    .execute()
  return rows.map(({ id, email, name, course_id, title }) => ({
    userId: id as UserId,
    email,
    name,
    courseId: course_id as CourseId,
    title,
  }))
}
