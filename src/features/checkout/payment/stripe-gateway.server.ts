import { Stripe } from 'stripe'
import { z } from 'zod'
import { paths } from '../../../lib/paths.ts'
import { chargedLines, CURRENCY, GATEWAY_LINES, type DisputeTruth, type PaymentTruth } from '../orders.ts'
import { fail } from '../checkout.schema.ts'

export type PaymentSettings = {
  readonly secretKey: string
  readonly webhookSecret: string
  /** Another host that speaks Stripe's API; Stripe itself when undefined. */
  readonly apiBase: string | undefined
  readonly appUrl: string
}

/** An order as the hosted page charges it: everything comes from what is stored, so that a second call asks the same. */
export type OrderToPay = {
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

export type OpenedSession = { readonly id: string; readonly url: string | null }

/** What an event is about; the event's own words about it are not believed. */
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

export type CompletedSession = { readonly sessionId: string; readonly orderId: string | null; readonly isPaid: boolean }

/** The payment gateway behind our own small type: Stripe, or whatever speaks its wire form. */
export type PaymentGateway = {
  readonly isLive: boolean
  isUp(): Promise<boolean>
  /** @throws Failure payment.away; SessionRefused when the gateway does not want this order */
  openSession(order: OrderToPay): Promise<OpenedSession>
  /** Null when the gateway knows no such session. @throws Failure payment.away */
  findPayment(sessionId: string): Promise<(PaymentTruth & { readonly url: string | null }) | null>
  /** The session in which this payment was made. @throws Failure payment.away */
  findSessionOf(paymentIntent: string): Promise<string | null>
  findDispute(id: string): Promise<(DisputeTruth & { readonly paymentIntent: string | null }) | null>
  /** Nobody can pay this session any more; one that is no longer open stays as it is. @throws Failure payment.away */
  closeSession(sessionId: string): Promise<void>
  /**
   * Gives money back, once for each key: null is all that is left. What it changes is asked for afterwards.
   * @throws Failure payment.away; RefundRefused when the gateway will not
   */
  refund(payment: {
    readonly paymentIntent: string
    readonly amountCents: number | null
    readonly key: string
  }): Promise<void>
  /** Sessions that were opened in this time and are completed, with the order that each names. */
  listCompleted(since: Date, until?: Date): Promise<CompletedSession[]>
  /** @throws Failure webhook.refused when the signature is wrong or stale, or the body is no event */
  readEvent(body: string, signature: string | null, now: Date): GatewayEvent
}

/** The gateway answered, and will not open a session for this order, now or later. */
export class SessionRefused extends Error {
  override readonly name = 'SessionRefused'
}

/** The gateway answered, and gives no money back: the message is its own. */
export class RefundRefused extends Error {
  override readonly name = 'RefundRefused'
}

export function createPaymentGateway(settings: PaymentSettings): PaymentGateway {
  const base = settings.apiBase === undefined ? null : new URL(settings.apiBase)
  const stripe = new Stripe(settings.secretKey, {
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
  })
  const isLive = settings.secretKey.startsWith('sk_live_') || settings.secretKey.startsWith('rk_live_')
  return {
    isLive,
    async isUp() {
      try {
        await stripe.balance.retrieve({}, { timeout: 2000, maxNetworkRetries: 0 })
        return true
      } catch {
        return false
      }
    },
    async openSession(order) {
      try {
        const session = await stripe.checkout.sessions.create(sessionFor(order, settings.appUrl), {
          idempotencyKey: order.id,
        })
        return { id: session.id, url: session.url }
      } catch (error) {
        if (isAway(error)) throw fail('payment.away', { detail: error })
        if (error instanceof Stripe.errors.StripeError) throw new SessionRefused(error.message, { cause: error })
        throw error
      }
    },
    async findPayment(sessionId) {
      const session = await orNull(() =>
        stripe.checkout.sessions.retrieve(sessionId, { expand: ['line_items', 'payment_intent.latest_charge'] }),
      )
      return session === null ? null : { ...truthOf(session), url: session.url }
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
    async refund({ paymentIntent, amountCents, key }) {
      try {
        await stripe.refunds.create(
          { payment_intent: paymentIntent, ...(amountCents === null ? {} : { amount: amountCents }) },
          { idempotencyKey: key },
        )
      } catch (error) {
        if (isAway(error) || !(error instanceof Stripe.errors.StripeError)) throw awayOr(error)
        throw new RefundRefused(error.message, { cause: error })
      }
    },
    async listCompleted(since, until) {
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
    },
    readEvent(body, signature, now) {
      try {
        const event = stripe.webhooks.constructEvent(
          body,
          signature ?? '',
          settings.webhookSecret,
          undefined,
          undefined,
          now.getTime(),
        )
        const { id, type } = EventHead.parse(event)
        return { id, kind: type, isLive: event.livemode ?? isLive, subject: subjectOf(event) }
      } catch (error) {
        throw fail('webhook.refused', { detail: error })
      }
    },
  }
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
      : [line(`${order.lines.length} courses`, order.subtotalCents - order.discountCents)]
  return {
    mode: 'payment',
    line_items: [...courses, ...extras],
    success_url: `${appUrl}${paths.paymentSuccess}?session_id={CHECKOUT_SESSION_ID}&cart=true`,
    cancel_url: `${appUrl}${paths.home}?canceled=1`,
    client_reference_id: order.id,
    metadata: { order_id: order.id },
    payment_intent_data: { metadata: { order_id: order.id } },
    ...(isPlainAddress(order.buyerEmail) ? { customer_email: order.buyerEmail } : {}),
  }
}

/** The gateway refuses addresses that our accounts allow; such a buyer types one on the hosted page. */
function isPlainAddress(email: string): boolean {
  return /^[a-z0-9_'+-]+(\.[a-z0-9_'+-]+)*@[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(email)
}

function truthOf(session: Stripe.Checkout.Session): PaymentTruth {
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

/** Inquiries and disputes that wait for anybody are open; what prevents or ends one in our favour counts as won. */
function disputeState(status: Stripe.Dispute.Status): DisputeTruth['state'] {
  if (status === 'lost') return 'lost'
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open'
}

/** A good signature says who sent it, not that it is an event. */
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

/** No answer, or one that another try may better. */
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

async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return null
    if (error instanceof Stripe.errors.StripeError) throw fail('payment.away', { detail: error })
    throw error
  }
}
