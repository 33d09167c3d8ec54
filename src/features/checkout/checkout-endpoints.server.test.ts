import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp, type Reply } from '../../../tests/support/start-app.ts'
import { aCourse } from '../../../tests/support/build-course.ts'
import { pay, sessionOf, shopOf, stripeOf, turnGateway } from '../../../tests/support/place-order.ts'
import { anAdmin, aStudent, type SignedIn } from '../../../tests/support/users.ts'
import { cents } from '../../lib/money.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { quote } from '../pricing/quote.ts'
import { reconcileOrders } from './payment/payment-commands.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { database, emulators } = app.services
const { db } = database
const stripe = stripeOf(app)
const shop = shopOf(app)

/** Events are held until a test delivers them. */
await turnGateway(app, 'switches', { delivery: 'never' })
const deliver = async () => {
  await turnGateway(app, 'deliver', {})
  // The gateway's own delivery may have taken some of them.
  await expect.poll(() => countEvents('leased_until > clock_timestamp()')).toBe(0)
}
const countEvents = async (condition: string): Promise<number> =>
  (await database.pool.query(`select from demo.gateway_event where ${condition}`)).rows.length

type Wish = { id: string; quantity?: number; priceCents?: number }
const cartOf = (items: readonly Wish[]) => ({
  cartItems: items.map(({ id, quantity = 1, priceCents = 1999 }) => ({ id, quantity, price: priceCents / 100 })),
  total:
    quote(items.map(({ quantity = 1, priceCents = 1999 }) => ({ quantity, unitPriceCents: cents(priceCents) })))
      .totalCents / 100,
})
const checkout = (user: SignedIn, ...items: Wish[]) =>
  user.browser.post('/api/functions/create-cart-payment', cartOf(items))
const urlOf = (reply: Reply) => {
  if (reply.status !== 200) throw new Error(`no checkout: ${JSON.stringify(reply.body)}`)
  return (reply.body as { url: string }).url
}
const verify = (user: SignedIn, sessionId: string) => user.browser.post('/api/functions/verify-payment', { sessionId })

/** A student who has paid for the items; the shop has not been notified yet. */
async function aPaidSession(...items: Wish[]) {
  const student = await aStudent(app)
  const url = urlOf(await checkout(student, ...items))
  await pay(url)
  return { student, url, sessionId: sessionOf(url) }
}

const periodsOf = (user: SignedIn) =>
  db
    .selectFrom('access_periods')
    .where('user_id', '=', user.id)
    .select(['course_id', 'starts_at', 'ends_at', 'revoked_at'])
    .orderBy('starts_at')
    .execute()
const ordersOf = (user: SignedIn) =>
  db
    .selectFrom('orders')
    .where('user_id', '=', user.id)
    .select(['id', 'state', 'total_cents', 'gateway_session_id', 'gateway_payment_intent'])
    .orderBy('created_at')
    .execute()
const movesOf = async (user: SignedIn) =>
  (
    await db
      .selectFrom('order_moves')
      .innerJoin('orders', 'orders.id', 'order_moves.order_id')
      .where('orders.user_id', '=', user.id)
      .select(['to_state', 'cause'])
      .orderBy('order_moves.id')
      .execute()
  ).map(({ to_state, cause }) => `${to_state}: ${cause}`)
const orderOf = async (user: SignedIn) => {
  const [order] = await ordersOf(user)
  if (order === undefined) throw new Error('no order')
  return order
}
const receiptsTo = async ({ email }: SignedIn) => {
  await app.mailTo(email)
  const reply = await app.visitor().get('/demo/outbox', { accept: 'application/json' })
  return (reply.body as { to: string }[]).filter(({ to }) => to.includes(email)).length
}

test('a signed event of a paid session opens the course for 30 days and sends a receipt', async () => {
  const course = await aCourse(db)
  const { student, url, sessionId } = await aPaidSession({ id: course.id })
  expect(url).toBe(`${app.url}/demo/pay/${sessionId}`)
  expect(await ordersOf(student)).toMatchObject([
    { state: 'pending', total_cents: 3198, gateway_session_id: sessionId },
  ])
  expect(await periodsOf(student)).toEqual([])
  const before = app.clock.now()
  await deliver()
  const [period] = await periodsOf(student)
  expect(period?.course_id).toBe(course.id)
  expect((period?.ends_at.getTime() ?? 0) - (period?.starts_at.getTime() ?? 0)).toBe(30 * DAY_MS)
  expect(period?.starts_at.getTime()).toBeGreaterThanOrEqual(before.getTime())
  expect(await movesOf(student)).toEqual(['pending: checkout', 'paid: checkout.session.completed'])
  const receipt = await app.mailTo(student.email)
  expect(receipt.text).toContain('$31.98')
  expect(receipt.text).toContain(`/orders/${(await orderOf(student)).id}`)
})

test('the gateway charges the stored lines, tax and shipping of the order', async () => {
  const [one, other] = [await aCourse(db), await aCourse(db, { priceCents: 250 })]
  const student = await aStudent(app)
  const url = urlOf(await checkout(student, { id: one.id, quantity: 2 }, { id: other.id, priceCents: 250 }))
  const session = await stripe.checkout.sessions.retrieve(sessionOf(url), { expand: ['line_items'] })
  const lines = session.line_items?.data.map((line) => [line.description, line.quantity, line.amount_total])
  expect(new Map(lines?.map(([name, ...rest]) => [name, rest]))).toEqual(
    new Map([
      [one.title, [2, 3998]],
      [other.title, [1, 250]],
      ['Tax', [1, 425]],
      ['Shipping', [1, 999]],
    ]),
  )
  const order = await orderOf(student)
  expect(session.amount_total).toBe(order.total_cents)
  expect(session.client_reference_id).toBe(order.id)
  expect(session.success_url).toBe(`${app.url}/payment-success?session_id={CHECKOUT_SESSION_ID}&cart=true`)
})

test('verifying a payment opens the course before any event arrives, and again changes nothing', async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id })
  const first = await verify(student, sessionId)
  expect(first).toMatchObject({
    status: 200,
    body: { success: true, pending: false, courseId: course.id, courseSlug: course.slug, isCart: false },
  })
  expect((await verify(student, sessionId)).body).toEqual(first.body)
  await deliver()
  expect(await periodsOf(student)).toHaveLength(1)
  expect(await movesOf(student)).toEqual(['pending: checkout', 'paid: payment page'])
  expect(await receiptsTo(student)).toBe(1)
})

test('webhook, page, second tab and repair at once grant one period for each line', async () => {
  const [one, other] = [await aCourse(db), await aCourse(db)]
  const { student, sessionId } = await aPaidSession({ id: one.id, quantity: 3 }, { id: other.id })
  await turnGateway(app, 'switches', { delivery: 'twice' })
  await Promise.all([
    verify(student, sessionId),
    deliver(),
    verify(student, sessionId),
    reconcileOrders(db, shop, { now: app.clock.now() }),
    student.browser.post('/api/functions/repair-my-orders'),
    verify(student, sessionId),
  ])
  await turnGateway(app, 'switches', { delivery: 'never' })
  expect((await periodsOf(student)).map(({ course_id }) => course_id).sort()).toEqual([one.id, other.id].sort())
  expect(await movesOf(student)).toHaveLength(2)
  expect(await db.selectFrom('seats').where('course_id', '=', one.id).select('code').execute()).toHaveLength(2)
  expect(await receiptsTo(student)).toBe(1)
})

test('a repeated event is handled once', async () => {
  const course = await aCourse(db)
  await turnGateway(app, 'switches', { delivery: 'twice' })
  const { student } = await aPaidSession({ id: course.id })
  await turnGateway(app, 'switches', { delivery: 'never' })
  await expect.poll(() => countEvents("state = 'pending'")).toBe(0)
  const event = await db
    .selectFrom('gateway_events')
    .where('order_id', '=', (await orderOf(student)).id)
    .select(['kind', 'outcome'])
    .execute()
  expect(event).toEqual([{ kind: 'checkout.session.completed', outcome: 'paid' }])
  expect(await periodsOf(student)).toHaveLength(1)
})

test('buying again during access adds 30 days at its end', async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id })
  await verify(student, sessionId)
  const url = urlOf(await checkout(student, { id: course.id }))
  await pay(url)
  await verify(student, sessionOf(url))
  const [first, second] = await periodsOf(student)
  expect(second?.starts_at).toEqual(first?.ends_at)
})

test('a tampered price is refused with the new quote, and no order is stored', async () => {
  const course = await aCourse(db)
  const student = await aStudent(app)
  const items = [{ id: course.id, quantity: 1, price: 0.01, title: course.title }]
  const answers = [
    await student.browser.post('/api/functions/create-cart-payment', { cartItems: items }),
    await student.browser.post('/api/functions/create-cart-payment', { cartItems: items, total: 10 }),
  ]
  for (const reply of answers) {
    expect(reply.status).toBe(409)
    expect(reply.body).toMatchObject({
      error: {
        code: 'checkout.changed',
        facts: {
          quote: { subtotalCents: 1999, taxCents: 200, shippingCents: 999, totalCents: 3198 },
          lines: [{ id: course.id, title: course.title, price: 19.99 }],
          gone: [],
        },
      },
    })
  }
  expect(await ordersOf(student)).toEqual([])
  const honest = { cartItems: items, total: 31.98 }
  urlOf(await student.browser.post('/api/functions/create-cart-payment', honest))
  expect(await ordersOf(student)).toMatchObject([{ total_cents: 3198 }])
})

test('an unknown or withdrawn course is reported, and nothing is charged', async () => {
  const [course, withdrawn] = [await aCourse(db), await aCourse(db)]
  await db.updateTable('courses').set({ status: 'withdrawn' }).where('id', '=', withdrawn.id).execute()
  const student = await aStudent(app)
  const unknown = '00000000-0000-4000-8000-000000000000'
  const reply = await checkout(student, { id: course.id }, { id: withdrawn.id }, { id: unknown })
  expect(reply.status).toBe(409)
  expect(reply.body).toMatchObject({
    error: { code: 'checkout.changed', facts: { gone: [withdrawn.id, unknown], quote: { totalCents: 3198 } } },
  })
})

test('invalid input is refused with its field', async () => {
  const course = await aCourse(db)
  const student = await aStudent(app)
  const send = (body: unknown) => student.browser.post('/api/functions/create-cart-payment', body)
  for (const quantity of [0, -1, 1.5, 1e9, '1', null]) {
    const reply = await send({ cartItems: [{ id: course.id, quantity, price: 19.99 }] })
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ error: { fields: [{ field: 'cartItems.0.quantity' }] } })
  }
  const many = Array.from({ length: 101 }, () => ({ id: crypto.randomUUID(), quantity: 1 }))
  const twice = [1, 2].map((quantity) => ({ id: course.id, quantity }))
  for (const cartItems of [many, twice, 'all of them', undefined]) {
    const reply = await send({ cartItems })
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ error: { fields: [{ field: 'cartItems' }] } })
  }
  expect(await send({ cartItems: [{ id: 'course-1', quantity: 1 }] })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'cartItems.0.id' }] } },
  })
  expect(await send({ cartItems: [] })).toMatchObject({
    status: 400,
    body: { error: { code: 'checkout.empty', message: 'Please add items to your cart before checkout.' } },
  })
  expect(await send('{')).toMatchObject({ status: 400, body: { error: { code: 'request.not-json' } } })
  const dear = await aCourse(db, { priceCents: 999_999 })
  expect(await checkout(student, { id: dear.id, quantity: 100, priceCents: 999_999 })).toMatchObject({
    status: 400,
    body: { error: { code: 'checkout.too-much' } },
  })
})

test('a guest has to sign in, whatever they send', async () => {
  const guest = app.visitor()
  const reply = await guest.post('/api/functions/create-cart-payment', { cartItems: [] })
  expect(reply.status).toBe(401)
  expect(reply.body).toMatchObject({ error: { message: 'Please sign in to proceed with checkout.' } })
  for (const path of ['verify-payment', 'repair-my-orders'])
    expect((await guest.post(`/api/functions/${path}`)).status).toBe(401)
  expect((await guest.post('/api/seats/redeem')).status).toBe(401)
})

test('concurrent and later repeated checkouts make one order and one session', async () => {
  const course = await aCourse(db)
  const student = await aStudent(app)
  const urls = (await Promise.all([1, 2, 3].map(() => checkout(student, { id: course.id })))).map(urlOf)
  urls.push(urlOf(await checkout(student, { id: course.id })))
  expect(new Set(urls).size).toBe(1)
  expect(await ordersOf(student)).toHaveLength(1)
  const more = urlOf(await checkout(student, { id: course.id, quantity: 2 }))
  expect(urls).not.toContain(more)
  expect(await ordersOf(student)).toHaveLength(2)
})

test('an expired session is replaced by a new one', async () => {
  const course = await aCourse(db)
  const student = await aStudent(app)
  const first = urlOf(await checkout(student, { id: course.id }))
  await stripe.checkout.sessions.expire(sessionOf(first))
  const second = urlOf(await checkout(student, { id: course.id }))
  expect(second).not.toBe(first)
  expect((await ordersOf(student)).map(({ state }) => state)).toEqual(['expired', 'pending'])
})

test('a checkout repeated after paying leads to the result, not to a second payment', async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id })
  const url = urlOf(await checkout(student, { id: course.id }))
  expect(url).toBe(`${app.url}/payment-success?session_id=${sessionId}&cart=true`)
  expect(await ordersOf(student)).toHaveLength(1)
})

test("an unpaid, an unknown and another user's session open nothing", async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id })
  const stranger = await aStudent(app)
  for (const [user, id] of [
    [stranger, sessionId],
    [student, 'cs_test_invented'],
    [student, '../balance'],
  ] as const)
    expect(await verify(user, id)).toMatchObject({
      status: 404,
      body: { error: { message: 'There was an issue verifying your payment. Please contact support.' } },
    })
  expect(await periodsOf(stranger)).toEqual([])
  expect(await periodsOf(student)).toEqual([])
  const unpaid = sessionOf(urlOf(await checkout(stranger, { id: course.id })))
  expect((await verify(stranger, unpaid)).body).toMatchObject({ success: false, pending: true, state: 'pending' })
  expect(await periodsOf(stranger)).toEqual([])
  expect((await verify(student, '')).status).toBe(400)
})

test('a bank debit opens the course when it settles, and nothing when it fails', async () => {
  const course = await aCourse(db)
  await turnGateway(app, 'switches', { bankDebit: 'waits' })
  for (const outcome of ['settles', 'fails'] as const) {
    const student = await aStudent(app)
    const url = urlOf(await checkout(student, { id: course.id }))
    await pay(url, { method: 'bank' })
    await deliver()
    expect((await verify(student, sessionOf(url))).body).toMatchObject({ success: false, pending: true })
    await turnGateway(app, 'settle', { sessionId: sessionOf(url), outcome })
    await deliver()
    const isPaid = outcome === 'settles'
    expect((await orderOf(student)).state).toBe(isPaid ? 'paid' : 'failed')
    expect(await periodsOf(student)).toHaveLength(isPaid ? 1 : 0)
    expect((await verify(student, sessionOf(url))).body).toMatchObject({ success: isPaid, pending: false })
  }
})

const signed = (body: string, at = app.clock.now(), secret = emulators.payment.webhookSecret) => {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
const event = (body: string, signature: string | null = signed(body)) =>
  app.visitor().call('POST', '/api/webhooks/stripe', body, signature === null ? {} : { 'stripe-signature': signature })

test('an event with a wrong, expired or missing signature, or without JSON, is refused', async () => {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'made.up', data: { object: {} } })
  const stale = signed(body, new Date(app.clock.now().getTime() - 6 * MINUTE_MS))
  for (const signature of [null, '', 'nonsense', signed(`${body} `), signed(body, app.clock.now(), 'whsec_x'), stale])
    expect((await event(body, signature)).status).toBe(400)
  expect((await event('not json')).status).toBe(400)
  expect((await event('')).status).toBe(400)
})

test("an event of an unknown kind or of another shop's session is accepted and changes nothing", async () => {
  const unknown = JSON.stringify({ id: 'evt_2', object: 'event', type: 'made.up', data: { object: {} } })
  expect(await event(unknown)).toMatchObject({ status: 200, body: { received: true, outcome: 'ignored' } })
  const foreign = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'A mug' } } }],
    success_url: 'http://localhost/',
    client_reference_id: 'another-shop-7',
  })
  const completed = JSON.stringify({
    id: 'evt_3',
    object: 'event',
    type: 'checkout.session.completed',
    data: { object: { id: foreign.id, object: 'checkout.session' } },
  })
  expect(await event(completed)).toMatchObject({ status: 200, body: { outcome: 'not-ours' } })
})

test('a live event is refused with a test key, without calling the gateway', async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id })
  const completed = JSON.stringify({
    id: 'evt_live',
    object: 'event',
    livemode: true,
    type: 'checkout.session.completed',
    data: { object: { id: sessionId, object: 'checkout.session' } },
  })
  expect(await event(completed)).toMatchObject({ status: 200, body: { outcome: 'mismatch' } })
  expect((await orderOf(student)).state).toBe('pending')
  const [noted] = await db.selectFrom('gateway_events').where('id', '=', 'evt_live').select('outcome').execute()
  expect(noted?.outcome).toBe('test and live mode mixed')
})

test('an event that claims a payment is verified at the gateway', async () => {
  const course = await aCourse(db)
  const student = await aStudent(app)
  const sessionId = sessionOf(urlOf(await checkout(student, { id: course.id })))
  const claim = JSON.stringify({
    id: 'evt_4',
    object: 'event',
    type: 'checkout.session.completed',
    data: { object: { id: sessionId, object: 'checkout.session', payment_status: 'paid', amount_total: 3198 } },
  })
  expect(await event(claim)).toMatchObject({ status: 200, body: { outcome: 'order' } })
  expect((await orderOf(student)).state).toBe('pending')
})

test('a payment of another amount than the order grants nothing', async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id })
  await db
    .updateTable('orders')
    .set({ subtotal_cents: 2000, total_cents: 3199 })
    .where('gateway_session_id', '=', sessionId)
    .execute()
  expect((await verify(student, sessionId)).status).toBe(404)
  await deliver()
  expect((await orderOf(student)).state).toBe('pending')
  expect(await periodsOf(student)).toEqual([])
  await db.deleteFrom('gateway_events').execute()
  await db
    .updateTable('orders')
    .set({ subtotal_cents: 1999, total_cents: 3198 })
    .where('gateway_session_id', '=', sessionId)
    .execute()
  await verify(student, sessionId)
})

test('a checkout fails while the gateway is down, and an event is requested again', async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id })
  await turnGateway(app, 'switches', { api: 'down' })
  const away = await checkout(student, { id: course.id })
  expect(away).toMatchObject({ status: 503, body: { error: { code: 'payment.away', kind: 'network' } } })
  expect((await verify(student, sessionId)).status).toBe(503)
  await deliver()
  expect(await periodsOf(student)).toEqual([])
  await turnGateway(app, 'switches', { api: 'normal' })
  await deliver()
  expect(await periodsOf(student)).toHaveLength(1)
})

test('a free course opens at once, without the gateway', async () => {
  const course = await aCourse(db, { priceCents: 0 })
  const student = await aStudent(app)
  await turnGateway(app, 'switches', { api: 'down' })
  const press = () => checkout(student, { id: course.id, priceCents: 0 })
  const [url] = (await Promise.all([press(), press()])).map(urlOf)
  await turnGateway(app, 'switches', { api: 'normal' })
  const order = await orderOf(student)
  expect(url).toBe(`${app.url}/payment-success?order_id=${order.id}&cart=true`)
  expect(await ordersOf(student)).toHaveLength(1)
  expect(await periodsOf(student)).toHaveLength(1)
  expect((await student.browser.post('/api/functions/verify-payment', { orderId: order.id })).body).toMatchObject({
    success: true,
    courseId: course.id,
  })
})

test('three units of a course are one access and two seats, and each seat is redeemed once', async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id, quantity: 3 })
  await verify(student, sessionId)
  expect(await periodsOf(student)).toHaveLength(1)
  const receipt = (await student.browser.get(`/api/orders/${(await orderOf(student)).id}`)).body as {
    lines: { seats: { code: string; redeemedAt: string | null }[] }[]
  }
  const [seat, other] = receipt.lines[0]?.seats ?? []
  expect(receipt.lines[0]?.seats).toHaveLength(2)
  // 28 letters of 32: 140 random bits.
  expect(seat?.code).toMatch(/^([2-9A-HJ-NP-Z]{4}-){6}[2-9A-HJ-NP-Z]{4}$/)
  expect((await app.mailTo(student.email)).text).toContain(`${app.url}/redeem/${seat?.code}`)

  const friends = [await aStudent(app), await aStudent(app)]
  const code = seat?.code.toLowerCase().replaceAll('-', ' ')
  const redeem = (user: SignedIn) => user.browser.post('/api/seats/redeem', { code })
  const replies = await Promise.all(friends.map(redeem))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  const [winner, loser] = replies[0]?.status === 200 ? friends : friends.toReversed()
  if (winner === undefined || loser === undefined) throw new Error('two friends')
  expect(await redeem(winner)).toMatchObject({ status: 200, body: { courseId: course.id, courseSlug: course.slug } })
  expect(await periodsOf(winner)).toHaveLength(1)
  expect(await periodsOf(loser)).toEqual([])
  expect((await loser.browser.post('/api/seats/redeem', { code: other?.code })).status).toBe(200)
  expect((await loser.browser.post('/api/seats/redeem', { code: 'ABCD-EFGH-2345' })).status).toBe(404)
  expect(await loser.browser.post('/api/seats/redeem', { code: 'no' })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'code' }] } },
  })
})

test('a full refund ends the access of its lines and seats, and later periods move forward', async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id, quantity: 2 })
  await verify(student, sessionId)
  const order = await orderOf(student)
  const again = urlOf(await checkout(student, { id: course.id }))
  await pay(again)
  await verify(student, sessionOf(again))
  const friend = await aStudent(app)
  const [seat] = await db.selectFrom('seats').where('course_id', '=', course.id).select('code').execute()
  expect((await friend.browser.post('/api/seats/redeem', { code: seat?.code })).status).toBe(200)

  await stripe.refunds.create({ payment_intent: order.gateway_payment_intent ?? '' })
  await deliver()
  expect((await orderOf(student)).state).toBe('refunded')
  const [taken, kept] = (await periodsOf(student)).toSorted(
    (a, b) => Number(a.revoked_at === null) - Number(b.revoked_at === null),
  )
  expect(taken?.revoked_at).not.toBeNull()
  expect(kept?.revoked_at).toBeNull()
  expect(kept?.starts_at.getTime()).toBeLessThanOrEqual(app.clock.now().getTime())
  expect((kept?.ends_at.getTime() ?? 0) - (kept?.starts_at.getTime() ?? 0)).toBe(30 * DAY_MS)
  expect((await periodsOf(friend)).every(({ revoked_at }) => revoked_at !== null)).toBe(true)
  expect((await friend.browser.post('/api/seats/redeem', { code: seat?.code })).status).toBe(409)
  expect((await verify(student, sessionId)).body).toMatchObject({ success: false, pending: false, state: 'refunded' })
})

test('a partial refund keeps the access, and refunding the rest ends it', async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id })
  await verify(student, sessionId)
  const order = await orderOf(student)
  await stripe.refunds.create({ payment_intent: order.gateway_payment_intent ?? '', amount: 1000 })
  await deliver()
  expect((await orderOf(student)).state).toBe('partly_refunded')
  expect(await periodsOf(student)).toMatchObject([{ revoked_at: null }])
  expect((await student.browser.get(`/api/orders/${order.id}`)).body).toMatchObject({ refundedCents: 1000 })
  await stripe.refunds.create({ payment_intent: order.gateway_payment_intent ?? '' })
  await deliver()
  expect((await orderOf(student)).state).toBe('refunded')
  expect((await periodsOf(student)).every(({ revoked_at }) => revoked_at !== null)).toBe(true)
})

test('a refund event that arrives before its payment leaves no access', async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id })
  const session = await stripe.checkout.sessions.retrieve(sessionId)
  await stripe.refunds.create({ payment_intent: String(session.payment_intent) })
  await deliver()
  expect((await orderOf(student)).state).toBe('refunded')
  expect((await periodsOf(student)).every(({ revoked_at }) => revoked_at !== null)).toBe(true)
})

test('a dispute closes the course, and winning it restores the remaining days', async () => {
  const course = await aCourse(db)
  const student = await aStudent(app)
  const url = urlOf(await checkout(student, { id: course.id }))
  await pay(url, { card_number: '4000 0000 0000 0259' })
  await deliver()
  expect((await orderOf(student)).state).toBe('disputed')
  const [paused] = await periodsOf(student)
  expect(paused?.revoked_at).not.toBeNull()
  app.clock.forward(2 * DAY_MS)
  await turnGateway(app, 'dispute', { sessionId: sessionOf(url), outcome: 'won' })
  await deliver()
  expect((await orderOf(student)).state).toBe('paid')
  const [restored] = await periodsOf(student)
  expect(restored?.revoked_at).toBeNull()
  expect((restored?.ends_at.getTime() ?? 0) - app.clock.now().getTime()).toBeGreaterThan(29.9 * DAY_MS)
})

test('a lost dispute ends the access for good, also when only the repair finds it', async () => {
  const course = await aCourse(db)
  const student = await aStudent(app)
  const url = urlOf(await checkout(student, { id: course.id }))
  await pay(url, { card_number: '4000 0000 0000 0259' })
  await deliver()
  await turnGateway(app, 'dispute', { sessionId: sessionOf(url), outcome: 'lost' })
  await reconcileOrders(db, shop, { now: app.clock.now() })
  expect((await orderOf(student)).state).toBe('refunded')
  await deliver()
  expect((await orderOf(student)).state).toBe('refunded')
  expect((await periodsOf(student)).every(({ revoked_at }) => revoked_at !== null)).toBe(true)
})

test('the repair fulfils a paid session without an event, even one that its order did not store', async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id })
  await db
    .updateTable('orders')
    .set({ gateway_session_id: null, gateway_session_url: null })
    .where('gateway_session_id', '=', sessionId)
    .execute()
  const repair = await reconcileOrders(db, shop, { now: app.clock.now() })
  expect(repair.fulfilled).toBeGreaterThanOrEqual(1)
  expect(await periodsOf(student)).toHaveLength(1)
  expect(await orderOf(student)).toMatchObject({ state: 'paid', gateway_session_id: sessionId })
})

test('"Paid but no access?" corrects the caller\'s own orders and closes those that can no longer be paid', async () => {
  const course = await aCourse(db)
  const { student } = await aPaidSession({ id: course.id })
  expect((await student.browser.post('/api/functions/repair-my-orders')).body).toEqual({ fulfilled: 1, closed: 0 })
  expect(await periodsOf(student)).toHaveLength(1)
  const other = await aStudent(app)
  urlOf(await checkout(other, { id: course.id }))
  expect((await other.browser.post('/api/functions/repair-my-orders')).body).toEqual({ fulfilled: 0, closed: 0 })
  app.clock.forward(26 * HOUR_MS)
  const returning = await aStudent(app)
  await db.updateTable('orders').set({ user_id: returning.id }).where('user_id', '=', other.id).execute()
  expect((await returning.browser.post('/api/functions/repair-my-orders')).body).toEqual({ fulfilled: 0, closed: 1 })
  expect((await orderOf(returning)).state).toBe('expired')
})

test("only its buyer and admins can read a receipt, and an admin's read has an audit entry", async () => {
  const course = await aCourse(db)
  const { student, sessionId } = await aPaidSession({ id: course.id })
  await verify(student, sessionId)
  const { id } = await orderOf(student)
  expect(await student.browser.get(`/api/orders/${id}`)).toMatchObject({
    status: 200,
    body: { id, state: 'paid', totalCents: 3198, buyer: { email: student.email }, lines: [{ title: course.title }] },
  })
  const [admin, stranger] = [await anAdmin(app), await aStudent(app)]
  expect((await stranger.browser.get(`/api/orders/${id}`)).status).toBe(404)
  expect((await app.visitor().get(`/api/orders/${id}`)).status).toBe(401)
  expect((await student.browser.get('/api/orders/not-an-id')).status).toBe(404)
  expect((await admin.browser.get(`/api/orders/${id}`)).status).toBe(200)
  const entries = await db.selectFrom('audit_log').where('subject_id', '=', id).select(['actor_id', 'action']).execute()
  expect(entries).toEqual([{ actor_id: admin.id, action: 'order.read' }])
})
