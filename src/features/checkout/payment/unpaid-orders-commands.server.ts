import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { PREPARED, type Db } from '../../../db/open.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { grantParts } from '../../access/access-commands.server.ts'
import { receiptEmail } from '../checkout-emails.server.ts'
import { SEAT_LETTERS, seatCode } from '../orders.ts'
import { findUnpaid, type UnpaidOrder } from './unpaid-orders-queries.server.ts'

type ReceiptDeps = { readonly mail: Mail; readonly brand: string; readonly appUrl: string }

type Payment = {
  readonly cause: string
  readonly now: Date
  /** Null for an order without a payment at the gateway, or when the order knows it already. */
  readonly session: { readonly id: string; readonly paymentIntent: string | null } | null
  /** The event that reports it and is recorded with it. */
  readonly event?: { readonly id: string; readonly kind: string } | undefined
}

/**
 * Fulfils an order that becomes paid, by one statement: its move, access for the buyer, a seat for each further unit of a course,
 * the receipt, and the event. False, and nothing is written, when the order or the buyer's access changed since it was read.
 */
export async function payOrder(db: Db, shop: ReceiptDeps, order: UnpaidOrder, payment: Payment): Promise<boolean> {
  const { cause, now, session, event } = payment
  const { changed, insertion } = grantParts({ userId: order.userId, lines: order.lines, now })
  const seats = order.lines.flatMap(({ id, courseId, quantity }) =>
    Array.from({ length: quantity - 1 }, (_, index) => ({
      code: seatCode(randomBytes(SEAT_LETTERS)),
      lineId: id,
      number: index + 1,
      courseId,
    })),
  )
  const email = receiptEmail(receiptOf(order, seats, now), shop)
  const mailed = await shop.mail.insertionOf(email, sql`paid`)
  const { rows } = await sql`${sql.raw(PREPARED)} with locked as materialized (
      select id from orders where id = ${order.id} and xmin::text = ${order.version} for update
    ), changed as materialized (${changed(sql`locked`)}),
    paid as (
      update orders set state = 'paid', paid_at = ${now}, payable_until = null,
        gateway_session_id = coalesce(gateway_session_id, ${session?.id ?? null}),
        gateway_payment_intent = coalesce(gateway_payment_intent, ${session?.paymentIntent ?? null})
      from locked where orders.id = locked.id and not exists (select from changed)
      returning orders.id
    ), moved as (
      insert into order_moves (order_id, from_state, to_state, cause, at)
      select id, ${order.state}, 'paid', ${cause}, ${now}::timestamptz from paid
    ), granted as (${insertion(sql`paid`)})
    ${seats.length === 0 ? sql`` : sql`, seated as (${seatInsertion(seats, now)})`}
    ${event === undefined ? sql`` : sql`, recorded as (${eventInsertion(event, now)})`}
    ${mailed === null ? sql`` : sql`, mailed as (${mailed})`}
    select from paid`.execute(db)
  if (rows.length > 0) shop.mail.wake()
  return rows.length > 0
}

/** Fulfils an order whose row this transaction has locked. It is tried again when the buyer's access changes meanwhile. */
export async function payLockedOrder(
  tx: Db,
  shop: ReceiptDeps,
  order: { readonly orderId: string; readonly cause: string; readonly now: Date },
): Promise<void> {
  const { orderId, cause, now } = order
  for (;;) {
    const unpaid = await findUnpaid(tx, { orderId })
    // The first attempt holds the locks of the buyer's access from then on.
    if (unpaid === null || (await payOrder(tx, shop, unpaid, { cause, now, session: null }))) return
  }
}

type NewSeat = {
  readonly code: string
  readonly lineId: string
  readonly number: number
  readonly courseId: string
}

function receiptOf({ receipt }: UnpaidOrder, seats: readonly NewSeat[], now: Date) {
  return {
    ...receipt,
    paidAt: now.toISOString(),
    lines: receipt.lines.map((line) => ({ ...line, seats: seats.filter(({ lineId }) => lineId === line.id) })),
  }
}

const seatInsertion = (seats: readonly NewSeat[], now: Date) => sql`
  insert into seats (code, order_line_id, number, course_id, created_at)
  select given.*, ${now}::timestamptz from paid cross join unnest(
    ${seats.map(({ code }) => code)}::text[], ${seats.map(({ lineId }) => lineId)}::uuid[],
    ${seats.map(({ number }) => number)}::int[], ${seats.map(({ courseId }) => courseId)}::uuid[]) as given`

// A repeated event that arrives at the same moment finds the order paid, and this row.
const eventInsertion = (event: { readonly id: string; readonly kind: string }, now: Date) => sql`
  insert into gateway_events (id, kind, order_id, outcome, received_at)
  select ${event.id}, ${event.kind}, id, 'paid', ${now}::timestamptz from paid on conflict do nothing`
