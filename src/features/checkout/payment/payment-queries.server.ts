import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { after, HOUR_MS } from '../../../lib/time.ts'
import { ABANDONED_AFTER_HOURS } from '../orders.ts'

export type OpenOrder = {
  readonly id: string
  readonly sessionId: string | null
  readonly isLive: boolean
  readonly isAbandoned: boolean
}

/** Orders that wait for their payment, oldest first. While test keys are in use, live orders are left alone. */
export async function listOpenOrders(
  db: Db,
  wanted: {
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
    .$if(!wanted.isLive, (query) => query.where('is_live', '=', false))
    .$if(wanted.userId !== undefined, (query) => query.where('user_id', '=', wanted.userId ?? ''))
    .$if(wanted.couponId !== undefined, (query) => query.where('coupon_id', '=', wanted.couponId ?? ''))
    .orderBy('created_at')
    .limit(wanted.limit)
    .select(['id', 'gateway_session_id', 'is_live', 'created_at'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    sessionId: row.gateway_session_id,
    isLive: row.is_live,
    isAbandoned: after(row.created_at, ABANDONED_AFTER_HOURS * HOUR_MS) < wanted.now,
  }))
}

/** Orders of real money that wait for their payment while test keys are in use: nobody can ask about them. */
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

/** Of these orders, the ones that nobody has been given anything for. */
export async function listUnpaid(db: Db, orderIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where id::text = any(${[...orderIds]}::text[]) and state in ('pending', 'expired', 'failed')`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Disputes that still keep an order's courses closed. */
export async function listOpenDisputes(
  db: Db,
  wanted: { readonly isLive: boolean; readonly orderId?: string },
): Promise<{ orderId: string; sessionId: string; disputeId: string }[]> {
  const { rows } = await sql<{ orderId: string; sessionId: string; disputeId: string }>`
    select distinct on (orders.id) orders.id as "orderId", gateway_session_id as "sessionId",
      order_moves.detail->>'dispute' as "disputeId"
    from orders join order_moves on order_moves.order_id = orders.id and order_moves.to_state = 'disputed'
    where orders.state = 'disputed' and gateway_session_id is not null and is_live = ${wanted.isLive}
      and orders.id = coalesce(${wanted.orderId ?? null}::uuid, orders.id)
    order by orders.id, order_moves.id desc`.execute(db)
  return rows
}
