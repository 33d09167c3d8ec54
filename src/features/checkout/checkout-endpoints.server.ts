import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import type { OrderId } from '../../lib/ids.ts'
import { paths } from '../../lib/paths.ts'
import { after, MINUTE_MS } from '../../lib/time.ts'
import { auditView } from '../../platform/audit-log/audit-log-commands.server.ts'
import { requireUser, type RequestContext } from '../../platform/http/request-context.server.ts'
import { endpoint } from '../../platform/http/endpoint.server.ts'
import type { Mail } from '../../platform/mail.server.ts'
import { networkLimit } from '../../platform/http/network-limit.server.ts'
import { pageLoader, requireUserForPage } from '../../platform/http/page-loader.server.ts'
import { findCourse } from '../catalogue/catalogue-queries.server.ts'
import { listPrices } from '../pricing/scheduled-prices/scheduled-prices-queries.server.ts'
import { findCoupon, type StoredCoupon } from '../pricing/coupons-queries.server.ts'
import { judgeCoupon, quote, readCouponCode, type Discount, type Quote } from '../pricing/quote.ts'
import { couponFailure } from '../pricing/pricing.schema.ts'
import { copy } from './checkout.copy.ts'
import { orderAdminApi } from './admin/order-admin-endpoints.server.ts'
import { SessionRefused, type PaymentGateway } from './payment/stripe-gateway.server.ts'
import { fulfilOrder, handleEvent, releaseCoupon, reconcileOrders } from './payment/payment-commands.server.ts'
import {
  countCouponRedemptions,
  findOrder,
  findOrderOwner,
  findSeat,
  type OrderOwner,
} from './orders-queries.server.ts'
import {
  FREE_REPEAT_MS,
  givesSeats,
  isSettled,
  LARGEST_TOTAL_CENTS,
  readSeatCode,
  shownTotal,
  type OrderedLine,
} from './orders.ts'
import {
  CartQuote,
  CheckoutUrl,
  fail,
  OrderPath,
  OrderView,
  PaymentResult,
  QuoteCart,
  RedeemedSeat,
  RedeemSeat,
  Repaired,
  StartCheckout,
  VerifyPayment,
  WebhookReply,
} from './checkout.schema.ts'
import {
  closeOrder,
  giveFreeOrder,
  storeCheckoutSession,
  placeOrder,
  redeemSeat,
  type PlacedOrder,
  type CheckoutDeps,
} from './orders-commands.server.ts'

export type CheckoutDependencies = {
  readonly gateway: PaymentGateway
  readonly mail: Mail
  readonly brand: string
}

/** Guesses at codes and questions to the gateway, per network address: far above what people do. */
const NETWORK_ATTEMPTS = 300
const NETWORK_WINDOW_MS = 5 * MINUTE_MS
const WEBHOOK_LIMIT_BYTES = 1024 * 1024

export function checkoutApi(deps: CheckoutDependencies) {
  const limit = networkLimit({ attempts: NETWORK_ATTEMPTS, windowMs: NETWORK_WINDOW_MS })
  const shopOf = (context: RequestContext): CheckoutDeps => ({ ...deps, appUrl: context.appUrl, log: context.log })

  return [
    endpoint({
      method: 'POST',
      path: '/api/functions/create-cart-payment',
      who: 'signed-in',
      guestSentence: copy['checkout.auth.text'],
      about: 'Stores an order at the prices of the catalogue and says where to pay it.',
      body: StartCheckout,
      reply: CheckoutUrl,
      handle: async ({ body }, context) => ({ url: await startCheckout(context, shopOf(context), body) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/functions/quote-cart',
      who: 'anyone',
      about: 'What a cart costs now, with a coupon or without. Nothing is stored.',
      body: QuoteCart,
      reply: CartQuote,
      async handle({ body }, context) {
        limit(context.networkAddress)
        const { lines, gone, quote, coupon } = await priceCart(context, deps.gateway.isLive, body)
        return {
          ...describeChange({ lines, gone, quote }),
          coupon: coupon === null ? null : { code: coupon.code, discount: viewOf(coupon.discount) },
        }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/functions/verify-payment',
      who: 'signed-in',
      about: "Whether one's own payment has arrived; if so, its courses are open from then on.",
      body: VerifyPayment,
      reply: PaymentResult,
      async handle({ body }, context) {
        limit(context.networkAddress)
        return verifyPayment(context, shopOf(context), body)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/functions/repair-my-orders',
      who: 'signed-in',
      about: "Asks the gateway about each of one's own open orders and fulfils what has been paid.",
      reply: Repaired,
      async handle(_input, context) {
        limit(context.networkAddress)
        const { id: userId } = requireUser(context)
        const asked = { now: context.clock.now(), userId }
        const { fulfilled, closed, failed } = await reconcileOrders(context.db, shopOf(context), asked)
        if (failed > 0 && fulfilled === 0) throw fail('payment.away')
        return { fulfilled, closed }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/webhooks/stripe',
      who: 'anyone',
      about: "The payment gateway's signed events. Only what an event is about is read from it.",
      isForeign: true,
      body: z.string(),
      bodyLimitBytes: WEBHOOK_LIMIT_BYTES,
      reply: WebhookReply,
      async handle({ body }, context) {
        const now = context.clock.now()
        const event = deps.gateway.readEvent(body, context.request.headers.get('stripe-signature'), now)
        const done = await handleEvent(context.db, shopOf(context), event, now)
        // The buyer's next look sees it, whether or not the notification has arrived.
        if (done.kind === 'order') context.cachedQueries.dropUser(done.order.userId)
        return { received: true as const, outcome: done.kind }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/orders/:orderId',
      who: 'signed-in',
      about: "One's own receipt. An admin may read anybody's, and the audit log says so.",
      params: OrderPath,
      reply: OrderView,
      handle: async ({ params }, context) => getOrder(context, params.orderId),
    }),
    endpoint({
      method: 'POST',
      path: '/api/seats/redeem',
      who: 'signed-in',
      about: 'Uses a seat code: 30 days of its course, once.',
      body: RedeemSeat,
      reply: RedeemedSeat,
      async handle({ body }, context) {
        limit(context.networkAddress)
        const { id: userId } = requireUser(context)
        return redeemSeat(context.db, { userId, code: body.code, now: context.clock.now() })
      },
    }),
    ...orderAdminApi(shopOf),
  ]
}

type PricedCart = {
  readonly lines: readonly OrderedLine[]
  /** Courses that are not sold, or not any more. */
  readonly gone: readonly string[]
  readonly quote: Quote
  readonly coupon: StoredCoupon | null
}

/** The cart at the prices that are in force. @throws Failure coupon.unknown, coupon.not-yet, coupon.over, coupon.used-up, coupon.not-these */
async function priceCart(
  context: RequestContext,
  isLive: boolean,
  cart: z.output<typeof QuoteCart>,
): Promise<PricedCart> {
  const ids = cart.cartItems.map(({ id }) => id)
  const prices = new Map(
    (await listPrices(context.db, ids, context.clock.now())).map((course) => [course.id as string, course]),
  )
  const lines: OrderedLine[] = []
  const gone: string[] = []
  for (const { id, quantity } of cart.cartItems) {
    const course = prices.get(id)
    if (course === undefined) gone.push(id)
    else lines.push({ courseId: id, title: course.title, unitPriceCents: course.priceCents, quantity })
  }
  // Of a cart without courses nothing can be said about a coupon.
  const coupon = lines.length === 0 ? null : await requireCoupon(context, isLive, cart.coupon ?? '', lines)
  return { lines, gone, coupon, quote: quote(lines, coupon?.discount ?? null) }
}

/** The coupon of this code, if it may be used now; null when none was typed. */
async function requireCoupon(
  { db, clock, user }: RequestContext,
  isLive: boolean,
  text: string,
  lines: readonly OrderedLine[],
): Promise<StoredCoupon | null> {
  if (text.trim() === '') return null
  const code = readCouponCode(text)
  const coupon = code === null ? null : await findCoupon(db, code)
  const now = clock.now()
  // One's own unpaid orders give their use back when it is needed.
  const exceptOwn = user === null ? {} : { exceptOwn: { userId: user.id, freeSince: after(now, -FREE_REPEAT_MS) } }
  const uses = coupon === null ? 0 : await countCouponRedemptions(db, { couponId: coupon.id, isLive, ...exceptOwn })
  const judgement = judgeCoupon(coupon, { now, uses, lines })
  if (judgement.kind === 'refused') throw couponFailure(judgement)
  return coupon
}

function describeChange({ lines, gone, quote }: Pick<PricedCart, 'lines' | 'gone' | 'quote'>) {
  return {
    quote,
    lines: lines.map((line) => ({ id: line.courseId, title: line.title, price: line.unitPriceCents / 100 })),
    gone: [...gone],
  }
}

function viewOf({ off, courseIds }: Discount) {
  return { off, courseIds: courseIds === null ? null : [...courseIds] }
}

/** @throws Failure checkout.empty, checkout.changed, checkout.too-much, checkout.no-url, checkout.refused, payment.away, coupon.* */
async function startCheckout(context: RequestContext, shop: CheckoutDeps, cart: StartCheckout): Promise<string> {
  const user = requireUser(context)
  const { db } = context
  const { isLive } = shop.gateway
  const now = context.clock.now()
  if (cart.cartItems.length === 0)
    throw fail('checkout.empty', { fields: [{ field: 'cartItems', message: copy['checkout.empty.text'] }] })
  const priced = await priceCart(context, isLive, cart)
  const { quote: total, coupon } = priced
  const shown = shownTotal(cart, coupon?.discount ?? null)
  if (priced.gone.length > 0 || (shown !== null && shown !== total.totalCents))
    throw fail('checkout.changed', { facts: describeChange(priced) })
  if (total.totalCents > LARGEST_TOTAL_CENTS) throw fail('checkout.too-much')
  const order = { userId: user.id, lines: priced.lines, quote: total, coupon, now }

  for (;;) {
    try {
      if (total.totalCents === 0) return successUrl(context, { order_id: await giveFreeOrder(db, shop, order) })
      const placed = await placeOrder(db, { ...order, isLive })
      const url = await payUrlOf(context, shop, placed, user.email)
      if (url !== null) return url
    } catch (error) {
      const isUsedUp = error instanceof Failure && error.code === 'coupon.used-up' && coupon !== null
      if (!isUsedUp || (await releaseCoupon(db, shop, { userId: user.id, couponId: coupon.id, now })) === 0) throw error
    }
  }
}

/** Where to pay a pending order, or the result of having paid it; null when it is over and another one has to be placed. */
async function payUrlOf(context: RequestContext, shop: CheckoutDeps, placed: PlacedOrder, email: string) {
  if (placed.sessionId === null) return openSession(context, shop, placed.orderId, email)
  const payment = await shop.gateway.findPayment(placed.sessionId)
  if (payment?.status === 'open' && payment.url !== null) return payment.url
  // Paid, or on its way: paying again would be paying twice.
  if (payment?.status === 'complete' && !payment.hasFailed) return successUrl(context, { session_id: placed.sessionId })
  await closeOrder(context.db, {
    orderId: placed.orderId,
    to: payment?.hasFailed === true ? 'failed' : 'expired',
    cause: 'checkout again',
    now: context.clock.now(),
  })
  return null
}

async function openSession(
  context: RequestContext,
  shop: CheckoutDeps,
  orderId: OrderId,
  email: string,
): Promise<string> {
  const order = await findOrder(context.db, orderId)
  if (order === null) throw fail('order.not-found')
  try {
    const session = await shop.gateway.openSession({ ...order, buyerEmail: email })
    await storeCheckoutSession(context.db, { orderId, sessionId: session.id, url: session.url })
    if (session.url === null) throw fail('checkout.no-url')
    return session.url
  } catch (error) {
    if (!(error instanceof SessionRefused)) throw error
    // The gateway remembers its refusal under this order's id; the next press starts with another.
    await closeOrder(context.db, { orderId, to: 'failed', cause: 'refused by the gateway', now: context.clock.now() })
    context.log.error({ err: error, orderId }, 'the gateway refused to open a session')
    throw fail('checkout.refused', { detail: error })
  }
}

function successUrl(context: RequestContext, query: Readonly<Record<string, string>>): string {
  return `${context.appUrl}${paths.paymentSuccess}?${new URLSearchParams({ ...query, cart: 'true' }).toString()}`
}

/** @throws Failure payment.not-verified for a session that is invented or somebody else's */
async function verifyPayment(context: RequestContext, shop: CheckoutDeps, asked: z.output<typeof VerifyPayment>) {
  let order =
    asked.sessionId === undefined
      ? await findOrderOwner(context.db, { orderId: asked.orderId ?? '' })
      : ((await findOrderOwner(context.db, { sessionId: asked.sessionId })) ??
        (await findOwnerByGateway(context, shop, asked.sessionId)))
  const isOwn = (owner: OrderOwner | null) => owner !== null && owner.userId === requireUser(context).id
  if (!isOwn(order) || order === null) throw fail('payment.not-verified')
  const sessionId = asked.sessionId ?? order.sessionId
  if (sessionId !== null && ['pending', 'expired', 'failed'].includes(order.state)) {
    const done = await fulfilOrder(context.db, shop, { sessionId, cause: 'payment page', now: context.clock.now() })
    if (done.kind !== 'order') throw fail('payment.not-verified', { detail: done })
    order = { ...order, ...done.order }
  }
  return describeResult(context, order)
}

/** The order that the session itself names: the webhook of a crash between opening and keeping it has not come yet. */
async function findOwnerByGateway(context: RequestContext, shop: CheckoutDeps, sessionId: string) {
  const reference = (await shop.gateway.findPayment(sessionId))?.orderId ?? ''
  const named = OrderPath.safeParse({ orderId: reference })
  return named.success ? findOrderOwner(context.db, named.data) : null
}

async function describeResult(context: RequestContext, owner: OrderOwner): Promise<PaymentResult> {
  const order = await findOrder(context.db, owner.id)
  const lines = order?.lines ?? []
  const only = lines.length === 1 ? lines[0] : undefined
  const course = only === undefined ? null : await findCourse(context.db, only.courseId)
  return {
    success: isSettled(owner.state),
    pending: owner.state === 'pending',
    state: owner.state,
    orderId: owner.id,
    courseId: only?.courseId ?? null,
    courseSlug: course?.slug ?? null,
    isCart: lines.length > 1,
    seats: lines.reduce((count, line) => count + line.seats.length, 0),
  }
}

/** @throws Failure order.not-found, also for somebody else's */
async function getOrder(context: RequestContext, orderId: string): Promise<OrderView> {
  const user = requireUser(context)
  const order = await findOrder(context.db, orderId)
  if (order === null || (order.buyerId !== user.id && user.role !== 'admin')) throw fail('order.not-found')
  const { buyerId, ...view } = order
  if (buyerId !== user.id)
    await auditView(context, { actorId: user.id, action: 'order.read', table: 'orders', id: orderId })
  return view
}

export const orderLoader = pageLoader(async ({ context, params, url }) => {
  requireUserForPage(context, url)
  const path = OrderPath.safeParse(params)
  if (!path.success) throw fail('order.not-found')
  return { order: await getOrder(context, path.data.orderId) }
})

/** What a code opens, before anybody uses it. */
export const redeemLoader = pageLoader(async ({ context, params, url }) => {
  const user = requireUserForPage(context, url)
  const code = readSeatCode(params['code'] ?? '')
  const seat = code === null ? null : await findSeat(context.db, code)
  if (seat === null) return { kind: 'missing' as const, code: params['code'] ?? '' }
  const facts = { code: seat.code, title: seat.title, courseSlug: seat.courseSlug }
  if (seat.redeemedBy !== null && seat.redeemedBy !== user.id) return { kind: 'taken' as const, code: seat.code }
  if (!givesSeats({ state: seat.orderState, isAccessEnded: seat.isAccessEnded }))
    return { kind: 'void' as const, code: seat.code }
  if (seat.redeemedBy === user.id) return { kind: 'yours' as const, ...facts }
  return { kind: 'open' as const, ...facts, email: user.email }
})
