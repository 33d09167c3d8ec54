import { sql } from 'kysely'
import { PREPARED, type Db } from '../../../db/open.server.ts'
import type { CourseId, OrderId, UserId } from '../../../lib/ids.ts'
import type { AccessPeriod } from '../../access/access.ts'
import type { Receipt } from '../checkout-emails.server.ts'
import { readPaymentIssue } from '../orders-queries.server.ts'
import type { OrderFacts, PaymentIssue } from '../orders.ts'

type UnpaidLine = {
  readonly id: string
  readonly courseId: CourseId
  readonly quantity: number
  /** The buyer's periods of the course, and their version in the database. */
  readonly periods: readonly AccessPeriod[]
  readonly accessVersion: string
}

/** An order that can become paid, with all that its payment depends on, as it was without a lock. */
export type UnpaidOrder = OrderFacts & {
  readonly id: OrderId
  readonly userId: UserId
  readonly paymentIssue: PaymentIssue | null
  /** Changes with each change of the order's row. */
  readonly version: string
  /** Whether the event was received before. */
  readonly isKnownEvent: boolean
  readonly lines: readonly UnpaidLine[]
  /** The receipt once it is paid, without its seats. */
  readonly receipt: Omit<Receipt, 'paidAt'>
}

type Row = Pick<UnpaidOrder, 'id' | 'userId' | 'state' | 'currency' | 'isLive' | 'paymentIntent' | 'version'> &
  Pick<Receipt, 'subtotalCents' | 'discountCents' | 'taxCents' | 'shippingCents' | 'totalCents' | 'couponCode'> & {
    readonly createdAt: Date
    readonly issue: string | null
    readonly email: string
    readonly name: string
    readonly isKnownEvent: boolean
    readonly lines: readonly {
      readonly id: string
      readonly courseId: CourseId
      readonly title: string
      readonly quantity: number
      readonly unitPriceCents: number
      readonly discountCents: number
      readonly accessVersion: string
      readonly periods: readonly {
        readonly startsAt: string
        readonly endsAt: string
        readonly revokedAt: string | null
      }[]
    }[]
  }

/** Null when the order does not exist, or was paid before. */
export async function findUnpaid(
  db: Db,
  of: { readonly orderId: string; readonly eventId?: string | undefined },
): Promise<UnpaidOrder | null> {
  const { rows } =
    await sql<Row>`${sql.raw(PREPARED)} select orders.id, user_id as "userId", state, currency, is_live as "isLive", orders.xmin::text as version,
      gateway_payment_intent as "paymentIntent", payment_issue as issue, orders.created_at as "createdAt",
      subtotal_cents as "subtotalCents", discount_cents as "discountCents", coupon_code as "couponCode",
      tax_cents as "taxCents", shipping_cents as "shippingCents", total_cents as "totalCents",
      users.email, coalesce(nullif(profiles.full_name, ''), users.name) as name,
      exists (select from gateway_events where gateway_events.id = ${of.eventId ?? null}) as "isKnownEvent",
      (select json_agg(json_build_object('id', id, 'courseId', course_id, 'title', title, 'quantity', quantity,
          'unitPriceCents', unit_price_cents, 'discountCents', discount_cents,
          'accessVersion', access_version(orders.user_id, course_id),
          'periods', (select coalesce(json_agg(json_build_object('startsAt', starts_at, 'endsAt', ends_at,
              'revokedAt', revoked_at)), '[]')
            from access_periods
            where access_periods.user_id = orders.user_id and access_periods.course_id = order_lines.course_id))
          order by title, id)
        from order_lines where order_id = orders.id) as lines
    from orders join users on users.id = user_id join profiles on profiles.id = user_id
    where orders.id = ${of.orderId} and state in ('pending', 'expired', 'failed')`.execute(db)
  return rows[0] === undefined ? null : toUnpaid(rows[0])
}

function toUnpaid(row: Row): UnpaidOrder {
  const { id, userId, state, currency, isLive, paymentIntent, version, isKnownEvent, totalCents } = row
  return {
    id,
    userId,
    state,
    currency,
    isLive,
    paymentIntent,
    version,
    isKnownEvent,
    totalCents,
    // An order that was never paid was neither refunded nor disputed.
    refundedCents: 0,
    endedDisputes: [],
    paymentIssue: readPaymentIssue(row.issue),
    lines: row.lines.map((line) => ({
      id: line.id,
      courseId: line.courseId,
      quantity: line.quantity,
      accessVersion: line.accessVersion,
      periods: line.periods.map(({ startsAt, endsAt, revokedAt }) => ({
        startsAt: new Date(startsAt),
        endsAt: new Date(endsAt),
        revokedAt: revokedAt === null ? null : new Date(revokedAt),
      })),
    })),
    receipt: {
      id,
      buyer: { name: row.name, email: row.email },
      createdAt: row.createdAt.toISOString(),
      lines: row.lines.map((line) => ({ ...line, seats: [] })),
      subtotalCents: row.subtotalCents,
      discountCents: row.discountCents,
      couponCode: row.couponCode,
      taxCents: row.taxCents,
      shippingCents: row.shippingCents,
      totalCents,
    },
  }
}
