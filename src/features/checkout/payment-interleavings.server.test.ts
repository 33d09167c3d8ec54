import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse } from '../../../tests/support/build-course.ts'
import {
  aBuyer,
  anOrderToPay,
  eventOf,
  payByCard,
  shopOf,
  stripeOf,
  turnGateway,
  type OrderToPay,
} from '../../../tests/support/place-order.ts'
import {
  databaseInTurns,
  seeded,
  serviceInTurns,
  takeTurns,
  type Actor,
  type Step,
} from '../../../tests/support/turns.ts'
import { Failure } from '../../lib/failure.ts'
import type { User } from '../../lib/user.ts'
import { DAY_MS } from '../../lib/time.ts'
import { CachedQueries } from '../../platform/cache/cached-queries.server.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import { WaitLimit } from '../../platform/http/wait-limit.server.ts'
import { checkoutApi } from './checkout-endpoints.server.ts'
import { reconcileOrders } from './payment/payment-commands.server.ts'
import { findOrder } from './orders-queries.server.ts'
import { canMove, type OrderState } from './orders.ts'
import type { CheckoutDeps } from './orders-commands.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { database } = app.services
const { db, pool } = database
const stripe = stripeOf(app)
const shop = shopOf(app)
const [one, other] = [await aCourse(db), await aCourse(db)]
await turnGateway(app, 'switches', { delivery: 'never' })

/** SEED=17 npx vitest run src/features/checkout/payment-interleavings.server.test.ts runs one seed; SEEDS=2000 runs more seeds. */
const onlySeed = process.env['SEED']
const SEEDS = Number(process.env['SEEDS'] ?? 200)
/** How often the scheduler switches between tasks: never, sometimes, or at nearly every step. */
const RESTLESS = [0, 0.05, 0.3, 0.9]

type Parts = { readonly bought: OrderToPay; readonly friend: User; readonly refundCents: number | null }
type Means = { readonly db: typeof db; readonly shop: CheckoutDeps; readonly step: Step }

const inTurns = (step: Step): Means => ({
  db: databaseInTurns(pool, step),
  shop: { ...shop, gateway: serviceInTurns(shop.gateway, step) },
  step,
})

/** Calls an endpoint with a database and a gateway that wait for the scheduler. */
async function call({ db, shop }: Means, path: string, asked: { user?: User; body: unknown; signature?: string }) {
  const endpoint = checkoutApi(shop).find((one) => one.path === path)
  if (endpoint === undefined) throw new Error(`no ${path}`)
  const context: RequestContext = {
    requestId: path,
    log: shop.log,
    clock: app.clock,
    db,
    reads: db,
    replica: null,
    cachedQueries: new CachedQueries({ isUp: () => false, now: () => 0 }),
    limits: app.services.limits,
    appUrl: app.url,
    user: asked.user ?? null,
    guestId: null,
    networkAddress: '127.0.0.1',
    wait: new WaitLimit(),
    request: new Request(app.url, { headers: { 'stripe-signature': asked.signature ?? '' } }),
    replyHeaders: new Headers(),
    refusal: { code: undefined },
  }
  return endpoint.handle({ params: {}, query: {}, body: asked.body }, context)
}

async function hear(means: Means, wanted: { sessionId: string; type: string }) {
  await call(means, '/api/webhooks/stripe', await eventOf(app, wanted))
}

const actors = {
  webhook: (means: Means, { bought }: Parts) =>
    hear(means, { sessionId: bought.sessionId, type: 'checkout.session.completed' }),

  async page(means: Means, { bought: { buyer, sessionId } }: Parts) {
    await call(means, '/api/functions/verify-payment', { user: buyer, body: { sessionId } })
  },

  async repair({ db, shop }: Means) {
    const { failed } = await reconcileOrders(db, shop, { now: app.clock.now() })
    if (failed > 0) throw new Error('the repair could not look after an order')
  },

  async refund(means: Means, { bought: { sessionId }, refundCents }: Parts) {
    const session = await stripe.checkout.sessions.retrieve(sessionId)
    const refund = {
      payment_intent: String(session.payment_intent),
      ...(refundCents === null ? {} : { amount: refundCents }),
    }
    await means.step('the money goes back', () => stripe.refunds.create(refund))
    await hear(means, { sessionId, type: 'charge.refunded' })
  },

  /** Redeems a seat if there is one; a refund may come first. */
  async friend(means: Means, { bought, friend }: Parts) {
    const code = (await findOrder(means.db, bought.orderId))?.lines.flatMap(({ seats }) => seats)[0]?.code
    if (code === undefined) return
    try {
      await call(means, '/api/seats/redeem', { user: friend, body: { code } })
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'seat.void') throw error
    }
  },
} satisfies Record<string, (means: Means, parts: Parts) => Promise<void>>

const follows: Partial<Record<keyof typeof actors, string>> = { webhook: 'payment', refund: 'payment' }

/** All orders of these names; equal names are interchangeable. */
function rowsOf<Name extends string>(names: readonly Name[]): Name[][] {
  if (names.length === 0) return [[]]
  return [...new Set(names)].flatMap((name) => {
    const rest = names.toSpliced(names.indexOf(name), 1)
    return rowsOf(rest).map((row) => [name, ...row])
  })
}

const orders = rowsOf(['webhook', 'webhook', 'page', 'page', 'repair', 'refund'] as const)

test('every interleaving of webhooks, pages, repair and refund grants each line once', async () => {
  expect(orders).toHaveLength(180)
  const seeds = onlySeed === undefined ? Array.from({ length: SEEDS }, (_, index) => index + 1) : [Number(onlySeed)]
  for (const seed of seeds) {
    const order = orders[(seed - 1) % orders.length] ?? []
    try {
      await playOrder(seed, order)
    } catch (error) {
      throw new Error(`SEED=${seed} breaks it: ${order.join(', ')}`, { cause: error })
    }
  }
}, 300_000)

async function playOrder(seed: number, order: readonly (keyof typeof actors)[]) {
  const random = seeded(seed)
  // The repair ignores old orders.
  app.clock.forward(4 * DAY_MS)
  const bought = await anOrderToPay(app, [{ course: one, quantity: 3 }, { course: other }])
  const parts: Parts = { bought, friend: await aBuyer(app), refundCents: random() < 0.25 ? 1000 : null }
  const restless = RESTLESS[Math.floor(random() * RESTLESS.length)] ?? 0
  const row: (keyof typeof actors)[] = order.toSpliced(Math.floor(random() * (order.length + 1)), 0, 'friend')
  const payment: Actor = { name: 'payment', run: (step) => step('pay', () => payByCard(bought)) }
  const cast = row.map((name, place): Actor => {
    const before = follows[name]
    return {
      name: `${name} ${place}`,
      ...(before === undefined ? {} : { follows: before }),
      run: (step) => actors[name](inTurns(step), parts),
    }
  })
  await takeTurns(pool, [payment, ...cast], { random, restless })
  await expectWhole(parts)
}

/** Checks for one access period per line, the seats, allowed moves, one receipt, and the end of access after a refund. */
async function expectWhole({ bought, friend, refundCents }: Parts) {
  const { orderId, buyer } = bought
  const isEnded = refundCents === null
  const order = await db
    .selectFrom('orders')
    .where('id', '=', orderId)
    .select(['state', 'subtotal_cents', 'tax_cents', 'shipping_cents', 'total_cents', 'gateway_session_id'])
    .executeTakeFirstOrThrow()
  expect(order).toEqual({
    state: isEnded ? 'refunded' : 'partly_refunded',
    subtotal_cents: 7996,
    tax_cents: 800,
    shipping_cents: 0,
    total_cents: 8796,
    gateway_session_id: bought.sessionId,
  })

  const periods = await periodsOf(buyer)
  expect(periods.map(({ course_id }) => course_id).sort()).toEqual([one.id, other.id].sort())
  expect(new Set(periods.map(({ order_line_id }) => order_line_id)).size).toBe(2)
  const friends = await periodsOf(friend)
  for (const period of [...periods, ...friends]) {
    expect(period.ends_at.getTime() - period.starts_at.getTime()).toBe(30 * DAY_MS)
    expect(period.revoked_at !== null).toBe(isEnded)
  }

  const seats = await db
    .selectFrom('seats')
    .innerJoin('order_lines', 'order_lines.id', 'seats.order_line_id')
    .where('order_lines.order_id', '=', orderId)
    .select(['seats.course_id', 'number', 'redeemed_by'])
    .orderBy('number')
    .execute()
  expect(seats.map(({ course_id, number }) => [course_id, number])).toEqual([
    [one.id, 1],
    [one.id, 2],
  ])
  expect(friends).toHaveLength(seats.filter(({ redeemed_by }) => redeemed_by === friend.id).length)

  const moves = await db
    .selectFrom('order_moves')
    .where('order_id', '=', orderId)
    .select(['from_state', 'to_state', 'detail'])
    .orderBy('id')
    .execute()
  let state: OrderState = 'pending'
  for (const move of moves.slice(1)) {
    const to = move.to_state as OrderState
    expect([move.from_state, canMove(state, to)]).toEqual([state, true])
    state = to
  }
  expect(state).toBe(order.state)
  expect(moves.map(({ to_state }) => to_state)).toEqual(['pending', 'paid', order.state])
  expect(moves.at(-1)?.detail).toMatchObject({ refundedCents: refundCents ?? 8796 })

  const events = await db.selectFrom('gateway_events').where('order_id', '=', orderId).select('kind').execute()
  expect(events.map(({ kind }) => kind).sort()).toEqual(['charge.refunded', 'checkout.session.completed'])
  expect(await countReceipts(buyer)).toBe(1)
}

const periodsOf = (user: User) =>
  db
    .selectFrom('access_periods')
    .where('user_id', '=', user.id)
    .select(['course_id', 'order_line_id', 'starts_at', 'ends_at', 'revoked_at'])
    .execute()

async function countReceipts({ email }: User): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*) from jobs.job where name = 'mail' and data->>'to' = $1 and data->>'subject' like '%receipt'",
    [email],
  )
  return rows[0]?.count ?? 0
}
