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
import {
  addPayment,
  expireDue,
  expireSession,
  findPayment,
  findPaymentOf,
  readBoard,
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

/** Stripe's limits for the lifetime of a checkout session. */
const MIN_SESSION_SECONDS = 30 * 60
const MAX_SESSION_SECONDS = 24 * 60 * 60
const IDEMPOTENCY_KEY_SECONDS = 24 * 60 * 60
/** Stripe refuses payments below half a dollar. */
const MIN_TOTAL_CENTS = 50
const MAX_BODY_BYTES = 256 * 1024
/** The path of a session and of its lines. */
const SESSION_READ = /^\/v1\/checkout\/sessions\/([^/]+)(?:\/line_items)?$/

export type ApiEnv = {
  Bindings: HttpBindings
  Variables: {
    cause: NonNullable<RequestCause>
    /** The payment that the path names, if the request has read it with the switches. */
    payment: Payment | null | undefined
  }
}
type ApiContext = Context<ApiEnv>

type ApiOptions = {
  pool: Pool
  clock: Clock
  secretKey: string
  payBase: string
  log: Pick<Log, 'error'>
  /** Called after every change, because new events may be due. */
  onChange: () => void
}

/** The part of Stripe's API that the shop uses: the same paths, parameters, objects, errors and idempotency. */
export function createGatewayApi(options: ApiOptions): Hono<ApiEnv> {
  const { pool, log } = options
  const api = new Hono<ApiEnv>()
  api.use(async (c, next) => {
    const requestId = newId('req', 14)
    c.set('cause', { requestId, idempotencyKey: c.req.header('idempotency-key') ?? null })
    // Before there is a reply: Hono copies one whose headers change, and its body becomes a slow stream.
    c.header('request-id', requestId)
    c.header('stripe-version', API_VERSION)
    c.header('cache-control', 'no-cache, no-store')
    const { switches, payment } = await readBoard(pool, SESSION_READ.exec(c.req.path)?.[1])
    const { api: mode, slowMs } = switches
    if (mode === 'unreachable' && c.env?.incoming) {
      c.env.incoming.socket.destroy()
      return RESPONSE_ALREADY_SENT
    }
    if (mode === 'down' || mode === 'unreachable') {
      throw new GatewayError(503, 'api_error', 'The test gateway is down, because its switch says so.')
    }
    if (mode === 'slow') await wait(slowMs)
    // What was read before a slow reply is not what is true after it.
    else c.set('payment', payment)
    checkKey(c.req.header('authorization'), options.secretKey)
    await next()
  })
  api.post(
    '*',
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
    const message = `Unrecognized request URL (${c.req.method}: ${c.req.path}). This test gateway supports only a part of Stripe's API.`
    return c.json(new GatewayError(404, 'invalid_request_error', message).body, 404)
  })
  addSessionRoutes(api, options)
  addPaymentRoutes(api, options)
  addRefundRoutes(api, options)
  addEventRoutes(api, options)
  return api
}

function addSessionRoutes(api: Hono<ApiEnv>, options: ApiOptions): void {
  const { pool, clock } = options
  api.post('/v1/checkout/sessions', (c) =>
    answerOnce(c, options, async (ledger, form) => {
      const params = readParams(CreateSession, form)
      const payment = newPayment(params, unixSeconds(clock), options.payBase)
      await addPayment(ledger, payment)
      return expanded(payment, params.expand)
    }),
  )
  api.post('/v1/checkout/sessions/:id/expire', (c) =>
    answerOnce(c, options, async (ledger, form) => {
      const { expand } = readParams(Retrieve, form)
      const id = c.req.param('id')
      return expanded(required(await expireSession(ledger, id), 'checkout.session', id), expand)
    }),
  )
  api.get('/v1/checkout/sessions', async (c) => {
    const params = readParams(ListSessions, query(c))
    await closeExpired(options)
    const { rows, hasMore } = await pageOf<{ payment: unknown }>(pool, 'demo.gateway_session', 'payment', params, [
      ['payment_intent = ?', params.payment_intent],
      ['status = ?', params.status],
      [`coalesce(payment->>'payerEmail', payment->>'customerEmail') = ?`, params.customer_details?.email],
    ])
    const paths = params.expand.map((path) => path.replace(/^data\./, ''))
    const sessions = rows.map((row) => expanded(Payment.parse(row.payment), paths))
    return c.json(listObject('/v1/checkout/sessions', sessions, hasMore))
  })
  api.get('/v1/checkout/sessions/:id', async (c) => {
    const { expand } = readParams(Retrieve, query(c))
    return c.json(expanded(await requireSession(c, options, c.req.param('id')), expand))
  })
  api.get('/v1/checkout/sessions/:id/line_items', async (c) => {
    const params = readParams(ListLines, query(c))
    const payment = await requireSession(c, options, c.req.param('id'))
    const start = params.starting_after ? payment.lines.findIndex(({ id }) => id === params.starting_after) + 1 : 0
    const lines = payment.lines.slice(start, start + params.limit).map((line) => lineItemObject(payment, line))
    const hasMore = start + lines.length < payment.lines.length
    return c.json(listObject(`/v1/checkout/sessions/${payment.id}/line_items`, lines, hasMore))
  })
}

function addPaymentRoutes(api: Hono<ApiEnv>, { pool }: ApiOptions): void {
  api.get('/v1/payment_intents/:id', async (c) => {
    const { expand } = readParams(Retrieve, query(c))
    const id = c.req.param('id')
    const payment = required(await findPaymentOf(pool, { intent: id }), 'payment_intent', id, 'intent')
    return c.json(expandedIntent(payment, expand))
  })
  api.get('/v1/charges/:id', async (c) => {
    const { expand } = readParams(Retrieve, query(c))
    const id = c.req.param('id')
    return c.json(expandedCharge(required(await findPaymentOf(pool, { charge: id }), 'charge', id), expand))
  })
  api.get('/v1/disputes/:id', async (c) => {
    const id = c.req.param('id')
    const payment = required(await findPaymentOf(pool, { dispute: id }), 'dispute', id)
    return c.json(disputeObject(payment, required(payment.dispute, 'dispute', id)))
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
}

function addRefundRoutes(api: Hono<ApiEnv>, options: ApiOptions): void {
  const { pool } = options
  api.post('/v1/refunds', (c) =>
    answerOnce(c, options, async (ledger, form) => {
      const params = readParams(CreateRefund, form)
      const { payment_intent: intent, charge = '', amount = null, reason = null, metadata } = params
      const payment =
        intent === undefined
          ? required(await findPaymentOf(ledger.tx, { charge }), 'charge', charge, 'charge')
          : required(await findPaymentOf(ledger.tx, { intent }), 'payment_intent', intent, 'payment_intent')
      const refunded = await refund(ledger, payment.id, { amountCents: amount, reason, metadata })
      const created = required(refunded, 'checkout.session', payment.id)
      return refundObject(created.payment, created.refund)
    }),
  )
  api.get('/v1/refunds', async (c) => {
    const params = readParams(ListRefunds, query(c))
    const { rows } = await pool.query<{ payment: unknown }>(
      `select payment from demo.gateway_session
       where jsonb_array_length(payment->'refunds') > 0
         and ($1::text is null or payment_intent = $1) and ($2::text is null or payment->'charge'->>'id' = $2)`,
      [params.payment_intent, params.charge],
    )
    const refunds = rows
      .map((row) => Payment.parse(row.payment))
      .flatMap((payment) => payment.refunds.map((entry) => refundObject(payment, entry)).toReversed())
      .filter(({ created }) => isWithin(created, params.created))
      .sort((a, b) => b.created - a.created)
    const start = params.starting_after ? refunds.findIndex(({ id }) => id === params.starting_after) + 1 : 0
    const end = start + params.limit
    return c.json(listObject('/v1/refunds', refunds.slice(start, end), end < refunds.length))
  })
  api.get('/v1/refunds/:id', async (c) => {
    const id = c.req.param('id')
    const payment = required(await findPaymentOf(pool, { refund: id }), 'refund', id)
    const entry = payment.refunds.find((candidate) => candidate.id === id) ?? null
    return c.json(refundObject(payment, required(entry, 'refund', id)))
  })
}

function addEventRoutes(api: Hono<ApiEnv>, { pool }: ApiOptions): void {
  api.get('/v1/events', async (c) => {
    const params = readParams(ListEvents, query(c))
    const { rows, hasMore } = await pageOf<{ body: string }>(pool, 'demo.gateway_event', 'body', params, [
      ['type = ?', params.type],
    ])
    const events = rows.map((row): unknown => JSON.parse(row.body))
    return c.json(listObject('/v1/events', events, hasMore))
  })
  api.get('/v1/events/:id', async (c) => {
    const id = c.req.param('id')
    const { rows } = await pool.query<{ body: string }>('select body from demo.gateway_event where id = $1', [id])
    return c.body(required(rows[0] ?? null, 'event', id).body, 200, { 'content-type': 'application/json' })
  })
}

/** Requests with the same idempotency key and parameters get the same reply, even when they arrive at the same time. */
async function answerOnce(
  c: ApiContext,
  { pool, clock, onChange }: ApiOptions,
  work: (ledger: Ledger, form: ReturnType<typeof readForm>) => Promise<object>,
) {
  const fields = new URLSearchParams(await c.req.text())
  const cause = c.get('cause')
  const reply = await inTransaction(pool, async (tx) => {
    const ledger = { tx, clock, cause }
    await expireDue(ledger)
    const key = cause.idempotencyKey
    if (key === null) return { text: JSON.stringify(await work(ledger, readForm(fields))), isReplay: false }
    const stored = await claimKey(tx, key, describeRequest(c, fields), unixSeconds(clock))
    if (stored !== null) return { text: stored, isReplay: true }
    const text = JSON.stringify(await work(ledger, readForm(fields)))
    await tx.query('update demo.gateway_idempotency set reply = $2 where key = $1', [key, text])
    return { text, isReplay: false }
  })
  onChange()
  if (reply.isReplay) c.header('idempotent-replayed', 'true')
  if (cause.idempotencyKey !== null) c.header('idempotency-key', cause.idempotencyKey)
  return c.body(reply.text, 200, { 'content-type': 'application/json' })
}

function describeRequest(c: ApiContext, fields: URLSearchParams): string {
  const parameters = [...fields].map((pair) => pair.join('=')).sort()
  return `${c.req.method} ${c.req.path}?${parameters.join('&')}`
}

/**
 * The stored reply for this key, or null when the caller has to answer. A second request with the key waits here until the
 * first one is answered.
 */
async function claimKey(tx: PoolClient, key: string, request: string, now: number): Promise<string | null> {
  if (key.length > 255) {
    throw new GatewayError(400, 'idempotency_error', 'Idempotency keys have at most 255 characters.')
  }
  const params = createHash('sha256').update(request).digest('hex')
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

async function requireSession(c: ApiContext, options: ApiOptions, id: string): Promise<Payment> {
  let payment = c.get('payment') ?? (await findPayment(options.pool, id))
  if (payment?.status === 'open' && payment.expiresAt <= unixSeconds(options.clock)) {
    await closeExpired(options)
    payment = await findPayment(options.pool, id)
  }
  return required(payment, 'checkout.session', id, 'session')
}

async function closeExpired({ pool, clock, onChange }: ApiOptions): Promise<void> {
  const { rows } = await pool.query(
    `select from demo.gateway_session where status = 'open' and expires_at <= $1 limit 1`,
    [unixSeconds(clock)],
  )
  if (rows.length === 0) return
  await inTransaction(pool, (tx) => expireDue({ tx, clock, cause: null }))
  onChange()
}

/** One page of a list, newest first, by Stripe's cursors. */
async function pageOf<R extends { [column: string]: unknown }>(
  pool: Pool,
  table: 'demo.gateway_session' | 'demo.gateway_event',
  column: 'payment' | 'body',
  params: { limit: number; starting_after?: string; ending_before?: string; created?: Range },
  filters: readonly (readonly [condition: string, value: string | number | undefined])[],
): Promise<{ rows: R[]; hasMore: boolean }> {
  const values: unknown[] = []
  const conditions = ['true']
  for (const [condition, value] of [
    ...filters,
    ['created_at > ?', params.created?.gt],
    ['created_at >= ?', params.created?.gte],
    ['created_at < ?', params.created?.lt],
    ['created_at <= ?', params.created?.lte],
    [`seq < (select seq from ${table} where id = ?)`, params.starting_after],
    [`seq > (select seq from ${table} where id = ?)`, params.ending_before],
  ] as const) {
    if (value === undefined) continue
    values.push(value)
    conditions.push(condition.replace('?', `$${values.length}`))
  }
  const isBackwards = params.ending_before !== undefined
  const { rows } = await pool.query<R>(
    `select ${column} from ${table} where ${conditions.join(' and ')}
     order by seq ${isBackwards ? 'asc' : 'desc'} limit ${params.limit + 1}`,
    values,
  )
  const page = rows.slice(0, params.limit)
  return { rows: isBackwards ? page.toReversed() : page, hasMore: rows.length > params.limit }
}

function newPayment(params: CreateSession, now: number, payBase: string): Payment {
  const [first] = params.line_items
  const currency = first?.price_data.currency ?? 'usd'
  const mixed = params.line_items.findIndex((line) => line.price_data.currency !== currency)
  if (mixed >= 0) {
    const message = `You specified line items in more than one currency: all must be in ${currency}.`
    throw new GatewayError(400, 'invalid_request_error', message, {
      param: `line_items[${mixed}][price_data][currency]`,
    })
  }
  const total = params.line_items.reduce((sum, line) => sum + line.price_data.unit_amount * line.quantity, 0)
  if (total < MIN_TOTAL_CENTS) {
    const message = `The Checkout Session's total amount must convert to at least 50 cents. ${total} is too small.`
    throw new GatewayError(400, 'invalid_request_error', message, { code: 'amount_too_small', param: 'line_items' })
  }
  const expiresAt = params.expires_at ?? now + MAX_SESSION_SECONDS
  if (expiresAt < now + MIN_SESSION_SECONDS || expiresAt > now + MAX_SESSION_SECONDS) {
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
    lines: params.line_items.map((line) => ({
      id: newId('li'),
      priceId: newId('price'),
      productId: newId('prod', 14),
      name: line.price_data.product_data.name,
      description: line.price_data.product_data.description ?? null,
      unitCents: line.price_data.unit_amount,
      quantity: line.quantity,
    })),
    url: `${payBase}/${id}`,
    successUrl: params.success_url,
    cancelUrl: params.cancel_url ?? null,
    clientReferenceId: params.client_reference_id ?? null,
    customerEmail: params.customer_email ?? null,
    customerCreation: params.customer_creation ?? null,
    locale: params.locale ?? null,
    submitType: params.submit_type ?? null,
    methodTypes: params.allowed_payment_method_types ?? null,
    metadata: params.metadata,
    intentMetadata: params.payment_intent_data?.metadata ?? {},
    intentDescription: params.payment_intent_data?.description ?? null,
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
  let expandsIntent = false
  for (const path of paths) {
    if (path === 'line_items') {
      session.line_items = listObject(
        `/v1/checkout/sessions/${payment.id}/line_items`,
        payment.lines.map((line) => lineItemObject(payment, line)),
      )
    } else if (path === 'payment_intent' || path.startsWith('payment_intent.')) {
      expandsIntent = true
      if (path !== 'payment_intent') inIntent.push(path.slice('payment_intent.'.length))
    } else if (path !== 'customer') cannotExpand(path)
  }
  if (expandsIntent && payment.intent) session.payment_intent = expandedIntent(payment, inIntent)
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
      const refunds = payment.refunds.map((entry) => refundObject(payment, entry)).toReversed()
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

function query(c: ApiContext): ReturnType<typeof readForm> {
  return readForm(new URL(c.req.url).searchParams)
}

function required<T>(value: T | null, kind: string, id: string, param = 'id'): T {
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
  const key = scheme.toLowerCase() === 'basic' ? (Buffer.from(rest, 'base64').toString().split(':')[0] ?? '') : rest
  if (key === '') {
    throw new GatewayError(401, 'invalid_request_error', 'You did not provide an API key.')
  }
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(key), digest(secretKey))) {
    const shown = key.length > 12 ? `${key.slice(0, 8)}***${key.slice(-4)}` : '***'
    throw new GatewayError(401, 'invalid_request_error', `Invalid API Key provided: ${shown}`)
  }
}
