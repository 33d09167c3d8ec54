import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse } from '../../../tests/support/build-course.ts'
import { pay, sessionOf, shopOf, stripeOf, turnGateway } from '../../../tests/support/place-order.ts'
import { anAdmin, aStudent, type SignedIn } from '../../../tests/support/users.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { cents } from '../../lib/money.ts'
import { quote } from '../pricing/quote.ts'
import { refundOrder } from './admin/order-admin-commands.server.ts'
import { fulfilOrder } from './payment/payment-commands.server.ts'
import { placeOrder } from './orders-commands.server.ts'
import { findOrder, listOrders } from './orders-queries.server.ts'
import { isShownToBuyer } from './orders.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { database, payment: gateway } = app.services
const { db } = database
const stripe = stripeOf(app)
const shop = shopOf(app)
const admin = await anAdmin(app)
await turnGateway(app, 'switches', { delivery: 'never' })

async function aWaitingOrder(quantity = 1) {
  const course = await aCourse(db)
  const student = await aStudent(app)
  const cart = { cartItems: [{ id: course.id, quantity }] }
  const { url } = (await student.browser.post('/api/functions/create-cart-payment', cart)).body as { url: string }
  const { id } = await db.selectFrom('orders').where('user_id', '=', student.id).select('id').executeTakeFirstOrThrow()
  return { id, url, course, student, sessionId: sessionOf(url) }
}

async function aPaidOrder(quantity = 1) {
  const order = await aWaitingOrder(quantity)
  await pay(order.url)
  await order.student.browser.post('/api/functions/verify-payment', { sessionId: order.sessionId })
  return order
}

const act = (order: { id: string; student: SignedIn }, action: 'pay' | 'drop') =>
  order.student.browser.post(`/api/orders/${order.id}/${action}`)
const stateOf = async ({ id }: { id: string }) => (await findOrder(db, id))?.state
const refund = (order: { id: string }, wish: object = {}) =>
  admin.browser.post(`/api/orders/${order.id}/refund`, { amount: null, endAccess: false, key: randomUUID(), ...wish })
const refundsTold = async ({ student }: { student: SignedIn }, count: number) => {
  const find = async () => {
    const reply = await app.visitor().get('/demo/outbox', { accept: 'application/json' })
    const mails = reply.body as { to: string; subject: string; text: string }[]
    return mails.filter(({ to, subject }) => to.includes(student.email) && subject.includes('Your refund of'))
  }
  await expect.poll(async () => (await find()).length, { timeout: 60_000 }).toBe(count)
  return find()
}

test('a cancelled payment page leads to its order, which says until when it can be paid', async () => {
  const order = await aWaitingOrder(2)
  const session = await stripe.checkout.sessions.retrieve(order.sessionId)
  expect(session.cancel_url).toBe(`${app.url}/orders/${order.id}?canceled=1`)
  expect(await findOrder(db, order.id)).toMatchObject({
    payableUntil: new Date(session.expires_at * 1000).toISOString(),
    isProcessing: false,
    lines: [{ quantity: 2, courseSlug: order.course.slug }],
  })
})

test('a waiting order is paid in its open session', async () => {
  const order = await aWaitingOrder()
  expect((await act(order, 'pay')).body).toEqual({ url: order.url })
  await pay(order.url)
  // The shop has not heard of it: there is no second session for a payment that may have arrived.
  expect((await act(order, 'pay')).body).toMatchObject({ url: expect.stringContaining('/payment-success?session_id=') })
  await order.student.browser.post('/api/functions/verify-payment', { sessionId: order.sessionId })
  expect((await act(order, 'pay')).body).toEqual({ url: `${app.url}/orders/${order.id}` })
})

test('a waiting order whose session is over is paid in a new one, with its seats, and only at the same total', async () => {
  const order = await aWaitingOrder(3)
  await stripe.checkout.sessions.expire(order.sessionId)
  const { url } = (await act(order, 'pay')).body as { url: string }
  expect(sessionOf(url)).toMatch(/^cs_test_/)
  expect(sessionOf(url)).not.toBe(order.sessionId)
  expect(await stateOf(order)).toBe('expired')
  const [again] = await listOrders(db, { userId: order.student.id, limit: 1 })
  expect(await findOrder(db, again?.id ?? '')).toMatchObject({ state: 'pending', lines: [{ quantity: 3 }] })

  await stripe.checkout.sessions.expire(sessionOf(url))
  await db.updateTable('courses').set({ price: '29.99' }).where('id', '=', order.course.id).execute()
  expect(await act({ ...order, id: again?.id ?? '' }, 'pay')).toMatchObject({
    status: 409,
    body: { error: { code: 'checkout.changed' } },
  })
})

test('a dropped order cannot be paid any more, and dropping it again changes nothing', async () => {
  const order = await aWaitingOrder()
  expect((await act(order, 'drop')).body).toEqual({ state: 'expired' })
  expect((await act(order, 'drop')).body).toEqual({ state: 'expired' })
  expect((await stripe.checkout.sessions.retrieve(order.sessionId)).status).toBe('expired')
  await pay(order.url)
  expect(await stateOf(order)).toBe('expired')
})

test('an order that the gateway refuses to open can be dropped', async () => {
  const course = await aCourse(db)
  const student = await aStudent(app)
  const { isLive, provider } = gateway
  // Less than the gateway takes.
  const lines = [{ courseId: course.id, title: course.title, unitPriceCents: cents(30), quantity: 1 }]
  const total = { ...quote(lines), taxCents: cents(0), shippingCents: cents(0), totalCents: cents(30) }
  const placed = { userId: student.id, lines, quote: total, isLive, provider, now: app.clock.now() }
  const { orderId } = await placeOrder(db, placed)
  expect(await act({ id: orderId, student }, 'drop')).toMatchObject({ status: 200, body: { state: 'failed' } })
})

test('an order that was paid before it was dropped stays paid', async () => {
  const order = await aWaitingOrder()
  await pay(order.url)
  expect((await act(order, 'drop')).body).toEqual({ state: 'paid' })
})

test('an order whose payment is on its way can be neither dropped nor paid twice', async () => {
  await turnGateway(app, 'switches', { bankDebit: 'waits' })
  const order = await aWaitingOrder()
  await pay(order.url, { method: 'bank' })
  expect(await act(order, 'drop')).toMatchObject({ status: 409, body: { error: { code: 'order.processing' } } })
  expect(await findOrder(db, order.id)).toMatchObject({ state: 'pending', payableUntil: null, isProcessing: true })
  expect((await act(order, 'pay')).body).toMatchObject({ url: expect.stringContaining('/payment-success?session_id=') })
})

test('only its buyer pays or drops an order', async () => {
  const order = await aWaitingOrder()
  const other = await aStudent(app)
  for (const action of ['pay', 'drop'] as const) {
    expect((await act({ ...order, student: other }, action)).status).toBe(404)
    expect((await admin.browser.post(`/api/orders/${order.id}/${action}`)).status).toBe(404)
    expect((await app.visitor().post(`/api/orders/${order.id}/${action}`)).status).toBe(401)
  }
  expect(await stateOf(order)).toBe('pending')
})

test('a full refund is emailed once, with its amount and the access that ends, however often it is reported', async () => {
  const order = await aPaidOrder(2)
  expect((await refund(order)).status).toBe(200)
  await turnGateway(app, 'switches', { delivery: 'twice' })
  await turnGateway(app, 'deliver', {})
  await turnGateway(app, 'switches', { delivery: 'never' })
  const [told] = await refundsTold(order, 1)
  expect(told?.subject).toContain('$53.97')
  expect(told?.text).toContain('your payment of $53.97 is refunded in full.')
  expect(told?.text).toContain(`${order.course.title}: your access ended on `)
  expect(told?.text).toContain('The seat codes of this order are no longer valid')
  const [entry] = await db
    .selectFrom('audit_log')
    .where('subject_id', '=', order.id)
    .where('action', '=', 'order.refund')
    .select('after')
    .execute()
  expect(entry?.after).toEqual({ amountCents: 5397, access: 'ended by the refund' })
})

test('users who redeemed a seat of a refunded order are emailed once that their access has ended, unless they have other access to the course', async () => {
  const order = await aPaidOrder(3)
  const [holder, owner] = [await aStudent(app), await aStudent(app)]
  const codes = (await findOrder(db, order.id))!.lines.flatMap(({ seats }) => seats.map(({ code }) => code))
  for (const [place, { browser }] of [holder, owner].entries())
    expect((await browser.post('/api/seats/redeem', { code: codes[place] })).status).toBe(200)
  const grant = { courseId: order.course.id, days: 90, reason: 'Works with us', key: randomUUID() }
  expect((await admin.browser.post(`/api/profiles/${owner.id}/access`, grant)).status).toBe(200)
  // The access ends with the first refund; the second one has nothing to tell them.
  await refund(order, { amount: '5.00', endAccess: true })
  await refund(order)
  await refundsTold(order, 2)
  const reply = await app.visitor().get('/demo/outbox', { accept: 'application/json' })
  const ended = (reply.body as { to: string; subject: string; text: string }[]).filter(({ subject }) =>
    subject.includes(`Your access to ${order.course.title} has ended`),
  )
  expect(ended.map(({ to }) => to)).toEqual([expect.stringContaining(holder.email)])
  expect(ended[0]?.text).toContain('the order that your seat belongs to was refunded.')
})

test('each partial refund is emailed once, also one made at the gateway itself, and the access stays', async () => {
  const order = await aPaidOrder()
  await refund(order, { amount: '5.00' })
  const { payment_intent } = await stripe.checkout.sessions.retrieve(order.sessionId)
  await stripe.refunds.create({ payment_intent: String(payment_intent), amount: 700 })
  await turnGateway(app, 'deliver', {})
  const told = await refundsTold(order, 2)
  expect(told.map(({ subject }) => /\$[\d.]+/.exec(subject)?.[0]).sort()).toEqual(['$5.00', '$7.00'])
  for (const { text } of told) expect(text).toContain(`${order.course.title}: your access stays, until `)
})

test('a partial refund that ends the access says so, also when the webhook is faster than the reply', async () => {
  const order = await aPaidOrder()
  const hasty = {
    ...gateway,
    async refund(request: Parameters<typeof gateway.refund>[0]) {
      await gateway.refund(request)
      await fulfilOrder(db, shop, { sessionId: order.sessionId, cause: 'charge.refunded', now: app.clock.now() })
    },
  }
  await refundOrder(
    db,
    { ...shop, gateway: hasty },
    {
      orderId: order.id,
      actorId: admin.id,
      now: app.clock.now(),
      refund: { amount: 1000 as never, endAccess: true, key: randomUUID() },
    },
  )
  const [told] = await refundsTold(order, 1)
  expect(told?.text).toContain(`${order.course.title}: your access ended on `)
  const actions = await db
    .selectFrom('audit_log')
    .where('subject_id', '=', order.id)
    .select(['action', 'actor_id'])
    .execute()
  expect(actions).toContainEqual({ action: 'order.refund-ended-access', actor_id: admin.id })
  const left = await db.selectFrom('orders').where('id', '=', order.id).select('ending_access_by').executeTakeFirst()
  expect(left?.ending_access_by).toBeNull()
})

test('an order that was not paid in time leaves the list of its buyer by itself', async () => {
  const order = await aWaitingOrder()
  const shown = async () => {
    const orders = await listOrders(db, { userId: order.student.id, limit: 10 })
    return orders.filter((one) => isShownToBuyer(one, app.clock.now())).map(({ id }) => id)
  }
  expect(await shown()).toEqual([order.id])
  app.clock.forward(DAY_MS - HOUR_MS)
  expect(await shown()).toEqual([order.id])
  app.clock.forward(HOUR_MS + MINUTE_MS)
  expect(await shown()).toEqual([])
})
