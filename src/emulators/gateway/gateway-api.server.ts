import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../../platform/clock.server.ts'
import type { Log } from '../../platform/log.server.ts'
import { inTransaction } from '../emulator-storage.server.ts'
import { readSwitches } from './pages/gateway-switches.server.ts'
import {
  addPayment,
  expireDue,
  expireSession,
  findPayment,
  findPaymentOf,
  refund,
  unixSeconds,
  type Ledger,
} from './gateway-ledger.server.ts'
import type { RequestCause } from './gateway-events.server.ts'
import { readForm } from './form-encoding.server.ts'
import { GatewayError, missingResource } from './gateway-error.server.ts'
import {
  API_VERSION,
  balanceObject,
  chargeObject,
  disputeObject,
  intentObject,
  lineItemObject,
  listObject,
  refundObject,
  sessionObject,
} from './stripe-objects.server.ts'
import { newId, Payment } from './card-payment.server.ts'
import {
  CreateRefund,
  CreateSession,
  ListEvents,
  ListLines,
  ListRefunds,
  ListSessions,
  readParams,
  Retrieve,
  type Range,
} from './gateway-requests.server.ts'

/** Answers in time what Stripe promises: half an hour at least, a day at most. */
const SHORTEST_SECONDS = 30 * 60
const LONGEST_SECONDS = 24 * 60 * 60
const IDEMPOTENCY_KEY_SECONDS = 24 * 60 * 60
/** Stripe refuses to collect less than half a dollar. */
const SMALLEST_CENTS = 50
const MAX_BODY_BYTES = 256 * 1024

export type ApiEnv = { Bindings: HttpBindings; Variables: { cause: NonNullable<RequestCause> } }
type Ask = Context<ApiEnv>

/** Stripe's API, as far as the shop uses it: the same paths, forms, objects, errors and idempotency. */
export function createGatewayApi(options: {
  pool: Pool
  clock: Clock
  secretKey: string
  payBase: string
  log: Pick<Log, 'error'>
  /** Called after every change, when its events may be due. */
  changed: () => void
}): Hono<ApiEnv> {
  const { pool, clock, log } = options
  const api = new Hono<ApiEnv>()

  api.use(async (c, next) => {
    const requestId = newId('req', 14)
    c.set('cause', { requestId, idempotencyKey: c.req.header('idempotency-key') ?? null })
    const { api: mood, slowMs } = await readSwitches(pool)
    if (mood === 'unreachable' && c.env?.incoming) {
      c.env.incoming.socket.destroy()
      return RESPONSE_ALREADY_SENT
    }
    if (mood === 'down' || mood === 'unreachable') {
      throw new GatewayError(503, 'api_error', 'The test gateway is down, because its switch says so.')
    }
    if (mood === 'slow') await wait(slowMs)
    checkKey(c.req.header('authorization'), options.secretKey)
    await next()
    c.header('request-id', requestId)
    c.header('stripe-version', API_VERSION)
    c.header('cache-control', 'no-cache, no-store')
  })
  api.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new GatewayError(413, 'invalid_request_error', 'Request body too large.')
      },
    }),
  )
  api.onError((error, c) => {
    if (error instanceof GatewayError) return c.json(error.body, error.status)
    log.error({ err: error, path: c.req.path }, 'test gateway: request failed')
    return c.json(new GatewayError(500, 'api_error', 'An unknown error occurred').body, 500)
  })
  api.notFound((c) => {
    const message = `Unrecognized request URL (${c.req.method}: ${c.req.path}). This test gateway plays only a part of Stripe's API.`
    return c.json(new GatewayError(404, 'invalid_request_error', message).body, 404)
  })

  api.post('/v1/checkout/sessions', (c) =>
    answerOnce(c, async (ledger, form) => {
      const wish = readParams(CreateSession, form)
      const payment = newPayment(wish, unixSeconds(clock), options.payBase)
      await addPayment(ledger, payment)
      return expanded(payment, wish.expand)
    }),
  )
  api.post('/v1/checkout/sessions/:id/expire', (c) =>
    answerOnce(c, async (ledger, form) => {
      const { expand } = readParams(Retrieve, form)
      return expanded(
        found(await expireSession(ledger, c.req.param('id')), 'checkout.session', c.req.param('id')),
        expand,
      )
    }),
  )
  api.get('/v1/checkout/sessions', async (c) => {
    const wish = readParams(ListSessions, query(c))
    await closeStale()
    const { rows, hasMore } = await pageOf<{ payment: unknown }>('demo.gateway_session', 'payment', wish, [
      ['payment_intent = ?', wish.payment_intent],
      ['status = ?', wish.status],
      [`coalesce(payment->>'payerEmail', payment->>'customerEmail') = ?`, wish.customer_details?.email],
    ])
    const wanted = wish.expand.map((path) => path.replace(/^data\./, ''))
    return c.json(
      listObject(
        '/v1/checkout/sessions',
        rows.map((row) => expanded(Payment.parse(row.payment), wanted)),
        hasMore,
      ),
    )
  })
  api.get('/v1/checkout/sessions/:id', async (c) => {
    const { expand } = readParams(Retrieve, query(c))
    return c.json(expanded(await sessionOf(c), expand))
  })
  api.get('/v1/checkout/sessions/:id/line_items', async (c) => {
    const wish = readParams(ListLines, query(c))
    const payment = await sessionOf(c)
    const start = wish.starting_after ? payment.lines.findIndex(({ id }) => id === wish.starting_after) + 1 : 0
    const lines = payment.lines.slice(start, start + wish.limit)
    const url = `/v1/checkout/sessions/${payment.id}/line_items`
    return c.json(
      listObject(
        url,
        lines.map((line) => lineItemObject(payment, line)),
        start + lines.length < payment.lines.length,
      ),
    )
  })

  api.get('/v1/payment_intents/:id', async (c) => {
    const { expand } = readParams(Retrieve, query(c))
    const id = c.req.param('id')
    const payment = found(await findPaymentOf(pool, { intent: id }), 'payment_intent', id, 'intent')
    return c.json(expandedIntent(payment, expand))
  })
  api.get('/v1/charges/:id', async (c) => {
    const { expand } = readParams(Retrieve, query(c))
    const payment = found(await findPaymentOf(pool, { charge: c.req.param('id') }), 'charge', c.req.param('id'))
    return c.json(expandedCharge(payment, expand))
  })
  api.get('/v1/disputes/:id', async (c) => {
    const payment = found(await findPaymentOf(pool, { dispute: c.req.param('id') }), 'dispute', c.req.param('id'))
    return c.json(disputeObject(payment, found(payment.dispute, 'dispute', c.req.param('id'))))
  })

  api.post('/v1/refunds', (c) =>
    answerOnce(c, async (ledger, form) => {
      const wish = readParams(CreateRefund, form)
      const payment =
        wish.payment_intent !== undefined
          ? found(
              await findPaymentOf(ledger.tx, { intent: wish.payment_intent }),
              'payment_intent',
              wish.payment_intent,
              'payment_intent',
            )
          : found(await findPaymentOf(ledger.tx, { charge: wish.charge ?? '' }), 'charge', wish.charge ?? '', 'charge')
      const made = found(
        await refund(ledger, payment.id, {
          amountCents: wish.amount ?? null,
          reason: wish.reason ?? null,
          metadata: wish.metadata,
        }),
        'checkout.session',
        payment.id,
      )
      return refundObject(made.payment, made.refund)
    }),
  )
  api.get('/v1/refunds', async (c) => {
    const wish = readParams(ListRefunds, query(c))
    const { rows } = await pool.query<{ payment: unknown }>(
      `select payment from demo.gateway_session
       where jsonb_array_length(payment->'refunds') > 0
         and ($1::text is null or payment_intent = $1) and ($2::text is null or payment->'charge'->>'id' = $2)`,
      [wish.payment_intent, wish.charge],
    )
    const refunds = rows
      .map((row) => Payment.parse(row.payment))
      .flatMap((payment) => payment.refunds.map((made) => refundObject(payment, made)).toReversed())
      .filter(({ created }) => isWithin(created, wish.created))
      .sort((a, b) => b.created - a.created)
    const start = wish.starting_after ? refunds.findIndex(({ id }) => id === wish.starting_after) + 1 : 0
    return c.json(
      listObject('/v1/refunds', refunds.slice(start, start + wish.limit), start + wish.limit < refunds.length),
    )
  })
  api.get('/v1/refunds/:id', async (c) => {
    const id = c.req.param('id')
    const payment = found(await findPaymentOf(pool, { refund: id }), 'refund', id)
    return c.json(refundObject(payment, found(payment.refunds.find((made) => made.id === id) ?? null, 'refund', id)))
  })

  api.get('/v1/events', async (c) => {
    const wish = readParams(ListEvents, query(c))
    const { rows, hasMore } = await pageOf<{ body: string }>('demo.gateway_event', 'body', wish, [
      ['type = ?', wish.type],
    ])
    return c.json(
      listObject(
        '/v1/events',
        rows.map((row): unknown => JSON.parse(row.body)),
        hasMore,
      ),
    )
  })
  api.get('/v1/events/:id', async (c) => {
    const id = c.req.param('id')
    const { rows } = await pool.query<{ body: string }>('select body from demo.gateway_event where id = $1', [id])
    return c.body(found(rows[0] ?? null, 'event', id).body, 200, { 'content-type': 'application/json' })
  })

  api.get('/v1/balance', async (c) => {
    const { rows } = await pool.query<{ currency: string; amountCents: string }>(
      `select payment->>'currency' as currency, sum(
         (select coalesce(sum((l->>'unitCents')::bigint * (l->>'quantity')::bigint), 0) from jsonb_array_elements(payment->'lines') l)
         - (select coalesce(sum((r->>'amountCents')::bigint), 0) from jsonb_array_elements(payment->'refunds') r)
       )::text as "amountCents"
       from demo.gateway_session where status = 'complete' and (payment->>'isPaid')::boolean group by 1 order by 1`,
    )
    return c.json(balanceObject(rows.map((row) => ({ currency: row.currency, amountCents: Number(row.amountCents) }))))
  })

  /** The same key with the same parameters gets the same reply, also when both arrive at once. */
  async function answerOnce(c: Ask, work: (ledger: Ledger, form: ReturnType<typeof readForm>) => Promise<object>) {
    const text = await c.req.text()
    const fields = new URLSearchParams(text)
    const cause = c.get('cause')
    const reply = await inTransaction(pool, async (tx) => {
      const ledger = { tx, clock, cause }
      await expireDue(ledger)
      const key = cause.idempotencyKey
      if (key === null) return { text: JSON.stringify(await work(ledger, readForm(fields))), isReplay: false }
      const kept = await claimKey(tx, key, c, fields)
      if (kept !== null) return { text: kept, isReplay: true }
      const made = JSON.stringify(await work(ledger, readForm(fields)))
      await tx.query('update demo.gateway_idempotency set reply = $2 where key = $1', [key, made])
      return { text: made, isReplay: false }
    })
    options.changed()
    if (reply.isReplay) c.header('idempotent-replayed', 'true')
    if (cause.idempotencyKey !== null) c.header('idempotency-key', cause.idempotencyKey)
    return c.body(reply.text, 200, { 'content-type': 'application/json' })
  }

  /** The kept reply of this key, or null when it is ours to answer. A second asker waits here until the first is done. */
  async function claimKey(tx: PoolClient, key: string, c: Ask, fields: URLSearchParams): Promise<string | null> {
    if (key.length > 255) {
      throw new GatewayError(400, 'idempotency_error', 'Idempotency keys have at most 255 characters.')
    }
    const now = unixSeconds(clock)
    const asked = `${c.req.method} ${c.req.path}?${[...fields]
      .map((pair) => pair.join('='))
      .sort()
      .join('&')}`
    const params = createHash('sha256').update(asked).digest('hex')
    await tx.query('delete from demo.gateway_idempotency where created_at < $1', [now - IDEMPOTENCY_KEY_SECONDS])
    const claimed = await tx.query(
      'insert into demo.gateway_idempotency (key, params, created_at) values ($1, $2, $3) on conflict (key) do nothing',
      [key, params, now],
    )
    if (claimed.rowCount === 1) return null
    const { rows } = await tx.query<{ params: string; reply: string }>(
      'select params, reply from demo.gateway_idempotency where key = $1',
      [key],
    )
    if (rows[0]?.params !== params) {
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
      throw new GatewayError(400, 'idempotency_error', message)
    }
    return rows[0].reply
  }

  async function sessionOf(c: Ask): Promise<Payment> {
    await closeStale()
    const id = c.req.param('id') ?? ''
    return found(await findPayment(pool, id), 'checkout.session', id, 'session')
  }

  async function closeStale(): Promise<void> {
    const { rows } = await pool.query(
      `select from demo.gateway_session where status = 'open' and expires_at <= $1 limit 1`,
      [unixSeconds(clock)],
    )
    if (rows.length === 0) return
    await inTransaction(pool, (tx) => expireDue({ tx, clock, cause: null }))
    options.changed()
  }

  /** One page of a list, newest first, as Stripe's cursors ask for it. */
  async function pageOf<R extends { [column: string]: unknown }>(
    table: 'demo.gateway_session' | 'demo.gateway_event',
    column: 'payment' | 'body',
    wish: { limit: number; starting_after?: string; ending_before?: string; created?: Range },
    filters: readonly (readonly [condition: string, value: string | undefined])[],
  ): Promise<{ rows: R[]; hasMore: boolean }> {
    const values: unknown[] = []
    const conditions = ['true']
    const demand = (condition: string, value: string | number | undefined) => {
      if (value === undefined) return
      values.push(value)
      conditions.push(condition.replace('?', `$${values.length}`))
    }
    for (const [condition, value] of filters) demand(condition, value)
    demand('created_at > ?', wish.created?.gt)
    demand('created_at >= ?', wish.created?.gte)
    demand('created_at < ?', wish.created?.lt)
    demand('created_at <= ?', wish.created?.lte)
    demand(`seq < (select seq from ${table} where id = ?)`, wish.starting_after)
    demand(`seq > (select seq from ${table} where id = ?)`, wish.ending_before)
    const isBackwards = wish.ending_before !== undefined
    const { rows } = await pool.query<R>(
      `select ${column} from ${table} where ${conditions.join(' and ')}
       order by seq ${isBackwards ? 'asc' : 'desc'} limit ${wish.limit + 1}`,
      values,
    )
    const page = rows.slice(0, wish.limit)
    return { rows: isBackwards ? page.toReversed() : page, hasMore: rows.length > wish.limit }
  }

  return api
}

function newPayment(wish: CreateSession, now: number, payBase: string): Payment {
  const [first] = wish.line_items
  const currency = first?.price_data.currency ?? 'usd'
  const odd = wish.line_items.findIndex((line) => line.price_data.currency !== currency)
  if (odd >= 0) {
    const message = `You specified line items in more than one currency: all must be in ${currency}.`
    throw new GatewayError(400, 'invalid_request_error', message, { param: `line_items[${odd}][price_data][currency]` })
  }
  const total = wish.line_items.reduce((sum, line) => sum + line.price_data.unit_amount * line.quantity, 0)
  if (total < SMALLEST_CENTS) {
    const message = `The Checkout Session's total amount must convert to at least 50 cents. ${total} is too small.`
    throw new GatewayError(400, 'invalid_request_error', message, { code: 'amount_too_small', param: 'line_items' })
  }
  const expiresAt = wish.expires_at ?? now + LONGEST_SECONDS
  if (expiresAt < now + SHORTEST_SECONDS || expiresAt > now + LONGEST_SECONDS) {
    const message =
      'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.'
    throw new GatewayError(400, 'invalid_request_error', message, { param: 'expires_at' })
  }
  const id = newId('cs_test', 58)
  return {
    id,
    createdAt: now,
    expiresAt,
    status: 'open',
    isPaid: false,
    currency,
    lines: wish.line_items.map((line) => ({
      id: newId('li'),
      priceId: newId('price'),
      productId: newId('prod', 14),
      name: line.price_data.product_data.name,
      description: line.price_data.product_data.description ?? null,
      unitCents: line.price_data.unit_amount,
      quantity: line.quantity,
    })),
    url: `${payBase}/${id}`,
    successUrl: wish.success_url,
    cancelUrl: wish.cancel_url ?? null,
    clientReferenceId: wish.client_reference_id ?? null,
    customerEmail: wish.customer_email ?? null,
    customerCreation: wish.customer_creation ?? null,
    locale: wish.locale ?? null,
    submitType: wish.submit_type ?? null,
    methodTypes: wish.allowed_payment_method_types ?? null,
    metadata: wish.metadata,
    intentMetadata: wish.payment_intent_data?.metadata ?? {},
    intentDescription: wish.payment_intent_data?.description ?? null,
    payerEmail: null,
    method: null,
    intent: null,
    charge: null,
    refunds: [],
    dispute: null,
  }
}

function expanded(payment: Payment, paths: readonly string[]) {
  const session = sessionObject(payment)
  const inIntent: string[] = []
  let isIntentWanted = false
  for (const path of paths) {
    if (path === 'line_items') {
      session.line_items = listObject(
        `/v1/checkout/sessions/${payment.id}/line_items`,
        payment.lines.map((line) => lineItemObject(payment, line)),
      )
    } else if (path === 'payment_intent' || path.startsWith('payment_intent.')) {
      isIntentWanted = true
      if (path !== 'payment_intent') inIntent.push(path.slice('payment_intent.'.length))
    } else if (path !== 'customer') cannotExpand(path)
  }
  if (isIntentWanted && payment.intent) session.payment_intent = expandedIntent(payment, inIntent)
  return session
}

function expandedIntent(payment: Payment, paths: readonly string[]) {
  const intent = intentObject(payment)
  for (const path of paths) {
    if (path === 'latest_charge' || path.startsWith('latest_charge.')) {
      const inCharge = path === 'latest_charge' ? [] : [path.slice('latest_charge.'.length)]
      if (payment.charge) intent.latest_charge = expandedCharge(payment, inCharge)
    } else if (path !== 'customer') cannotExpand(path)
  }
  return intent
}

function expandedCharge(payment: Payment, paths: readonly string[]) {
  const charge = chargeObject(payment)
  for (const path of paths) {
    if (path === 'refunds') {
      const refunds = payment.refunds.map((made) => refundObject(payment, made)).toReversed()
      charge.refunds = listObject(`/v1/charges/${charge.id}/refunds`, refunds)
    } else if (path === 'payment_intent' && payment.intent) charge.payment_intent = intentObject(payment)
    else cannotExpand(path)
  }
  return charge
}

function cannotExpand(path: string): never {
  throw new GatewayError(400, 'invalid_request_error', `This property cannot be expanded (${path}).`, {
    param: 'expand',
  })
}

function query(c: Ask): ReturnType<typeof readForm> {
  return readForm(new URL(c.req.url).searchParams)
}

function found<T>(value: T | null, kind: string, id: string, param = 'id'): T {
  if (value === null) throw missingResource(kind, id, param)
  return value
}

function isWithin(at: number, range: Range | undefined): boolean {
  if (range === undefined) return true
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return at > gt && at >= gte && at < lt && at <= lte
}

function checkKey(authorization: string | undefined, secretKey: string): void {
  const [scheme = '', rest = ''] = (authorization ?? '').split(' ')
  const given = scheme.toLowerCase() === 'basic' ? (Buffer.from(rest, 'base64').toString().split(':')[0] ?? '') : rest
  if (given === '') {
    throw new GatewayError(401, 'invalid_request_error', 'You did not provide an API key.')
  }
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(given), digest(secretKey))) {
    const shown = given.length > 12 ? `${given.slice(0, 8)}***${given.slice(-4)}` : '***'
    throw new GatewayError(401, 'invalid_request_error', `Invalid API Key provided: ${shown}`)
  }
}
