import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import type { OrderId } from '../../lib/ids.ts'
import { paths } from '../../lib/paths.ts'
import { after } from '../../lib/time.ts'
import { auditView } from '../../platform/audit-log/audit-log-commands.server.ts'
import { requireUser, type RequestContext } from '../../platform/http/request-context.server.ts'
import { endpoint } from '../../platform/http/endpoint.server.ts'
import type { Mail } from '../../platform/mail.server.ts'
import { pageLoader, requireUserForPage } from '../../platform/http/page-loader.server.ts'
import { findCourse } from '../catalogue/catalogue-queries.server.ts'
import { listPrices } from '../pricing/scheduled-prices/scheduled-prices-queries.server.ts'
import { findCoupon, type StoredCoupon } from '../pricing/coupons-queries.server.ts'
import { judgeCoupon, quote, readCouponCode, type Discount, type Quote } from '../pricing/quote.ts'
import { couponFailure } from '../pricing/pricing.schema.ts'
import { copy } from './checkout.copy.ts'
import { orderAdminApi } from './admin/order-admin-endpoints.server.ts'
import { SessionRefused, type PaymentGateway } from './payment/stripe-gateway.server.ts'
import {
  dropOrder,
  fulfilOrder,
  handleEvent,
  releaseCoupon,
  reconcileOrders,
} from './payment/payment-commands.server.ts'
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
  isLiveSession,
  isSettled,
  LARGEST_TOTAL_CENTS,
  readSeatCode,
  shownTotal,
  type OrderedLine,
} from './orders.ts'
import {
  CartQuote,
  CheckoutUrl,
  DroppedOrder,
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

type CheckoutDependencies = {
  readonly gateway: PaymentGateway
  readonly mail: Mail
  readonly brand: string
}

const WEBHOOK_LIMIT_BYTES = 1024 * 1024

export function checkoutApi(deps: CheckoutDependencies) {
  const shopOf = (context: RequestContext) => ({ ...deps, appUrl: context.appUrl, log: context.log })
  return [...cartEndpoints(shopOf), ...paymentEndpoints(shopOf), ...orderEndpoints(shopOf), ...orderAdminApi(shopOf)]
}

type ShopOf = (context: RequestContext) => CheckoutDeps

function cartEndpoints(shopOf: ShopOf) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/functions/create-cart-payment',
      asksOthers: true,
      who: 'signed-in',
      guestSentence: copy['checkout.auth.text'],
      about: 'Stores an order at the current prices and returns the address of its payment page.',
      limit: 'checkout',
      body: StartCheckout,
      reply: CheckoutUrl,
      handle: async ({ body }, context) => ({ url: await startCheckout(context, shopOf(context), body) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/functions/quote-cart',
      who: 'anyone',
      about: 'Quotes a cart, with or without a coupon. Stores nothing.',
      limit: 'payment',
      body: QuoteCart,
      reply: CartQuote,
      async handle({ body }, context) {
        const { lines, gone, quote, coupon } = await priceCart(context, shopOf(context).gateway.isLive, body)
        return {
          ...describeChange({ lines, gone, quote }),
          coupon: coupon === null ? null : { code: coupon.code, discount: viewOf(coupon.discount) },
        }
      },
    }),
  ]
}

function paymentEndpoints(shopOf: ShopOf) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/functions/verify-payment',
      asksOthers: true,
      who: 'signed-in',
      about: 'Checks a payment of the caller, and grants access to its courses once it has arrived.',
      limit: 'payment',
      body: VerifyPayment,
      reply: PaymentResult,
      async handle({ body }, context) {
        return verifyPayment(context, shopOf(context), body)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/functions/repair-my-orders',
      asksOthers: true,
      who: 'signed-in',
      about: "Asks the gateway about each of the caller's open orders and fulfils those that are paid.",
      limit: 'payment',
      reply: Repaired,
      async handle(_input, context) {
        const { id: userId } = requireUser(context)
        const filter = { now: context.clock.now(), userId }
        const { fulfilled, closed, failed } = await reconcileOrders(context.db, shopOf(context), filter)
        if (failed > 0 && fulfilled === 0) throw fail('payment.away')
        return { fulfilled, closed }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/webhooks/stripe',
      who: 'anyone',
      about: "Receives the payment gateway's signed events. Only the subject of an event is read from it.",
      isForeign: true,
      body: z.string(),
      bodyLimitBytes: WEBHOOK_LIMIT_BYTES,
      reply: WebhookReply,
      async handle({ body }, context) {
        const now = context.clock.now()
        const shop = shopOf(context)
        const event = shop.gateway.readEvent(body, context.request.headers.get('stripe-signature'), now)
        const done = await handleEvent(context.db, shop, event, now)
        // The buyer's next page shows the change, even before the database notification arrives.
        if (done.kind === 'order') context.cachedQueries.dropUser(done.order.userId)
        return { received: true as const, outcome: done.kind }
      },
    }),
  ]
}

function orderEndpoints(shopOf: ShopOf) {
  return [
    endpoint({
      method: 'GET',
      path: '/api/orders/:orderId',
      who: 'signed-in',
      about: 'Returns a receipt of the caller. Admins may read every receipt, which adds an audit entry.',
      params: OrderPath,
      reply: OrderView,
      handle: async ({ params }, context) => getOrder(context, params.orderId),
    }),
    endpoint({
      method: 'POST',
      path: '/api/orders/:orderId/pay',
      asksOthers: true,
      who: 'signed-in',
      about: 'Returns the address where an unpaid order of the caller is paid: its open payment page, or a new one.',
      limit: 'checkout',
      params: OrderPath,
      reply: CheckoutUrl,
      handle: async ({ params }, context) => ({ url: await payOrder(context, shopOf(context), params.orderId) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/orders/:orderId/drop',
      asksOthers: true,
      who: 'signed-in',
      about: 'Closes an unpaid order of the caller and its payment page.',
      limit: 'payment',
      params: OrderPath,
      reply: DroppedOrder,
      async handle({ params }, context) {
        const { id: orderId } = await requireOwnOrder(context, params.orderId)
        return { state: await dropOrder(context.db, shopOf(context), { orderId, now: context.clock.now() }) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/seats/redeem',
      who: 'signed-in',
      about: 'Redeems a seat code, once, for 30 days of access to its course.',
      limit: 'coupon',
      body: RedeemSeat,
      reply: RedeemedSeat,
      async handle({ body }, context) {
        const { id: userId } = requireUser(context)
        return redeemSeat(context.db, { userId, code: body.code, now: context.clock.now() })
      },
    }),
  ]
}

type PricedCart = {
  readonly lines: readonly OrderedLine[]
  /** Ids of courses that are not on sale. */
  readonly gone: readonly string[]
  readonly quote: Quote
  readonly coupon: StoredCoupon | null
}

/** Prices a cart at the current prices. @throws Failure coupon.unknown, coupon.not-yet, coupon.over, coupon.used-up, coupon.not-these */
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
  // Without courses there is nothing to judge a coupon by.
  const coupon = lines.length === 0 ? null : await requireCoupon(context, isLive, cart.coupon ?? '', lines)
  return { lines, gone, coupon, quote: quote(lines, coupon?.discount ?? null) }
}

/**
 * The coupon of this code, if it can be redeemed now; null when no code was typed. Every code counts as a guess until it is found valid.
 * @throws Failure coupon.*, request.too-many
 */
async function requireCoupon(
  context: RequestContext,
  isLive: boolean,
  text: string,
  lines: readonly OrderedLine[],
): Promise<StoredCoupon | null> {
  if (text.trim() === '') return null
  const { db, clock, user, limits } = context
  const code = readCouponCode(text)
  if (code !== null) await limits.claim('coupon', context)
  const coupon = code === null ? null : await findCoupon(db, code)
  const now = clock.now()
  // The buyer's own unpaid orders release their redemption when it is needed.
  const exceptOwn = user === null ? {} : { exceptOwn: { userId: user.id, freeSince: after(now, -FREE_REPEAT_MS) } }
  const uses = coupon === null ? 0 : await countCouponRedemptions(db, { couponId: coupon.id, isLive, ...exceptOwn })
  const judgement = judgeCoupon(coupon, { now, uses, lines })
  if (judgement.kind === 'refused') throw couponFailure(judgement)
  await limits.giveBack('coupon', context)
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
  const { isLive, provider } = shop.gateway
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
      const placed = await placeOrder(db, { ...order, isLive, provider })
      const url = await payUrlOf(context, shop, placed, user.email)
      if (url !== null) return url
    } catch (error) {
      const isUsedUp = error instanceof Failure && error.code === 'coupon.used-up' && coupon !== null
      if (!isUsedUp || (await releaseCoupon(db, shop, { userId: user.id, couponId: coupon.id, now })) === 0) throw error
    }
  }
}

/** The address to pay a pending order, or its result page if it is paid; null when it is closed and another order is needed. */
async function payUrlOf(context: RequestContext, shop: CheckoutDeps, placed: PlacedOrder, email: string) {
  if (placed.sessionId === null) return openSession(context, shop, placed.orderId, email)
  const payment = await shop.gateway.findPayment(placed.sessionId)
  if (payment?.status === 'open' && payment.url !== null) return payment.url
  // The payment succeeded or is pending: a second one would charge the buyer twice.
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
    await storeCheckoutSession(context.db, {
      orderId,
      sessionId: session.id,
      url: session.url,
      payableUntil: session.payableUntil,
    })
    if (session.url === null) throw fail('checkout.no-url')
    return session.url
  } catch (error) {
    if (!(error instanceof SessionRefused)) throw error
    // The gateway repeats its refusal for this order id, so the next attempt needs a new order.
    await closeOrder(context.db, { orderId, to: 'failed', cause: 'refused by the gateway', now: context.clock.now() })
    context.log.error({ err: error, orderId }, 'the gateway refused to open a session')
    throw fail('checkout.refused', { detail: error })
  }
}

function successUrl(context: RequestContext, query: Readonly<Record<string, string>>): string {
  return `${context.appUrl}${paths.paymentSuccess}?${new URLSearchParams({ ...query, cart: 'true' }).toString()}`
}

/** @throws Failure payment.not-verified for an unknown session, or one of another user */
async function verifyPayment(context: RequestContext, shop: CheckoutDeps, query: z.output<typeof VerifyPayment>) {
  let order =
    query.sessionId === undefined
      ? await findOrderOwner(context.db, { orderId: query.orderId ?? '' })
      : ((await findOrderOwner(context.db, { sessionId: query.sessionId })) ??
        (await findOwnerByGateway(context, shop, query.sessionId)))
  const isOwn = (owner: OrderOwner | null) => owner !== null && owner.userId === requireUser(context).id
  if (!isOwn(order) || order === null) throw fail('payment.not-verified')
  const sessionId = query.sessionId ?? order.sessionId
  if (sessionId !== null && ['pending', 'expired', 'failed'].includes(order.state)) {
    const done = await fulfilOrder(context.db, shop, { sessionId, cause: 'payment page', now: context.clock.now() })
    if (done.kind !== 'order') throw fail('payment.not-verified', { detail: done })
    order = { ...order, ...done.order }
  }
  return describeResult(context, order)
}

/** The order that the session names. The order may not know its session: a crash can come between opening and storing it. */
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
    lines: lines.map(({ courseId, quantity }) => ({ courseId, quantity })),
  }
}

/** @throws Failure order.not-found, also for an order of another user */
async function requireOwnOrder(context: RequestContext, orderId: string) {
  const order = await findOrderOwner(context.db, { orderId })
  if (order === null || order.userId !== requireUser(context).id) throw fail('order.not-found')
  return order
}

/**
 * The address where an unpaid order is paid: its session while that is open, else that of a new order with the same lines and
 * coupon. A paid order leads to its receipt.
 * @throws Failure as `startCheckout` does, above all checkout.changed when the order would cost something else today
 */
async function payOrder(context: RequestContext, shop: CheckoutDeps, orderId: string): Promise<string> {
  const { id, state, sessionId } = await requireOwnOrder(context, orderId)
  const order = await findOrder(context.db, id)
  if (order === null) throw fail('order.not-found')
  if (order.paidAt !== null) return `${context.appUrl}${paths.order(id)}`
  const isOtherMode = sessionId !== null && isLiveSession(sessionId) === !shop.gateway.isLive
  if (state === 'pending' && !isOtherMode) {
    const placed = { orderId: id, sessionId, sessionUrl: null }
    const url = await payUrlOf(context, shop, placed, requireUser(context).email)
    if (url !== null) return url
  }
  return startCheckout(context, shop, {
    cartItems: order.lines.map(({ courseId, quantity }) => ({ id: courseId, quantity })),
    total: order.totalCents / 100,
    ...(order.couponCode === null ? {} : { coupon: order.couponCode }),
  })
}

/** @throws Failure order.not-found, also for an order of another user */
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
  return { order: await getOrder(context, path.data.orderId), now: context.clock.now().toISOString() }
})

/** Shows the course of a seat code before it is redeemed. */
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
