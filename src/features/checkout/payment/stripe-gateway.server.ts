import { Stripe } from 'stripe'
import { z } from 'zod'
import { paths } from '../../../lib/paths.ts'
import {
  chargedLines,
  CURRENCY,
  GATEWAY_LINES,
  type DisputeFacts,
  type PaymentProvider,
  type PaymentFacts,
} from '../orders.ts'
import { fail } from '../checkout.schema.ts'
import { counted } from '../../../lib/text.ts'

export type PaymentSettings = {
  readonly secretKey: string
  readonly webhookSecret: string
  /** Another host with Stripe's API, such as the emulator; undefined means Stripe. */
  readonly apiBase: string | undefined
  readonly appUrl: string
  /** Headers for each call, asked for when it is made. */
  readonly callHeaders?: () => Readonly<Record<string, string>>
}

/** An order as the hosted page charges it. It only has stored values, so that a repeated call sends the same request. */
type OrderToPay = {
  readonly id: string
  readonly buyerEmail: string
  readonly lines: readonly {
    readonly title: string
    readonly quantity: number
    readonly unitPriceCents: number
    readonly discountCents: number
  }[]
  readonly subtotalCents: number
  readonly discountCents: number
  readonly taxCents: number
  readonly shippingCents: number
}

type OpenedSession = { readonly id: string; readonly url: string | null; readonly payableUntil: Date }

/** A payment, and where and until when it can be paid: both null unless its session is open. */
type FoundPayment = PaymentFacts & { readonly url: string | null; readonly payableUntil: Date | null }

/** An event names its subject; the gateway is asked for the subject's state. */
export type GatewayEvent = {
  readonly id: string
  readonly kind: string
  readonly isLive: boolean
  readonly subject:
    | { readonly kind: 'session'; readonly id: string }
    | { readonly kind: 'payment'; readonly intent: string }
    | { readonly kind: 'dispute'; readonly id: string }
    | null
}

type CompletedSession = { readonly sessionId: string; readonly orderId: string | null; readonly isPaid: boolean }

type RefundRequest = { readonly paymentIntent: string; readonly amountCents: number | null; readonly key: string }

/** The payment provider as the shop uses it. */
export type PaymentGateway = {
  readonly provider: PaymentProvider
  readonly isLive: boolean
  isUp(): Promise<boolean>
  /** @throws Failure payment.away; SessionRefused when the gateway rejects the order */
  openSession(order: OrderToPay): Promise<OpenedSession>
  /** Null when the gateway does not know the session. @throws Failure payment.away */
  findPayment(sessionId: string): Promise<FoundPayment | null>
  /** The session of a payment. @throws Failure payment.away */
  findSessionOf(paymentIntent: string): Promise<string | null>
  findDispute(id: string): Promise<(DisputeFacts & { readonly paymentIntent: string | null }) | null>
  /** Expires an open session, so that it cannot be paid; other sessions stay unchanged. @throws Failure payment.away */
  closeSession(sessionId: string): Promise<void>
  /**
   * Refunds once per key; `amountCents` null refunds the rest. The caller asks for the new state afterwards.
   * @throws Failure payment.away; RefundRefused when the gateway rejects the refund
   */
  refund(payment: RefundRequest): Promise<void>
  /** Completed sessions that were opened in this period. @throws Failure payment.away */
  listCompleted(since: Date, until?: Date): Promise<CompletedSession[]>
  /** @throws Failure webhook.refused for a wrong or expired signature, or a body that is not an event */
  readEvent(body: string, signature: string | null, now: Date): GatewayEvent
}

/** The gateway rejects the order for good. */
export class SessionRefused extends Error {
  override readonly name = 'SessionRefused'
}

/** The gateway rejects the refund; the message is the gateway's. */
export class RefundRefused extends Error {
  override readonly name = 'RefundRefused'
}

function stripeClient(settings: PaymentSettings): Stripe {
  const base = settings.apiBase === undefined ? null : new URL(settings.apiBase)
  return new Stripe(settings.secretKey, {
    ...(base === null
      ? {}
      : {
          host: base.hostname,
          port: Number(base.port || (base.protocol === 'https:' ? 443 : 80)),
          protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
        }),
    timeout: 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
    appInfo: { name: 'Altocert' },
    ...(settings.callHeaders === undefined ? {} : { httpClient: withHeaders(settings.callHeaders) }),
  })
}

function withHeaders(callHeaders: () => Readonly<Record<string, string>>) {
  const client = Stripe.createNodeHttpClient()
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = (host, port, path, method, headers, ...others) =>
    makeRequest(host, port, path, method, { ...headers, ...callHeaders() }, ...others)
  return client
}

export function createPaymentGateway(settings: PaymentSettings): PaymentGateway {
  const stripe = stripeClient(settings)
  const isLive = settings.secretKey.startsWith('sk_live_') || settings.secretKey.startsWith('rk_live_')
  return {
    provider: 'stripe',
    isLive,
    async isUp() {
      try {
        await stripe.balance.retrieve({}, { timeout: 2000, maxNetworkRetries: 0 })
        return true
      } catch {
        return false
      }
    },
    openSession: (order) => openSession(stripe, order, settings.appUrl),
    async findPayment(sessionId) {
      const session = await orNull(() =>
        stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent.latest_charge'] }),
      )
      if (session === null) return null
      const payableUntil = session.status === 'open' ? endOf(session) : null
      return { ...paymentOf(session), url: session.url, payableUntil }
    },
    async findSessionOf(paymentIntent) {
      const sessions = await orNull(() => stripe.checkout.sessions.list({ payment_intent: paymentIntent, limit: 1 }))
      return sessions?.data[0]?.id ?? null
    },
    async findDispute(id) {
      const dispute = await orNull(() => stripe.disputes.retrieve(id))
      if (dispute === null) return null
      const paymentIntent = idOf(dispute.payment_intent)
      return { id: dispute.id, paymentIntent, state: disputeState(dispute.status) }
    },
    async closeSession(sessionId) {
      try {
        await stripe.checkout.sessions.expire(sessionId)
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw awayOr(error)
      }
    },
    refund: (payment) => refund(stripe, payment),
    listCompleted: (since, until) => listCompleted(stripe, since, until),
    readEvent(body, signature, now) {
      try {
        const secret = settings.webhookSecret
        const event = stripe.webhooks.constructEvent(body, signature ?? '', secret, undefined, undefined, now.getTime())
        const { id, type } = EventHead.parse(event)
        return { id, kind: type, isLive: event.livemode ?? isLive, subject: subjectOf(event) }
      } catch (error) {
        throw fail('webhook.refused', { detail: error })
      }
    },
  }
}

async function openSession(stripe: Stripe, order: OrderToPay, appUrl: string): Promise<OpenedSession> {
  try {
    const params = sessionFor(order, appUrl)
    const session = await stripe.checkout.sessions.create(params, { idempotencyKey: order.id })
    return { id: session.id, url: session.url, payableUntil: endOf(session) }
  } catch (error) {
    if (isAway(error)) throw fail('payment.away', { detail: error })
    if (error instanceof Stripe.errors.StripeError) throw new SessionRefused(error.message, { cause: error })
    throw error
  }
}

function endOf(session: Stripe.Checkout.Session): Date {
  return new Date(session.expires_at * 1000)
}

async function refund(stripe: Stripe, { paymentIntent, amountCents, key }: RefundRequest): Promise<void> {
  try {
    await stripe.refunds.create(
      { payment_intent: paymentIntent, ...(amountCents === null ? {} : { amount: amountCents }) },
      { idempotencyKey: key },
    )
  } catch (error) {
    if (isAway(error) || !(error instanceof Stripe.errors.StripeError)) throw awayOr(error)
    throw new RefundRefused(error.message, { cause: error })
  }
}

async function listCompleted(stripe: Stripe, since: Date, until: Date | undefined): Promise<CompletedSession[]> {
  const completed: CompletedSession[] = []
  const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
  const created = { gte: seconds(since), ...(until === undefined ? {} : { lte: seconds(until) }) }
  try {
    for await (const session of stripe.checkout.sessions.list({ status: 'complete', created, limit: 100 }))
      completed.push({
        sessionId: session.id,
        orderId: session.client_reference_id,
        isPaid: session.payment_status !== 'unpaid',
      })
  } catch (error) {
    throw awayOr(error)
  }
  return completed
}

function sessionFor(order: OrderToPay, appUrl: string): Stripe.Checkout.SessionCreateParams {
  const line = (name: string, unit_amount: number, quantity = 1) => ({
    quantity,
    price_data: { currency: CURRENCY, unit_amount, product_data: { name } },
  })
  const extras = [
    ...(order.taxCents > 0 ? [line('Tax', order.taxCents)] : []),
    ...(order.shippingCents > 0 ? [line('Shipping', order.shippingCents)] : []),
  ]
  const courses =
    order.lines.length + extras.length <= GATEWAY_LINES
      ? chargedLines(order.lines).map(({ name, unitCents, quantity }) => line(name, unitCents, quantity))
      : [line(counted(order.lines.length, 'course'), order.subtotalCents - order.discountCents)]
  return {
    mode: 'payment',
    line_items: [...courses, ...extras],
    success_url: `${appUrl}${paths.paymentSuccess}?session_id={CHECKOUT_SESSION_ID}&cart=true`,
    cancel_url: `${appUrl}${paths.order(order.id)}?canceled=1`,
    client_reference_id: order.id,
    metadata: { order_id: order.id },
    payment_intent_data: { metadata: { order_id: order.id } },
    ...(isPlainAddress(order.buyerEmail) ? { customer_email: order.buyerEmail } : {}),
  }
}

/** Stripe rejects some addresses that accounts may have; such a buyer enters one on the hosted page. */
function isPlainAddress(email: string): boolean {
  return /^[a-z0-9_'+-]+(\.[a-z0-9_'+-]+)*@[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(email)
}

function paymentOf(session: Stripe.Checkout.Session): PaymentFacts {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null
  const isPaid = session.payment_status !== 'unpaid'
  return {
    sessionId: session.id,
    orderId: session.client_reference_id,
    status: session.status === 'complete' ? 'complete' : session.status === 'expired' ? 'expired' : 'open',
    isPaid,
    hasFailed:
      session.status === 'complete' &&
      !isPaid &&
      (intent?.status === 'requires_payment_method' || intent?.status === 'canceled'),
    amountCents: session.amount_total ?? -1,
    currency: session.currency ?? '',
    isLive: session.livemode,
    paymentIntent: idOf(session.payment_intent),
    refundedCents: charge?.amount_refunded ?? 0,
  }
}

/** Inquiries and unresolved disputes are open; prevented disputes and closed inquiries count as won. */
function disputeState(status: Stripe.Dispute.Status): DisputeFacts['state'] {
  if (status === 'lost') return 'lost'
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open'
}

/** A valid signature proves the sender, not the shape of the body. */
const EventPart = z.string().min(1).max(255)
const EventHead = z.object({ id: EventPart, type: EventPart })

function subjectOf(event: Stripe.Event): GatewayEvent['subject'] {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return { kind: 'session', id: EventPart.parse(event.data.object.id) }
    case 'charge.refunded': {
      const intent = idOf(event.data.object.payment_intent)
      return intent === null ? null : { kind: 'payment', intent }
    }
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      return { kind: 'dispute', id: EventPart.parse(event.data.object.id) }
    default:
      return null
  }
}

function idOf(value: string | { readonly id: string } | null | undefined): string | null {
  return typeof value === 'object' ? (value?.id ?? null) : (value ?? null)
}

/** Whether a later attempt may succeed: no reply, a rate limit, or status 503. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error.statusCode === 503
  )
}

function awayOr(error: unknown): unknown {
  return isAway(error) ? fail('payment.away', { detail: error }) : error
}

/** The reply of a call; null for 404. @throws Failure payment.away for every other refusal */
async function orNull<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return null
    if (error instanceof Stripe.errors.StripeError) throw fail('payment.away', { detail: error })
    throw error
  }
}
