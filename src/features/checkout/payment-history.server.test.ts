import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse } from '../../../tests/support/build-course.ts'
import { anOrderToPay, shopOf } from '../../../tests/support/place-order.ts'
import { seeded } from '../../../tests/support/turns.ts'
import { expectedStates, historyOf, type History, type ProviderState } from './payment-history.fixture.ts'
import { CURRENCY, movesTo, type OrderFacts, type OrderState, type PaymentFacts } from './orders.ts'
import { fulfilOrder, handleEvent } from './payment/payment-commands.server.ts'
import type { GatewayEvent, PaymentGateway } from './payment/stripe-gateway.server.ts'

/** SEED=17 runs one history, on the model and on the database. */
const onlySeed = process.env['SEED']
const MODEL_HISTORIES = 10_000
/** HISTORIES=10000 plays all of them on the database, too. */
const DATABASE_HISTORIES = Number(process.env['HISTORIES'] ?? 300)
/** One course at $19.99, with tax and shipping. */
const TOTAL_CENTS = 3198

const seedsTo = (count: number) =>
  onlySeed === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(onlySeed)]

/** Names the seed of the history that fails. */
async function play(seed: number, run: (history: History) => Promise<void> | void): Promise<void> {
  const history = historyOf(seeded(seed), TOTAL_CENTS, `${seed}`)
  try {
    await run(history)
  } catch (error) {
    throw new Error(`SEED=${seed} breaks it: ${history.happenings.join(', ')}`, { cause: error })
  }
}

function factsOf({ payment }: ProviderState, order: { id: string; sessionId: string }): PaymentFacts {
  return {
    ...payment,
    sessionId: order.sessionId,
    orderId: order.id,
    amountCents: TOTAL_CENTS,
    currency: CURRENCY,
    isLive: false,
    paymentIntent: payment.isPaid ? `pi_${order.sessionId}` : null,
  }
}

/** The decisions of `fulfilOrder` on an order in memory: how often it grants, and whether access is there in the end. */
function playInMemory({ looks }: History): { state: OrderState; grants: number; hasAccess: boolean } {
  const order = { id: 'o', sessionId: 's' }
  const known = new Set<string>()
  let facts: OrderFacts = {
    id: order.id,
    state: 'pending',
    totalCents: TOTAL_CENTS,
    currency: CURRENCY,
    isLive: false,
    paymentIntent: null,
    refundedCents: 0,
    endedDisputes: [],
  }
  let [grants, hasAccess] = [0, false]
  for (const { event, told } of looks) {
    if (event !== null && known.has(event.id)) continue
    if (event !== null) known.add(event.id)
    const isOfDispute = event === null || event.kind.startsWith('charge.dispute')
    const dispute = isOfDispute && told.dispute !== null ? { id: 'dp', state: told.dispute } : null
    for (const { to, detail } of movesTo(facts, factsOf(told, order), dispute)) {
      if (to === 'refunded' || to === 'disputed') hasAccess = false
      else if (facts.state === 'disputed') hasAccess = true
      else if (to === 'paid') [grants, hasAccess] = [grants + 1, true]
      facts = {
        ...facts,
        state: to,
        refundedCents: Math.max(facts.refundedCents, Number(detail['refundedCents'] ?? 0)),
        endedDisputes: 'ended' in detail ? [...facts.endedDisputes, 'dp'] : facts.endedDisputes,
      }
    }
  }
  return { state: facts.state, grants, hasAccess }
}

const isOpen = (state: OrderState) => state === 'paid' || state === 'partly_refunded'

test(`${MODEL_HISTORIES} histories of a payment by seed, decided in memory, grant once where paid`, async () => {
  const seen = new Set<OrderState>()
  for (const seed of seedsTo(MODEL_HISTORIES))
    await play(seed, (history) => {
      const { state, grants, hasAccess } = playInMemory(history)
      expect(expectedStates(history.end, TOTAL_CENTS)).toContain(state)
      expect({ grants, hasAccess }).toEqual({ grants: history.end.payment.isPaid ? 1 : 0, hasAccess: isOpen(state) })
      seen.add(state)
    })
  // One history has one end, many have them all.
  expect(seen.size).toBe(onlySeed === undefined ? 7 : 1)
})

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db, pool } = app.services.database
const course = await aCourse(db)

/** The provider as one look is told of it. */
function gatewayTelling(told: ProviderState, order: { id: string; sessionId: string }): PaymentGateway {
  const { gateway } = shopOf(app)
  return {
    ...gateway,
    findPayment: async () => ({ ...factsOf(told, order), url: null, payableUntil: null }),
    findSessionOf: async () => order.sessionId,
    findDispute: async () =>
      told.dispute === null
        ? null
        : { id: `dp_${order.sessionId}`, state: told.dispute, paymentIntent: `pi_${order.sessionId}` },
  }
}

async function playOnDatabase(history: History): Promise<void> {
  const { orderId, sessionId, buyer } = await anOrderToPay(app, [{ course }])
  const order = { id: orderId, sessionId }
  for (const { event, told } of history.looks) {
    const shop = { ...shopOf(app), gateway: gatewayTelling(told, order) }
    const now = app.clock.now()
    const dispute = await shop.gateway.findDispute('')
    if (event === null) {
      await fulfilOrder(db, shop, { sessionId, cause: 'page', now, ...(dispute === null ? {} : { dispute }) })
      continue
    }
    const subject: GatewayEvent['subject'] = event.kind.startsWith('checkout.session')
      ? { kind: 'session', id: sessionId }
      : event.kind.startsWith('charge.dispute')
        ? { kind: 'dispute', id: `dp_${sessionId}` }
        : { kind: 'payment', intent: `pi_${sessionId}` }
    await handleEvent(db, shop, { id: event.id, kind: event.kind, isLive: false, subject }, now)
  }
  const { rows } = await pool.query<{
    state: OrderState
    periods: number
    open: number
    receipts: number
    moves: number
  }>(
    `select state,
       (select count(*)::int from access_periods where user_id = $2) as periods,
       (select count(*)::int from access_periods where user_id = $2 and revoked_at is null) as open,
       (select count(*)::int from jobs.job where name = 'mail' and data->>'to' = $3 and data->>'subject' like '%receipt') as receipts,
       (select count(*)::int from order_moves where order_id = orders.id and to_state = 'paid' and from_state <> 'disputed') as moves
     from orders where id = $1`,
    [orderId, buyer.id, buyer.email],
  )
  const model = playInMemory(history)
  expect(rows).toEqual([
    {
      state: model.state,
      periods: model.grants,
      open: model.hasAccess ? 1 : 0,
      receipts: model.grants,
      moves: model.grants,
    },
  ])
}

test(`${DATABASE_HISTORIES} of these histories on the database grant once where paid, as decided in memory`, async () => {
  const seeds = seedsTo(DATABASE_HISTORIES)
  // Several orders at a time: each has a history of its own.
  const lanes = Array.from({ length: 8 }, (_, lane) => seeds.filter((_seed, index) => index % 8 === lane))
  await Promise.all(
    lanes.map(async (lane) => {
      for (const seed of lane) await play(seed, playOnDatabase)
    }),
  )
}, 3_600_000)
