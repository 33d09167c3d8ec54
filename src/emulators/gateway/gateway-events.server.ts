import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import type Stripe from 'stripe'
import type { Clock } from '../../platform/clock.server.ts'
import type { Log } from '../../platform/log.server.ts'
import { inTransaction, type Db } from '../emulator-storage.server.ts'
import type { Switches } from './pages/gateway-switches.server.ts'
import { API_VERSION } from './stripe-objects.server.ts'
import { newId } from './card-payment.server.ts'

const POLL_MS = 10

/** The event types that this gateway sends. */
export type EventType = Extract<
  Stripe.Event.Type,
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'checkout.session.async_payment_succeeded'
  | 'checkout.session.async_payment_failed'
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'charge.refunded'
  | 'charge.dispute.created'
  | 'charge.dispute.closed'
  | 'refund.created'
>

/** The API request that caused an event; null when the page, the clock or a switch caused it. */
export type RequestCause = { requestId: string; idempotencyKey: string | null } | null

const FIRST_RETRY_MS = 250
const MAX_RETRY_MS = 60_000
const MAX_ATTEMPTS = 14
const RESPONSE_TIMEOUT_MS = 10_000
const MAX_CONCURRENT = 6
const LEASE_LOCK = 7_304_102

/** Stores an event in the transaction of its change. The current switches decide how it will be delivered. */
export async function storeEvent(
  tx: Db,
  event: {
    sessionId: string
    type: EventType
    object: object
    cause: RequestCause
    createdAt: number
    switches: Switches
  },
): Promise<void> {
  const { delivery, lateMs } = event.switches
  const id = newId('evt')
  const body = {
    id,
    object: 'event',
    api_version: API_VERSION,
    created: event.createdAt,
    data: { object: event.object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: event.cause?.requestId ?? null, idempotency_key: event.cause?.idempotencyKey ?? null },
    type: event.type,
  }
  const isReversed = delivery === 'out-of-order'
  const waits = delivery === 'late' || isReversed ? lateMs : 0
  // Out of order: events within one delay share its due time, and are then delivered newest first. The delay uses the
  // database's clock, because all processes share it.
  await tx.query(
    `insert into demo.gateway_event (id, session_id, type, body, created_at, state, copies, is_reversed, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, coalesce(
       (select min(due_at) from demo.gateway_event
        where $8 and is_reversed and state = 'pending' and due_at > clock_timestamp()),
       clock_timestamp() + $9 * interval '1 millisecond'))`,
    [
      id,
      event.sessionId,
      event.type,
      JSON.stringify(body),
      event.createdAt,
      delivery === 'never' ? 'held' : 'pending',
      delivery === 'twice' ? 2 : 1,
      isReversed,
      waits,
    ],
  )
}

/** The `Stripe-Signature` header for exactly this body. */
export function signatureOf(body: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

/** An event in the list on the gateway's page. */
export type EventRow = { type: string; state: string; attempts: number; sessionId: string; lastAnswer: string | null }

export type Delivery = {
  /** Delivers the due events; resolves when the receiver has answered them. */
  deliverDue(): Promise<void>
  /** Delivers every event that is waiting, held back or given up. */
  deliverAll(): Promise<{ delivered: number; waiting: number }>
  /** Aborts deliveries in progress; their events stay due. */
  stop(): Promise<void>
}

type DueEvent = { id: string; type: string; body: string; copies: number; attempts: number }

/** The shop's webhook, and the clock that dates the signatures. */
type Receiver = { clock: Clock; webhookUrl: string; webhookSecret: string }

export function createDelivery({
  pool,
  log,
  ...receiver
}: Receiver & { pool: Pool; log: Pick<Log, 'info' | 'warn'> }): Delivery {
  const closing = new AbortController()
  const open = new Set<Promise<void>>()

  async function send(event: DueEvent): Promise<void> {
    const answer = await postEvent(event, receiver, closing.signal)
    if (closing.signal.aborted) {
      await pool.query('update demo.gateway_event set leased_until = null where id = $1', [event.id])
    } else if (answer.isAccepted) {
      await storeDelivered(pool, event, answer.text)
    } else {
      const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** event.attempts, MAX_RETRY_MS)
      log.warn({ event: event.id, type: event.type, answer: answer.text, pauseMs }, 'test gateway: event not accepted')
      await storeRefused(pool, event, { answer: answer.text, pauseMs })
    }
  }

  async function deliverDue(): Promise<void> {
    while (!closing.signal.aborted) {
      const event = open.size < MAX_CONCURRENT ? await claimNext(pool) : null
      if (event) {
        const sending: Promise<void> = send(event)
          // An event whose result can't be stored is sent again when its lease ends.
          .catch((error: unknown) =>
            log.warn({ err: error, event: event.id }, 'test gateway: delivery result not stored'),
          )
          .finally(() => open.delete(sending))
        open.add(sending)
      } else if (open.size > 0) {
        await Promise.race(open)
      } else {
        break
      }
    }
  }

  return {
    deliverDue,
    deliverAll: async () => {
      const ids = await makeAllDue(pool)
      await deliverDue()
      await untilSent(pool, ids)
      // Deliver the events that had to wait for an event that another round was sending.
      await deliverDue()
      return countEvents(pool, ids)
    },
    stop: async () => {
      closing.abort()
      await Promise.all(open)
    },
  }
}

async function postEvent(event: DueEvent, { clock, webhookUrl, webhookSecret }: Receiver, closing: AbortSignal) {
  return fetch(webhookUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signatureOf(event.body, webhookSecret, clock.now()),
      'user-agent': 'Stripe/1.0 (test gateway)',
    },
    body: event.body,
    redirect: 'manual',
    signal: AbortSignal.any([closing, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
  }).then(
    async (response) => {
      await response.body?.cancel()
      return { isAccepted: response.ok, text: `HTTP ${response.status}` }
    },
    (error: unknown) => ({ isAccepted: false, text: error instanceof Error ? error.message : 'no answer' }),
  )
}

async function storeDelivered(pool: Pool, event: DueEvent, answer: string): Promise<void> {
  await pool.query(
    `update demo.gateway_event set copies = copies - 1, state = case when copies > 1 then 'pending' else 'delivered' end,
       attempts = attempts + 1, leased_until = null, last_answer = $2 where id = $1`,
    [event.id, answer],
  )
}

async function storeRefused(
  pool: Pool,
  event: DueEvent,
  { answer, pauseMs }: { answer: string; pauseMs: number },
): Promise<void> {
  await pool.query(
    `update demo.gateway_event set attempts = attempts + 1, leased_until = null, last_answer = $2,
       state = case when attempts + 1 >= $4 then 'given-up' else 'pending' end,
       due_at = clock_timestamp() + $3 * interval '1 millisecond' where id = $1`,
    [event.id, answer, pauseMs, MAX_ATTEMPTS],
  )
}

/** Makes every event due that is waiting, held back or given up; returns their ids. */
async function makeAllDue(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `update demo.gateway_event set state = 'pending', due_at = clock_timestamp(), attempts = 0
     where state in ('held', 'given-up') or (state = 'pending' and leased_until is null) returning id`,
  )
  return rows.map(({ id }) => id)
}

/** Counts by state, because another round may have delivered some of these events. */
async function countEvents(pool: Pool, ids: readonly string[]): Promise<{ delivered: number; waiting: number }> {
  const { rows } = await pool.query<{ delivered: number; waiting: number }>(
    `select count(*) filter (where state = 'delivered' and id = any($1))::int as delivered,
            count(*) filter (where state in ('pending', 'held'))::int as waiting
     from demo.gateway_event`,
    [ids],
  )
  return { delivered: rows[0]?.delivered ?? 0, waiting: rows[0]?.waiting ?? 0 }
}

/** Waits until no process is sending one of these events. Leases end by themselves. */
async function untilSent(pool: Pool, ids: readonly string[]): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      'select from demo.gateway_event where id = any($1) and leased_until > clock_timestamp() limit 1',
      [ids],
    )
    if (rows.length === 0) return
    await wait(POLL_MS)
  }
}

/**
 * Leases the next due event to the caller. Events of one payment are sent one after another, so that 'normal' delivery keeps
 * their order; events of different payments don't wait for each other.
 */
async function claimNext(pool: Pool): Promise<DueEvent | null> {
  return inTransaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [LEASE_LOCK])
    const { rows } = await tx.query<DueEvent>(
      `update demo.gateway_event set leased_until = clock_timestamp() + $1 * interval '1 millisecond'
       where id = (
         select id from demo.gateway_event e
         where state = 'pending' and due_at <= clock_timestamp()
           and not exists (select from demo.gateway_event other
                           where other.session_id = e.session_id and other.leased_until > clock_timestamp())
         order by case when is_reversed then -seq else seq end
         limit 1)
       returning id, type, body, copies, attempts`,
      [2 * RESPONSE_TIMEOUT_MS],
    )
    return rows[0] ?? null
  })
}
