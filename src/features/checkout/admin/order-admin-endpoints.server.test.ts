import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp, type Reply } from '../../../../tests/support/start-app.ts'
import { aCourse } from '../../../../tests/support/build-course.ts'
import { pay, sessionOf, shopOf, stripeOf, turnGateway } from '../../../../tests/support/place-order.ts'
import { anAdmin, aStudent, type SignedIn } from '../../../../tests/support/users.ts'
import { cents } from '../../../lib/money.ts'
import { DAY_MS, MINUTE_MS } from '../../../lib/time.ts'
import { createPaymentGateway, type PaymentGateway } from '../payment/stripe-gateway.server.ts'
import { reconcileOrders } from '../payment/payment-commands.server.ts'
import type { CheckoutDeps } from '../orders-commands.server.ts'
import { fail } from '../checkout.schema.ts'
import { refundOrder } from './order-admin-commands.server.ts'
import { findOrderRecord, listAdminOrders, listPaymentIssues } from './order-admin-queries.server.ts'
import { OrderFilter } from './order-admin.schema.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { database, emulators } = app.services
const { db } = database
const stripe = stripeOf(app)
const shop = shopOf(app)
const admin = await anAdmin(app)
await turnGateway(app, 'switches', { delivery: 'never' })

async function anOrder(
  options: { quantity?: number; card?: string; isPaid?: boolean; isHeardOf?: boolean; priceCents?: number } = {},
) {
  const { quantity = 1, card = '4242 4242 4242 4242', isPaid = true, isHeardOf = true, priceCents = 1999 } = options
  const course = await aCourse(db, { priceCents })
  const student = await aStudent(app)
  const cart = { cartItems: [{ id: course.id, quantity }] }
  const reply = await student.browser.post('/api/functions/create-cart-payment', cart)
  const { url } = reply.body as { url: string }
  const sessionId = sessionOf(url)
  if (isPaid) await pay(url, { card_number: card })
  if (isPaid && isHeardOf) await student.browser.post('/api/functions/verify-payment', { sessionId })
  const { id } = await db.selectFrom('orders').where('user_id', '=', student.id).select('id').executeTakeFirstOrThrow()
  return { id, course, student, sessionId }
}

const act = (order: { id: string }, action: string, body: object = {}, user: SignedIn = admin) =>
  user.browser.post(`/api/orders/${order.id}/${action}`, body)
const refund = (order: { id: string }, wish: object = {}) =>
  act(order, 'refund', { amount: null, endAccess: false, key: randomUUID(), ...wish })
const recordOf = async ({ id }: { id: string }) => {
  const record = await findOrderRecord(db, id)
  if (record === null) throw new Error('no order')
  return record
}
const refundedAt = async ({ sessionId }: { sessionId: string }) => {
  const session = await stripe.checkout.sessions.retrieve(sessionId)
  const refunds = await stripe.refunds.list({ payment_intent: String(session.payment_intent) })
  return refunds.data.map(({ amount }) => amount)
}
const actionsOn = async ({ id }: { id: string }) =>
  (
    await db
      .selectFrom('audit_log')
      .where('subject_id', '=', id)
      .where('actor_id', '=', admin.id)
      .orderBy('id')
      .select('action')
      .execute()
  ).map(({ action }) => action)
const sentence = ({ body }: Reply) => (body as { error: { message: string } }).error.message

test('a full refund goes through the gateway, moves the order and ends its access', async () => {
  const order = await anOrder({ quantity: 2 })
  expect((await refund(order)).status).toBe(200)
  expect(await refundedAt(order)).toEqual([5397])
  const record = await recordOf(order)
  expect(record).toMatchObject({ state: 'refunded', refundedCents: 5397 })
  expect(record.lines[0]?.grant?.revokedAt).not.toBeNull()
  expect(await actionsOn(order)).toEqual(['order.refund'])
  expect((await refund(order)).status).toBe(409)
})

test('a partial refund keeps the access until the admin ends it', async () => {
  const order = await anOrder({ quantity: 2 })
  expect((await refund(order, { amount: '10.00' })).status).toBe(200)
  expect(await recordOf(order)).toMatchObject({ state: 'partly_refunded', refundedCents: 1000, accessEndedAt: null })
  const [seat] = (await recordOf(order)).lines[0]?.seats ?? []
  expect((await act(order, 'end-access')).status).toBe(200)
  expect((await act(order, 'end-access')).status).toBe(200)
  const record = await recordOf(order)
  expect(record.accessEndedAt).not.toBeNull()
  expect(record.lines[0]?.grant?.revokedAt).not.toBeNull()
  expect((await order.student.browser.post('/api/seats/redeem', { code: seat?.code })).status).toBe(409)
  expect(await actionsOn(order)).toEqual(['order.refund', 'order.end-access'])
})

test('a partial refund ends the access at once when the admin chooses so', async () => {
  const order = await anOrder()
  expect((await refund(order, { amount: '31.97', endAccess: true })).status).toBe(200)
  const record = await recordOf(order)
  expect(record).toMatchObject({ state: 'partly_refunded', refundedCents: 3197 })
  expect(record.lines[0]?.grant?.revokedAt).not.toBeNull()
  expect(record.history.slice(-3).map(({ what, why }) => [what, why])).toEqual([
    ['order.refund', `${admin.email}, access ended by the refund, $31.97`],
    ['paid partly_refunded', 'refund by admin, $31.97'],
    ['order.refund-ended-access', admin.email],
  ])
})

test('while a refund waits for the gateway, another one is refused and does not replace its choice about access', async () => {
  const order = await anOrder()
  const others: number[] = []
  const another = async () => {
    const { status } = await refund(order, { amount: '1.00' })
    others.push(status)
  }
  const gateway: PaymentGateway = {
    ...shop.gateway,
    refund: async (payment) => {
      await another()
      await shop.gateway.refund(payment)
      throw fail('payment.away')
    },
  }
  const key = randomUUID()
  const ending = { orderId: order.id, actorId: admin.id, now: app.clock.now() }
  const wish = { amount: cents(500), endAccess: true, key }
  await expect(refundOrder(db, { ...shop, gateway }, { ...ending, refund: wish })).rejects.toMatchObject({
    code: 'payment.away',
  })
  await another()
  expect([others, await refundedAt(order)]).toEqual([[409, 409], [500]])
  app.clock.forward(MINUTE_MS)
  await another()
  const record = await recordOf(order)
  expect([others.at(-1), record.refundedCents]).toEqual([200, 600])
  expect(record.accessEndedAt).not.toBeNull()
})

test('access that an admin ended stays ended when a dispute is won', async () => {
  const order = await anOrder({ card: '4000 0000 0000 0259' })
  await act(order, 'end-access')
  await turnGateway(app, 'deliver', {})
  await expect.poll(async () => (await recordOf(order)).state).toBe('disputed')
  await turnGateway(app, 'dispute', { sessionId: order.sessionId, outcome: 'won' })
  expect((await act(order, 'check')).body).toMatchObject({ kind: 'order', state: 'paid' })
  expect((await recordOf(order)).lines[0]?.grant?.revokedAt).not.toBeNull()
})

test('a repeated refund request refunds once', async () => {
  const order = await anOrder()
  const key = randomUUID()
  const replies = await Promise.all([1, 2].map(() => refund(order, { amount: '5.00', key })))
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(await refundedAt(order)).toEqual([500])
  expect((await recordOf(order)).refundedCents).toBe(500)
})

test('an impossible refund is refused with its reason, and nothing changes', async () => {
  const order = await anOrder()
  for (const amount of ['0', '-1', '1.999', 'all', ''])
    expect(await refund(order, { amount })).toMatchObject({
      status: 400,
      body: { error: { fields: [{ field: 'amount' }] } },
    })
  const tooMuch = await refund(order, { amount: '31.99' })
  expect([tooMuch.status, sentence(tooMuch)]).toEqual([409, 'At most $31.98 is left to refund.'])
  const unpaid = await anOrder({ isPaid: false })
  expect((await refund(unpaid)).status).toBe(409)
  expect((await act(unpaid, 'end-access')).status).toBe(409)
  expect((await act(unpaid, 'resend-receipt')).status).toBe(409)
  await stripe.refunds.create({ payment_intent: (await recordOf(order)).paymentIntent ?? '', amount: 3000 })
  const refused = await refund(order, { amount: '5.00' })
  expect(refused.status).toBe(502)
  expect(sentence(refused)).toContain('greater than unrefunded amount')
  expect(await refundedAt(order)).toEqual([3000])
  for (const action of ['refund', 'check', 'end-access', 'resend-receipt', 'payment-issue-settled']) {
    const body = { amount: null, endAccess: false, key: randomUUID() }
    expect((await act({ id: randomUUID() }, action, body)).status).toBe(404)
  }
})

test('a refund fails while the gateway is down, and can be repeated with the same key', async () => {
  const order = await anOrder()
  const wish = { amount: '5.00', key: randomUUID() }
  await turnGateway(app, 'switches', { api: 'down' })
  expect((await refund(order, wish)).status).toBe(503)
  await turnGateway(app, 'switches', { api: 'normal' })
  expect((await refund(order, wish)).status).toBe(200)
  expect(await refundedAt(order)).toEqual([500])
})

test('an order links to its buyer while the account exists', async () => {
  const order = await anOrder()
  expect((await recordOf(order)).buyerId).toBe(order.student.id)
  await db.updateTable('users').set({ deleted_at: app.clock.now() }).where('id', '=', order.student.id).execute()
  expect((await recordOf(order)).buyerId).toBeNull()
})

test('an admin can resend a receipt', async () => {
  const order = await anOrder()
  await app.mailTo(order.student.email)
  expect((await act(order, 'resend-receipt')).status).toBe(200)
  const receipts = async () => {
    const reply = await app.visitor().get('/demo/outbox', { accept: 'application/json' })
    return (reply.body as { to: string }[]).filter(({ to }) => to.includes(order.student.email)).length
  }
  await expect.poll(receipts).toBe(2)
  expect(await actionsOn(order)).toEqual(['order.resend-receipt'])
})

test('checking a payment fulfils an order without an event, also one that lost its session', async () => {
  const order = await anOrder({ isHeardOf: false })
  await db.updateTable('orders').set({ gateway_session_id: null }).where('id', '=', order.id).execute()
  expect((await act(order, 'check')).body).toEqual({ kind: 'order', state: 'paid', why: null })
  expect((await recordOf(order)).lines[0]?.grant?.revokedAt).toBeNull()
  const free = await anOrder({ priceCents: 0, isPaid: false })
  expect((await act(free, 'check')).body).toEqual({ kind: 'no-session', state: null, why: null })
  const unknown = await anOrder({ isPaid: false })
  await db.updateTable('orders').set({ gateway_session_id: 'cs_test_invented' }).where('id', '=', unknown.id).execute()
  expect((await act(unknown, 'check')).body).toMatchObject({ kind: 'unknown' })
})

test('a payment of another amount is listed first until it matches or an admin settles it', async () => {
  const [order, other] = [await anOrder({ isHeardOf: false }), await anOrder({ isHeardOf: false })]
  const spoil = (cents: number) =>
    db
      .updateTable('orders')
      .set({ subtotal_cents: cents, total_cents: cents + 1199 })
      .where('id', 'in', [order.id, other.id])
      .execute()
  await spoil(2000)
  for (const one of [order, other])
    expect((await act(one, 'check')).body).toMatchObject({ kind: 'mismatch', why: 'another amount' })
  const withPaymentIssue = async () => (await listPaymentIssues(db)).map(({ id, paymentIssue }) => [id, paymentIssue])
  expect(await withPaymentIssue()).toEqual(
    expect.arrayContaining([
      [order.id, 'another amount'],
      [other.id, 'another amount'],
    ]),
  )
  expect((await act(other, 'payment-issue-settled')).status).toBe(200)
  await spoil(1999)
  await act(order, 'check')
  expect((await recordOf(order)).state).toBe('paid')
  expect((await withPaymentIssue()).filter(([id]) => id === order.id || id === other.id)).toEqual([])
})

test('a failed fulfilment is listed first until the repair succeeds', async () => {
  const order = await anOrder({ isHeardOf: false })
  await database.pool.query(
    `create function refuse_grant() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$`,
  )
  await database.pool.query(
    'create trigger refuse_grant before insert on access_periods for each row execute function refuse_grant()',
  )
  await reconcileOrders(db, shop, { now: app.clock.now() })
  expect((await recordOf(order)).state).toBe('pending')
  expect((await listPaymentIssues(db)).find(({ id }) => id === order.id)?.paymentIssue).toBe('paid and not handed over')
  await database.pool.query('drop trigger refuse_grant on access_periods')
  await reconcileOrders(db, shop, { now: app.clock.now() })
  expect(await recordOf(order)).toMatchObject({ state: 'paid', paymentIssue: null })
})

test('an open dispute is listed first', async () => {
  const order = await anOrder({ card: '4000 0000 0000 0259' })
  await turnGateway(app, 'deliver', {})
  await expect.poll(async () => (await listPaymentIssues(db)).map(({ id }) => id)).toContain(order.id)
  expect((await refund(order)).status).toBe(409)
  await turnGateway(app, 'dispute', { sessionId: order.sessionId, outcome: 'won' })
  await act(order, 'check')
  expect((await listPaymentIssues(db)).map(({ id }) => id)).not.toContain(order.id)
})

test('an order is found by part of its email address, its id or an id of the gateway', async () => {
  const order = await anOrder()
  const find = async (search: string, state: 'paid' | 'refunded' | null = null) =>
    (await listAdminOrders(db, { search, state, after: null })).orders.map(({ id }) => id)
  const record = await recordOf(order)
  const part = order.student.email.slice(3, 15).toUpperCase()
  for (const search of [part, order.id, order.id.slice(0, 8), record.sessionId ?? '', record.paymentIntent ?? ''])
    expect(await find(search)).toEqual([order.id])
  expect(await find(part, 'paid')).toEqual([order.id])
  expect(await find(part, 'refunded')).toEqual([])
  expect(await find('%')).toEqual([])
  expect(await find('nobody@nowhere')).toEqual([])
})

test('pages of orders have no gaps or repeats, newest first', async () => {
  const whole = await listAdminOrders(db, { search: '', state: null, after: null }, 1000)
  expect(whole.next).toBeNull()
  const seen: string[] = []
  let after: { at: Date; id: string } | null = null
  do {
    const page = await listAdminOrders(db, { search: '', state: null, after }, 3)
    seen.push(...page.orders.map(({ id }) => id))
    const [at = '', id = ''] = page.next?.split('~') ?? []
    after = page.next === null ? null : { at: new Date(at), id }
  } while (after !== null)
  expect(seen).toEqual(whole.orders.map(({ id }) => id))
  expect(seen.length).toBeGreaterThan(10)
  const tooOld = `-200000-01-01T00:00:00.000Z~${seen[0]}`
  expect(OrderFilter.parse({ after: tooOld })).toEqual({ search: '', state: null, after: null })
})

test('a record lists moves, events and admin actions in order', async () => {
  const order = await anOrder({ isHeardOf: false })
  await turnGateway(app, 'deliver', {})
  await expect.poll(async () => (await recordOf(order)).state).toBe('paid')
  await act(order, 'check')
  const history = (await recordOf(order)).history.map(({ kind, what }) => `${kind} ${what}`)
  expect(history).toEqual([
    'move pending',
    'move pending paid',
    'event checkout.session.completed',
    'action order.check',
  ])
})

test('an order names the provider of its payment', async () => {
  expect((await recordOf(await anOrder())).provider).toBe('stripe')
})

/** A gateway that reads the same test data with a live key. */
const liveGateway = { ...createPaymentGateway(emulators.payment), isLive: true }
const liveShop: CheckoutDeps = { ...shop, gateway: liveGateway }

test('a live key does not change orders and sessions of test keys', async () => {
  const order = await anOrder({ isHeardOf: false })
  const asked: string[] = []
  const watched = {
    ...liveShop,
    gateway: {
      ...liveGateway,
      findPayment: (id: string) => {
        asked.push(id)
        return liveGateway.findPayment(id)
      },
      listCompleted: async () => [{ sessionId: order.sessionId, orderId: order.id, isPaid: true }],
    },
  }
  await reconcileOrders(db, watched, { now: app.clock.now() })
  expect(asked).toEqual([])
  expect(await recordOf(order)).toMatchObject({ state: 'pending', paymentIssue: null })
  await reconcileOrders(db, watched, { now: new Date(app.clock.now().getTime() + 2 * DAY_MS) })
  expect((await recordOf(order)).state).toBe('expired')
})

test('a test key does not change live orders, and the admin sees the reason', async () => {
  const order = await anOrder({ isHeardOf: false })
  await db.updateTable('orders').set({ is_live: true }).where('id', '=', order.id).execute()
  await reconcileOrders(db, shop, { now: app.clock.now() })
  expect(await recordOf(order)).toMatchObject({ state: 'pending', paymentIssue: 'test and live mode mixed' })
  for (const action of ['check', 'refund']) {
    const reply = await act(order, action, { amount: null, endAccess: false, key: randomUUID() })
    expect([reply.status, sentence(reply)]).toEqual([
      409,
      'This order was placed with a live key, and the shop runs with a test key. Start the shop with the live key to change this order.',
    ])
  }
  const reply = await order.student.browser.post('/api/functions/verify-payment', { sessionId: order.sessionId })
  expect(reply.status).toBe(404)
  expect((await recordOf(order)).lines[0]?.grant).toBeNull()
  // With the right key the next repair fulfils the order and clears the issue.
  await db.updateTable('orders').set({ is_live: false }).where('id', '=', order.id).execute()
  await reconcileOrders(db, shop, { now: app.clock.now() })
  expect(await recordOf(order)).toMatchObject({ state: 'paid', paymentIssue: null })
})
