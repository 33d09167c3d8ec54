import { Stripe } from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCheckout, aDatabase, aGateway, pay } from '../test-emulators.server.ts'

let database: Awaited<ReturnType<typeof aDatabase>>
beforeAll(async () => {
  database = await aDatabase()
})
afterAll(() => database.close())

async function refusal(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await work.then(
    () => new Error('It was not refused'),
    (refused: unknown) => refused,
  )
  if (error instanceof Stripe.errors.StripeError) return error
  throw error
}

test('the Stripe SDK creates a session and retrieves it with its lines', async () => {
  const { stripe, publicBase } = await aGateway(database.pool)
  const opened = await stripe.checkout.sessions.create(aCheckout())
  expect(opened.id).toMatch(/^cs_test_[0-9A-Za-z]{58}$/)
  expect(opened.url).toBe(`${publicBase}/pay/${opened.id}`)
  expect(opened).toMatchObject({
    amount_total: 2998,
    currency: 'usd',
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: null,
    client_reference_id: 'order-1',
    customer_email: 'ana@example.com',
    metadata: { orderId: 'order-1' },
    livemode: false,
  })
  expect(opened.line_items).toBeUndefined()

  const read = await stripe.checkout.sessions.retrieve(opened.id, { expand: ['line_items', 'payment_intent'] })
  expect(read.payment_intent).toBeNull()
  expect(read.line_items?.data.map((line) => [line.description, line.quantity, line.amount_total])).toEqual([
    ['Cloud Practitioner', 2, 2500],
    ['Tax & shipping', 1, 498],
  ])
  expect(read.line_items?.data[0]?.price?.unit_amount_decimal?.toString()).toBe('1250')

  const lines = await stripe.checkout.sessions.listLineItems(opened.id, { limit: 1 }).autoPagingToArray({ limit: 10 })
  expect(lines.map((line) => line.amount_total)).toEqual([2500, 498])
})

test('a session for a +no-url email address has no payment page', async () => {
  const { stripe } = await aGateway(database.pool)
  const opened = await stripe.checkout.sessions.create({ ...aCheckout(), customer_email: 'ana+no-url@example.com' })
  expect(opened).toMatchObject({ status: 'open', url: null })
  expect(await stripe.checkout.sessions.retrieve(opened.id)).toMatchObject({ status: 'open', url: null })
})

test('two requests with one idempotency key get the same session, also when they arrive at once', async () => {
  const { stripe } = await aGateway(database.pool)
  const options = { idempotencyKey: 'order-7' }
  const both = await Promise.all([1, 2, 3, 4].map(() => stripe.checkout.sessions.create(aCheckout(), options)))
  const again = await stripe.checkout.sessions.create(aCheckout(), options)
  expect(new Set([...both, again].map(({ id }) => id)).size).toBe(1)
  expect((await stripe.checkout.sessions.list()).data).toHaveLength(1)
})

test("an idempotency key with other parameters is refused with Stripe's error", async () => {
  const { stripe } = await aGateway(database.pool)
  await stripe.checkout.sessions.create(aCheckout(), { idempotencyKey: 'order-8' })
  const error = await refusal(
    stripe.checkout.sessions.create(aCheckout({ client_reference_id: 'other' }), { idempotencyKey: 'order-8' }),
  )
  expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
  expect(error.statusCode).toBe(400)
})

test('a refused request does not use up its idempotency key', async () => {
  const { stripe } = await aGateway(database.pool)
  const options = { idempotencyKey: 'order-9' }
  await refusal(stripe.checkout.sessions.create(aCheckout({ success_url: 'nowhere' }), options))
  expect((await stripe.checkout.sessions.create(aCheckout(), options)).status).toBe('open')
})

test('a wrong or missing secret key is an authentication error', async () => {
  const { api } = await aGateway(database.pool)
  const stranger = new Stripe('sk_test_wrong_key', { host: api.host, port: api.port, protocol: 'http' })
  const error = await refusal(stranger.balance.retrieve())
  expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
  expect(error.message).not.toContain('sk_test_wrong_key')
  const bare = await fetch(`http://${api.host}:${api.port}/v1/balance`)
  expect(bare.status).toBe(401)
  expect(await bare.json()).toEqual({
    error: { type: 'invalid_request_error', message: 'You did not provide an API key.' },
  })
})

test('unknown objects are reported as missing resources', async () => {
  const { stripe } = await aGateway(database.pool)
  for (const ask of [
    () => stripe.checkout.sessions.retrieve('cs_test_invented'),
    () => stripe.checkout.sessions.expire('cs_test_invented'),
    () => stripe.checkout.sessions.listLineItems('cs_test_invented'),
    () => stripe.paymentIntents.retrieve('pi_invented'),
    () => stripe.charges.retrieve('ch_invented'),
    () => stripe.refunds.retrieve('re_invented'),
    () => stripe.disputes.retrieve('dp_invented'),
    () => stripe.events.retrieve('evt_invented'),
    () => stripe.refunds.create({ payment_intent: 'pi_invented' }),
  ]) {
    const error = await refusal(Promise.resolve(ask()))
    expect(error).toMatchObject({ statusCode: 404, code: 'resource_missing', type: 'StripeInvalidRequestError' })
  }
  expect(await refusal(stripe.checkout.sessions.retrieve('cs_test_x'))).toMatchObject({ param: 'session' })
})

const line = (price: object, quantity: number | string = 1) => ({ quantity, price_data: price })
const product = { name: 'A course' }
test.each<[string, object, { code?: string; param: string }]>([
  ['no success address', { success_url: undefined }, { code: 'parameter_missing', param: 'success_url' }],
  ['no lines', { line_items: undefined }, { code: 'parameter_missing', param: 'line_items' }],
  [
    'a line without a currency',
    { line_items: [line({ unit_amount: 100, product_data: product })] },
    { code: 'parameter_missing', param: 'line_items[0][price_data][currency]' },
  ],
  [
    'a broken amount',
    { line_items: [line({ currency: 'usd', unit_amount: '12.5', product_data: product })] },
    { code: 'parameter_invalid_integer', param: 'line_items[0][price_data][unit_amount]' },
  ],
  [
    'quantity 0',
    { line_items: [line({ currency: 'usd', unit_amount: 100, product_data: product }, 0)] },
    { param: 'line_items[0][quantity]' },
  ],
  [
    'a total under 50 cents',
    { line_items: [line({ currency: 'usd', unit_amount: 49, product_data: product })] },
    { code: 'amount_too_small', param: 'line_items' },
  ],
  [
    'two currencies',
    {
      line_items: [
        line({ currency: 'usd', unit_amount: 100, product_data: product }),
        line({ currency: 'eur', unit_amount: 100, product_data: product }),
      ],
    },
    { param: 'line_items[1][price_data][currency]' },
  ],
  ['an expiry in five minutes', { expires_at: Math.floor(Date.now() / 1000) + 300 }, { param: 'expires_at' }],
  ['a parameter Stripe does not know', { prize: 'none' }, { code: 'parameter_unknown', param: 'prize' }],
  ['subscriptions', { mode: 'subscription' }, { param: 'mode' }],
])('%s is refused with its parameter', async (_name, changes, expected) => {
  const { stripe } = await aGateway(database.pool)
  const error = await refusal(stripe.checkout.sessions.create(aCheckout(changes)))
  expect(error).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError', ...expected })
})

test('a property that cannot be expanded is refused', async () => {
  const { stripe } = await aGateway(database.pool)
  const { id } = await stripe.checkout.sessions.create(aCheckout())
  const error = await refusal(stripe.checkout.sessions.retrieve(id, { expand: ['wishes'] }))
  expect(error.message).toBe('This property cannot be expanded (wishes).')
})

test('sessions are listed newest first, by page, time and payment', async () => {
  const { stripe } = await aGateway(database.pool)
  const made = []
  for (let count = 0; count < 5; count += 1) made.push(await stripe.checkout.sessions.create(aCheckout()))
  const newestFirst = made.map(({ id }) => id).toReversed()

  const first = await stripe.checkout.sessions.list({ limit: 2 })
  expect(first.data.map(({ id }) => id)).toEqual(newestFirst.slice(0, 2))
  expect(first.has_more).toBe(true)
  const rest = await stripe.checkout.sessions.list({ limit: 10, starting_after: first.data[1]?.id })
  expect(rest.data.map(({ id }) => id)).toEqual(newestFirst.slice(2))
  expect(rest.has_more).toBe(false)
  const all = await stripe.checkout.sessions.list({ limit: 2 }).autoPagingToArray({ limit: 100 })
  expect(all.map(({ id }) => id)).toEqual(newestFirst)

  const past = await stripe.checkout.sessions.list({ created: { lt: (made[0]?.created ?? 0) - 10 } })
  expect(past.data).toEqual([])
  const recent = await stripe.checkout.sessions.list({ created: { gte: made[0]?.created ?? 0 } })
  expect(recent.data).toHaveLength(5)

  await pay(made[1]!)
  const paid = await stripe.checkout.sessions.retrieve(made[1]!.id)
  const byPayment = await stripe.checkout.sessions.list({
    payment_intent: String(paid.payment_intent),
    expand: ['data.line_items'],
  })
  expect(byPayment.data.map(({ id, line_items: lines }) => [id, lines?.data.length])).toEqual([[paid.id, 2]])
  expect((await stripe.checkout.sessions.list({ status: 'complete' })).data).toHaveLength(1)
})

test('an open session can be expired once; a paid one cannot', async () => {
  const { stripe } = await aGateway(database.pool)
  const open = await stripe.checkout.sessions.create(aCheckout())
  expect(await stripe.checkout.sessions.expire(open.id)).toMatchObject({ status: 'expired', url: null })
  expect((await refusal(stripe.checkout.sessions.expire(open.id))).message).toContain('status of `expired`')
  const paid = await stripe.checkout.sessions.create(aCheckout())
  await pay(paid)
  expect((await refusal(stripe.checkout.sessions.expire(paid.id))).message).toContain('status of `complete`')
})

test('a session that was not paid in time is expired when it is next read', async () => {
  let now = new Date('2030-01-01T00:00:00Z')
  const { stripe } = await aGateway(database.pool, { clock: { now: () => now } })
  const session = await stripe.checkout.sessions.create(aCheckout({ expires_at: now.getTime() / 1000 + 1800 }))
  now = new Date('2030-01-01T00:29:59Z')
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open')
  now = new Date('2030-01-01T00:30:00Z')
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired')
})

test('a payment is refunded in part and then in full, never more than was paid', async () => {
  const { stripe, events, types, received } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  await pay(session)
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] })
  const intent = paid.payment_intent as Stripe.PaymentIntent
  expect(intent).toMatchObject({ status: 'succeeded', amount_received: 2998, metadata: { orderId: 'order-1' } })

  const part = {
    payment_intent: intent.id,
    amount: 998,
    reason: 'requested_by_customer',
    metadata: { by: 'ada' },
  } as const
  const first = await stripe.refunds.create(part, { idempotencyKey: 'refund-1' })
  const repeated = await stripe.refunds.create(part, { idempotencyKey: 'refund-1' })
  expect(first).toMatchObject({
    amount: 998,
    status: 'succeeded',
    reason: 'requested_by_customer',
    metadata: { by: 'ada' },
  })
  expect(repeated.id).toBe(first.id)

  const tooMuch = await refusal(stripe.refunds.create({ payment_intent: intent.id, amount: 2001 }))
  expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' })
  const rest = await stripe.refunds.create({ payment_intent: intent.id })
  expect(rest.amount).toBe(2000)
  expect(await refusal(stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
    code: 'charge_already_refunded',
  })

  const listed = await stripe.refunds.list({ payment_intent: intent.id })
  expect(listed.data.map(({ id }) => id)).toEqual([rest.id, first.id])
  expect(await stripe.refunds.retrieve(first.id)).toEqual(expect.objectContaining({ id: first.id, amount: 998 }))
  const charge = await stripe.charges.retrieve(String(rest.charge), { expand: ['refunds'] })
  expect(charge).toMatchObject({
    amount_refunded: 2998,
    refunded: true,
    refunds: { data: [{ id: rest.id }, { id: first.id }] },
  })

  await events(6)
  expect(types()).toEqual([
    'payment_intent.succeeded',
    'checkout.session.completed',
    'refund.created',
    'charge.refunded',
    'refund.created',
    'charge.refunded',
  ])
  expect(received[3]?.event.data.object).toMatchObject({ amount_refunded: 998, refunded: false })
})

test('twenty refunds at once never exceed the payment', async () => {
  const { stripe } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  await pay(session)
  const paid = await stripe.checkout.sessions.retrieve(session.id)
  const wishes = Array.from({ length: 20 }, () =>
    stripe.refunds.create({ payment_intent: String(paid.payment_intent), amount: 1000 }).then(
      ({ amount }) => amount,
      () => 0,
    ),
  )
  const refundedCents = (await Promise.all(wishes)).reduce((sum, amount) => sum + amount, 0)
  expect(refundedCents).toBe(2000)
})

test('an unpaid payment cannot be refunded', async () => {
  const { stripe } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  await pay(session, { card_number: '4000000000000002' })
  const tried = await stripe.checkout.sessions.retrieve(session.id)
  const error = await refusal(stripe.refunds.create({ payment_intent: String(tried.payment_intent) }))
  expect(error.message).toContain('does not have a successful charge')
  expect(await refusal(stripe.refunds.create({}))).toMatchObject({ statusCode: 400 })
})

test('the balance is the sum of payments minus refunds', async () => {
  const { stripe } = await aGateway(database.pool)
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 0, currency: 'usd' }])
  const session = await stripe.checkout.sessions.create(aCheckout())
  await pay(session)
  const paid = await stripe.checkout.sessions.retrieve(session.id)
  await stripe.refunds.create({ payment_intent: String(paid.payment_intent), amount: 500 })
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 2498, currency: 'usd' }])
})

test('the SDK reports the switches down, unreachable and slow as such', async () => {
  const { stripe, control } = await aGateway(database.pool)
  await control('switches', { api: 'down' })
  expect(await refusal(stripe.balance.retrieve())).toMatchObject({ statusCode: 503, type: 'StripeAPIError' })
  await control('switches', { api: 'unreachable' })
  expect(await refusal(stripe.balance.retrieve())).toBeInstanceOf(Stripe.errors.StripeConnectionError)
  await control('switches', { api: 'slow', slowMs: 300 })
  expect(await refusal(stripe.balance.retrieve({}, { timeout: 100 }))).toBeInstanceOf(
    Stripe.errors.StripeConnectionError,
  )
  const startedAt = performance.now()
  await stripe.balance.retrieve()
  expect(performance.now() - startedAt).toBeGreaterThan(290)
  await control('switches', { api: 'normal' })
  await stripe.balance.retrieve({}, { timeout: 5000 })
})

test('an unsupported path is refused with an explanation', async () => {
  const { stripe } = await aGateway(database.pool)
  const error = await refusal(stripe.customers.create({ name: 'Ana' }))
  expect(error.statusCode).toBe(404)
  expect(error.message).toContain('Unrecognized request URL (POST: /v1/customers)')
})
