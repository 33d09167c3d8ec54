import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { isUuid } from '../../../lib/ids.ts'
import { cents, formatDollars } from '../../../lib/money.ts'
import { pageOf } from '../../../lib/paging.ts'
import { likeText } from '../../../lib/text.ts'
import { listGrantsOf } from '../../access/access-queries.server.ts'
import { findOrder, listSources, readPaymentIssue } from '../orders-queries.server.ts'
import { factText } from './order-admin.copy.ts'
import type { AdminOrder, Grant, OrderEvent, OrderRecord, OrderFilter } from './order-admin.schema.ts'

type Page = { readonly orders: AdminOrder[]; readonly next: string | null }

const PAGE = 50
const PAYMENT_ISSUES_SHOWN = 50

const orderColumns = sql`orders.id, orders.state, orders.created_at as "createdAt", orders.total_cents as "totalCents",
  orders.is_live as "isLive", orders.payment_issue as "paymentIssue", users.email as "buyerEmail",
  array(select title from order_lines where order_lines.order_id = orders.id order by title, id) as titles`

type OrderRow = Omit<AdminOrder, 'createdAt' | 'paymentIssue'> & {
  readonly createdAt: Date
  readonly paymentIssue: string | null
}

/** A page of all orders, newest first. */
export async function listAdminOrders(db: Db, filter: OrderFilter, size = PAGE): Promise<Page> {
  const { search, state, after } = filter
  const { rows } = await sql<OrderRow>`
    select ${orderColumns} from orders join users on users.id = orders.user_id
    where ${search === '' ? sql`true` : matching(search)}
      and ${state === null ? sql`true` : sql`orders.state = ${state}`}
      and ${after === null ? sql`true` : sql`(orders.created_at < ${after.at} or (orders.created_at = ${after.at} and orders.id > ${after.id}))`}
    order by orders.created_at desc, orders.id limit ${size + 1}`.execute(db)
  const { page, last } = pageOf(rows, size)
  return {
    orders: page.map(toAdminOrder),
    next: last === null ? null : `${last.createdAt.toISOString()}~${last.id}`,
  }
}

/** Orders that need an admin: payments that do not match, failed fulfilments and disputes. The oldest issue comes first. */
export async function listPaymentIssues(db: Db): Promise<(AdminOrder & { readonly since: string })[]> {
  const { rows } = await sql<OrderRow & { since: Date }>`
    select ${orderColumns}, coalesce(orders.payment_issue_at, (
      select max(at) from order_moves where order_moves.order_id = orders.id and to_state = 'disputed')) as since
    from orders join users on users.id = orders.user_id
    where orders.payment_issue is not null or orders.state = 'disputed'
    order by since, orders.id limit ${PAYMENT_ISSUES_SHOWN}`.execute(db)
  return rows.map((row) => ({ ...toAdminOrder(row), since: row.since.toISOString() }))
}

/** The number of orders that need an admin. */
export async function countPaymentIssues(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from orders where payment_issue is not null or state = 'disputed'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Matches part of the buyer's email address, an order id or its beginning, or an id of the gateway. */
function matching(search: string) {
  if (isUuid(search)) return sql`orders.id = ${search.toLowerCase()}::uuid`
  if (/^(cs|pi)_/.test(search))
    return sql`(orders.gateway_session_id = ${search} or orders.gateway_payment_intent = ${search})`
  const part = `%${likeText(search)}%`
  const beginning = /^[0-9a-f-]{4,36}$/i.test(search) ? `${search.toLowerCase()}%` : null
  return sql`(users.email ilike ${part} or orders.id::text like ${beginning})`
}

function toAdminOrder({
  id,
  state,
  createdAt,
  totalCents,
  isLive,
  paymentIssue,
  buyerEmail,
  titles,
}: OrderRow): AdminOrder {
  return {
    id,
    state,
    createdAt: createdAt.toISOString(),
    totalCents,
    isLive,
    paymentIssue: readPaymentIssue(paymentIssue),
    buyerEmail,
    titles,
  }
}

/** An order with its access, gateway ids and history. */
export async function findOrderRecord(db: Db, orderId: string): Promise<OrderRecord | null> {
  const order = await findOrder(db, orderId)
  const facts = await db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .where('orders.id', '=', orderId)
    .select([
      'is_live',
      'provider',
      'gateway_session_id',
      'gateway_payment_intent',
      'payment_issue',
      'payment_issue_at',
      'users.deleted_at',
    ])
    .executeTakeFirst()
  if (order === null || facts === undefined) return null
  const grants = await listGrantsOf(db, await listSources(db, orderId))
  const findGrant = (matches: (grant: (typeof grants)[number]) => boolean): Grant | null => {
    const grant = grants.find(matches)
    if (grant === undefined) return null
    return {
      holder: grant.holder,
      startsAt: grant.startsAt.toISOString(),
      endsAt: grant.endsAt.toISOString(),
      revokedAt: grant.revokedAt?.toISOString() ?? null,
    }
  }
  return {
    ...order,
    buyerId: facts.deleted_at === null ? order.buyerId : null,
    isLive: facts.is_live,
    provider: facts.provider,
    sessionId: facts.gateway_session_id,
    paymentIntent: facts.gateway_payment_intent,
    paymentIssue: readPaymentIssue(facts.payment_issue),
    paymentIssueAt: facts.payment_issue_at?.toISOString() ?? null,
    lines: order.lines.map((line) => ({
      ...line,
      grant: findGrant((grant) => grant.source === 'order' && grant.courseId === line.courseId),
      seats: line.seats.map((seat) => ({ ...seat, grant: findGrant((grant) => grant.seatCode === seat.code) })),
    })),
    history: await listEvents(db, orderId),
  }
}

const Detail = z.record(z.string(), z.unknown()).catch({})

/** Moves, gateway events and admin actions, oldest first. */
async function listEvents(db: Db, orderId: string): Promise<OrderEvent[]> {
  const moves = await db
    .selectFrom('order_moves')
    .where('order_id', '=', orderId)
    .orderBy('id')
    .select(['at', 'from_state', 'to_state', 'cause', 'detail'])
    .execute()
  const gatewayEvents = await db
    .selectFrom('gateway_events')
    .where('order_id', '=', orderId)
    .orderBy('received_at')
    .orderBy('id')
    .select(['id', 'kind', 'outcome', 'received_at'])
    .execute()
  const actions = await db
    .selectFrom('audit_log')
    .leftJoin('users', 'users.id', 'audit_log.actor_id')
    .where('subject_table', '=', 'orders')
    .where('subject_id', '=', orderId)
    .where('action', '!=', 'order.read')
    .orderBy('audit_log.id')
    .select(['audit_log.at', 'audit_log.action', 'audit_log.after', 'users.email'])
    .execute()
  const events: (OrderEvent & { order: number })[] = [
    ...moves.map((move) => ({
      at: move.at.toISOString(),
      kind: 'move' as const,
      what: move.from_state === null ? move.to_state : `${move.from_state} ${move.to_state}`,
      why: [move.cause, ...factsIn(move.detail)].join(', '),
      order: 1,
    })),
    ...gatewayEvents.map((event) => ({
      at: event.received_at.toISOString(),
      kind: 'event' as const,
      what: event.kind,
      why: `${event.outcome}, ${event.id}`,
      order: 2,
    })),
    ...actions.map((action) => ({
      at: action.at.toISOString(),
      kind: 'action' as const,
      what: action.action,
      why: [action.email ?? '', ...factsIn(action.after)].filter((part) => part !== '').join(', '),
      order: actionsBeforeReply.has(action.action) ? 0 : 3,
    })),
  ]
  return events
    .sort((a, b) => a.at.localeCompare(b.at) || a.order - b.order)
    .map(({ order: _order, ...event }) => event)
}

/** Of entries with the same time, these actions come before the gateway's reply, and all others after it. */
const actionsBeforeReply = new Set(['order.refund', 'order.check'])

function factsIn(detail: unknown): string[] {
  return Object.entries(Detail.parse(detail ?? {}))
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => {
      if (name.endsWith('Cents') && typeof value === 'number') return formatDollars(cents(value))
      return value === true ? (factText[name] ?? name) : `${factText[name] ?? name} ${String(value)}`
    })
}
