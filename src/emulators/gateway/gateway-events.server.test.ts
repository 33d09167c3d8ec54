import { Stripe } from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCheckout, aDatabase, aGateway, pay, submit, until } from '../test-emulators.server.ts'
import { signatureOf } from './gateway-events.server.ts'

let database: Awaited<ReturnType<typeof aDatabase>>
beforeAll(async () => {
  database = await aDatabase()
})
afterAll(() => database.close())

test('a paid session sends signed events that the Stripe SDK accepts', async () => {
  const { stripe, events, types, received } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  await pay(session)
  await events(2)
  expect(types()).toEqual(['payment_intent.succeeded', 'checkout.session.completed'])
  expect(received[1]?.event).toMatchObject({
    object: 'event',
    api_version: Stripe.API_VERSION,
    livemode: false,
    data: { object: { id: session.id, status: 'complete', payment_status: 'paid', client_reference_id: 'order-1' } },
  })
  const event = await stripe.events.retrieve(received[1]!.event.id)
  expect(JSON.parse(JSON.stringify(event))).toMatchObject(JSON.parse(received[1]!.body) as object)
  expect((await stripe.events.list({ type: 'checkout.session.completed' })).data).toHaveLength(1)
})

test('a signature with another secret, body or time is not accepted', () => {
  const stripe = new Stripe('sk_test_x')
  const body = '{"id":"evt_1","object":"event"}'
  const good = signatureOf(body, 'whsec_1', new Date())
  expect(stripe.webhooks.constructEvent(body, good, 'whsec_1').id).toBe('evt_1')
  const { StripeSignatureVerificationError: Refused } = Stripe.errors
  expect(() => stripe.webhooks.constructEvent(body, good, 'whsec_2')).toThrow(Refused)
  expect(() => stripe.webhooks.constructEvent(`${body} `, good, 'whsec_1')).toThrow(Refused)
  const stale = signatureOf(body, 'whsec_1', new Date(Date.now() - 3_600_000))
  expect(() => stripe.webhooks.constructEvent(body, stale, 'whsec_1')).toThrow(Refused)
})

test('an event is retried until the shop accepts it', async () => {
  const { stripe, answerWith, events, received } = await aGateway(database.pool)
  answerWith(500, 302, 404)
  const session = await stripe.checkout.sessions.create(aCheckout())
  await stripe.checkout.sessions.expire(session.id)
  await events(4)
  expect(received.map(({ status }) => status)).toEqual([500, 302, 404, 200])
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  await until('nothing waits', async () => (await waiting()) === 0)
  expect(received).toHaveLength(4)
})

test('pending events of a stopped gateway are delivered by the next one on the same database', async () => {
  const first = await aGateway(database.pool)
  await first.control('switches', { delivery: 'late', lateMs: 200 })
  await pay(await first.stripe.checkout.sessions.create(aCheckout()))
  await first.gateway.stop()
  const second = await aGateway(database.pool, { isFresh: false })
  await second.events(2)
  expect(first.received).toEqual([])
})

test('the switch sends every event twice', async () => {
  const { stripe, control, events, types } = await aGateway(database.pool)
  await control('switches', { delivery: 'twice' })
  await pay(await stripe.checkout.sessions.create(aCheckout()))
  await events(4)
  expect(types()).toEqual([
    'payment_intent.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
    'checkout.session.completed',
  ])
})

test('the switch sends events late', async () => {
  const { stripe, control, events, received } = await aGateway(database.pool)
  await control('switches', { delivery: 'late', lateMs: 400 })
  const startedAt = performance.now()
  await pay(await stripe.checkout.sessions.create(aCheckout()))
  expect(received).toHaveLength(0)
  await events(2)
  expect(performance.now() - startedAt).toBeGreaterThan(400)
})

test('the switch sends events out of order, a refund before its payment', async () => {
  const { stripe, control, events, types } = await aGateway(database.pool)
  await control('switches', { delivery: 'out-of-order', lateMs: 60_000 })
  const session = await stripe.checkout.sessions.create(aCheckout())
  await pay(session)
  const paid = await stripe.checkout.sessions.retrieve(session.id)
  await stripe.refunds.create({ payment_intent: String(paid.payment_intent) })
  expect(types()).toEqual([])
  await control('deliver', {})
  await events(4)
  expect(types()).toEqual([
    'charge.refunded',
    'refund.created',
    'checkout.session.completed',
    'payment_intent.succeeded',
  ])
})

test('out-of-order events are delivered after the delay without a request', async () => {
  const { stripe, control, events, types } = await aGateway(database.pool)
  await control('switches', { delivery: 'out-of-order', lateMs: 200 })
  await pay(await stripe.checkout.sessions.create(aCheckout()))
  await events(2)
  expect(types()).toEqual(['checkout.session.completed', 'payment_intent.succeeded'])
})

test('the switch holds events back until a test asks for delivery', async () => {
  const { stripe, control, received, types } = await aGateway(database.pool)
  await control('switches', { delivery: 'never' })
  await pay(await stripe.checkout.sessions.create(aCheckout()))
  await control('switches', { delivery: 'normal' })
  const next = await stripe.checkout.sessions.create(aCheckout())
  await stripe.checkout.sessions.expire(next.id)
  await until('the free event arrived', () => received.length === 1)
  expect(types()).toEqual(['checkout.session.expired'])
  const answer = await control('deliver', {})
  expect(await answer.json()).toEqual({ delivered: 2, waiting: 0 })
  expect(types().slice(1)).toEqual(['payment_intent.succeeded', 'checkout.session.completed'])
})

test('an expired session sends an event without a request', async () => {
  let now = new Date('2030-01-01T00:00:00Z')
  const { stripe, control, events, types } = await aGateway(database.pool, { clock: { now: () => now } })
  await stripe.checkout.sessions.create(aCheckout())
  now = new Date('2030-01-02T00:00:00Z')
  // Every round of the gateway expires sessions; a change of the switches starts one.
  await control('switches', {})
  await events(1)
  expect(types()).toEqual(['checkout.session.expired'])
})

test('a bank debit completes the session unpaid and settles later', async () => {
  const { stripe, control, events, types, received } = await aGateway(database.pool)
  await control('switches', { bankDebit: 'settles', settleMs: 50 })
  const session = await stripe.checkout.sessions.create(aCheckout())
  expect((await submit(session.url ?? '', { method: 'bank' })).status).toBe(303)
  await events(3)
  expect(types()).toEqual([
    'checkout.session.completed',
    'payment_intent.succeeded',
    'checkout.session.async_payment_succeeded',
  ])
  expect(received[0]?.event.data.object).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
  expect(received[2]?.event.data.object).toMatchObject({ status: 'complete', payment_status: 'paid' })
})

test('a bank debit can fail later', async () => {
  const { stripe, control, events, types } = await aGateway(database.pool)
  await control('switches', { bankDebit: 'fails', settleMs: 50 })
  const session = await stripe.checkout.sessions.create(aCheckout())
  await submit(session.url ?? '', { method: 'bank' })
  await events(3)
  expect(types()).toEqual([
    'checkout.session.completed',
    'payment_intent.payment_failed',
    'checkout.session.async_payment_failed',
  ])
  const failed = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] })
  expect(failed).toMatchObject({
    payment_status: 'unpaid',
    status: 'complete',
    payment_intent: { status: 'requires_payment_method', latest_charge: { status: 'failed', paid: false } },
  })
})

test('a waiting bank debit is decided by a command, once', async () => {
  const { stripe, control, events, types } = await aGateway(database.pool)
  await control('switches', { bankDebit: 'waits' })
  const session = await stripe.checkout.sessions.create(aCheckout())
  await submit(session.url ?? '', { method: 'bank' })
  const waits = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })
  expect(waits.payment_intent).toMatchObject({ status: 'processing', amount_received: 0 })
  const decisions = await Promise.all(
    ['settles', 'fails', 'settles'].map((outcome) => control('settle', { sessionId: session.id, outcome })),
  )
  expect(decisions.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  await events(3)
  expect(types()).toHaveLength(3)
  expect((await control('settle', { sessionId: 'cs_test_x', outcome: 'fails' })).status).toBe(404)
  expect(await (await control('settle', { sessionId: session.id, outcome: 'maybe' })).json()).toMatchObject({
    field: 'outcome',
  })
})

test('the disputed card pays and is then disputed, and no refund is possible meanwhile', async () => {
  const { stripe, control, events, types, received } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  await pay(session, { card_number: '4000 0000 0000 0259' })
  await events(3)
  expect(types()).toEqual(['payment_intent.succeeded', 'checkout.session.completed', 'charge.dispute.created'])
  const paid = await stripe.checkout.sessions.retrieve(session.id)
  const dispute = received[2]?.event.data.object as Stripe.Dispute
  expect(dispute).toMatchObject({ status: 'needs_response', amount: 2998, payment_intent: paid.payment_intent })
  expect((await stripe.charges.retrieve(String(dispute.charge))).disputed).toBe(true)
  await expect(stripe.refunds.create({ payment_intent: String(paid.payment_intent) })).rejects.toMatchObject({
    code: 'charge_disputed',
  })
  expect((await control('dispute', { sessionId: session.id, outcome: 'won' })).status).toBe(200)
  expect((await control('dispute', { sessionId: session.id, outcome: 'lost' })).status).toBe(409)
  await events(4)
  expect(received[3]?.event).toMatchObject({ type: 'charge.dispute.closed', data: { object: { status: 'won' } } })
  expect((await stripe.disputes.retrieve(dispute.id)).status).toBe('won')
})

test('a command opens a dispute for any paid session', async () => {
  const { stripe, control, events, types } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  expect((await control('dispute', { sessionId: session.id })).status).toBe(409)
  await pay(session)
  expect((await control('dispute', { sessionId: session.id })).status).toBe(200)
  await control('dispute', { sessionId: session.id, outcome: 'lost' })
  await events(4)
  expect(types().slice(2)).toEqual(['charge.dispute.created', 'charge.dispute.closed'])
})

test('two gateways on one database deliver every event once', async () => {
  const first = await aGateway(database.pool)
  const second = await aGateway(database.pool, { isFresh: false })
  await first.control('switches', { delivery: 'never' })
  const checkouts = Array.from({ length: 12 }, () => first.stripe.checkout.sessions.create(aCheckout()))
  for (const session of await Promise.all(checkouts)) await pay(session)
  await Promise.all([first, second, first, second].map(({ control }) => control('deliver', {})))
  const all = () => [...first.received, ...second.received].map(({ event }) => event.id)
  await until('all events arrived', () => all().length >= 24)
  await until('nothing waits', async () => (await waiting()) === 0)
  expect(all()).toHaveLength(24)
  expect(new Set(all()).size).toBe(24)
})

async function waiting(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from demo.gateway_event where state = 'pending'`,
  )
  return rows[0]?.count ?? 0
}
