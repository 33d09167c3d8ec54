import { expect, test } from 'vitest'
import { startApp, type Reply } from '../../../tests/support/start-app.ts'
import { aCourse } from '../../../tests/support/build-course.ts'
import { pay, sessionOf, stripeOf, turnGateway } from '../../../tests/support/place-order.ts'
import { anAdmin, aStudent, type SignedIn } from '../../../tests/support/users.ts'
import { formatDay } from '../../lib/time.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db } = app.services.database
const stripe = stripeOf(app)
const admin = await anAdmin(app)
await turnGateway(app, 'switches', { delivery: 'never' })

let made = 0
/** Creates a coupon through the API and returns its code. */
async function aCoupon(wish: object): Promise<string> {
  made += 1
  const form = { percent: null, amount: null, firstDay: null, lastDay: null, useLimit: null, courseIds: null }
  const code = `COUPON-${made}`
  const reply = await admin.browser.post('/api/coupons', { code, ...form, ...wish })
  if (reply.status !== 200) throw new Error(`no coupon: ${JSON.stringify(reply.body)}`)
  return code
}

type Wish = { id: string; quantity?: number }
const send = (user: SignedIn, items: readonly Wish[], coupon?: string, total?: number) =>
  user.browser.post('/api/functions/create-cart-payment', {
    cartItems: items.map(({ id, quantity = 1 }) => ({ id, quantity })),
    coupon,
    total,
  })
const ask = (items: readonly Wish[], coupon: string, user = app.visitor()) =>
  user.post('/api/functions/quote-cart', {
    cartItems: items.map(({ id, quantity = 1 }) => ({ id, quantity })),
    coupon,
  })
const urlOf = (reply: Reply) => {
  if (reply.status !== 200) throw new Error(`no checkout: ${JSON.stringify(reply.body)}`)
  return (reply.body as { url: string }).url
}
const refusal = ({ status, body }: Reply) => {
  const { error } = body as { error: { message: string; fields: { field: string; message: string }[] } }
  return [status, error.fields[0]?.field, error.message]
}
const verify = (user: SignedIn, url: string) =>
  user.browser.post('/api/functions/verify-payment', { sessionId: sessionOf(url) })
const ordersOf = (user: SignedIn) =>
  db
    .selectFrom('orders')
    .where('user_id', '=', user.id)
    .select(['id', 'state', 'discount_cents', 'coupon_code'])
    .orderBy('created_at')
    .execute()

test('a guest sees the discount of a coupon, typed in any case', async () => {
  const course = await aCourse(db, { priceCents: 6000 })
  const code = await aCoupon({ percent: 20 })
  const reply = await ask([{ id: course.id }], ` ${code.toLowerCase()} `)
  expect(reply).toMatchObject({
    status: 200,
    body: {
      quote: { subtotalCents: 6000, discountCents: 1200, taxCents: 480, shippingCents: 999, totalCents: 6279 },
      coupon: { code, discount: { off: { kind: 'percent', percent: 20 }, courseIds: null } },
      lines: [{ id: course.id, price: 60 }],
      gone: [],
    },
  })
})

test('a quote without a coupon has no discount, and an empty cart costs nothing', async () => {
  const course = await aCourse(db)
  expect((await ask([{ id: course.id }], '')).body).toMatchObject({ quote: { totalCents: 3198 }, coupon: null })
  expect((await ask([], 'NO-SUCH')).body).toMatchObject({ quote: { totalCents: 0 }, coupon: null })
})

test('an invalid coupon is refused under its field, in the quote and at checkout', async () => {
  const [course, other] = [await aCourse(db), await aCourse(db)]
  const day = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
  const off = await aCoupon({ percent: 10 })
  const { id } = await db.selectFrom('coupons').where('code', '=', off).select('id').executeTakeFirstOrThrow()
  await admin.browser.patch(`/api/coupons/${id}`, { isActive: false })
  const cases: [string, number, string][] = [
    ['NO-SUCH', 404, 'There is no coupon with this code. Check each letter and digit.'],
    ['!', 404, 'There is no coupon with this code. Check each letter and digit.'],
    [off, 409, 'This coupon is no longer valid.'],
    [await aCoupon({ percent: 10, lastDay: day(-1) }), 409, 'This coupon is no longer valid.'],
    [await aCoupon({ percent: 10, firstDay: day(2) }), 409, `This coupon can be used from ${formatDay(day(2))} on.`],
    [await aCoupon({ percent: 10, courseIds: [other.id] }), 409, 'This coupon is not for the courses in your cart.'],
  ]
  const student = await aStudent(app)
  for (const [code, status, sentence] of cases) {
    expect(refusal(await ask([{ id: course.id }], code))).toEqual([status, 'coupon', sentence])
    expect(refusal(await send(student, [{ id: course.id }], code))).toEqual([status, 'coupon', sentence])
  }
  expect(await ordersOf(student)).toEqual([])
})

test('the last day of a coupon counts in full', async () => {
  const course = await aCourse(db)
  const today = app.clock.now().toISOString().slice(0, 10)
  const code = await aCoupon({ percent: 10, firstDay: today, lastDay: today })
  expect((await ask([{ id: course.id }], code)).status).toBe(200)
})

test('an order stores its coupon, and the gateway and the receipt use the discounted amounts', async () => {
  const [one, other] = [await aCourse(db, { priceCents: 1000 }), await aCourse(db, { priceCents: 3000 })]
  const code = await aCoupon({ amount: '10.00', courseIds: [one.id] })
  const student = await aStudent(app)
  const url = urlOf(await send(student, [{ id: one.id, quantity: 3 }, { id: other.id }], code, 64.99))
  const session = await stripe.checkout.sessions.retrieve(sessionOf(url), { expand: ['line_items'] })
  const lines = session.line_items?.data.map((line) => [line.description, line.quantity, line.amount_total])
  expect(new Map(lines?.map(([name, ...rest]) => [name, rest]))).toEqual(
    new Map([
      [`3 × ${one.title}`, [1, 2000]],
      [other.title, [1, 3000]],
      ['Tax', [1, 500]],
      ['Shipping', [1, 999]],
    ]),
  )
  expect(session.amount_total).toBe(6499)
  await pay(url)
  expect((await verify(student, url)).body).toMatchObject({ success: true })
  const [order] = await ordersOf(student)
  expect(order).toMatchObject({ state: 'paid', discount_cents: 1000, coupon_code: code })
  expect((await student.browser.get(`/api/orders/${order?.id}`)).body).toMatchObject({
    subtotalCents: 6000,
    discountCents: 1000,
    couponCode: code,
    totalCents: 6499,
  })
  expect((await app.mailTo(student.email)).text).toContain(`Discount with coupon ${code}: −$10.00`)
})

test('a total without the discount is refused with the new quote', async () => {
  const course = await aCourse(db, { priceCents: 6000 })
  const code = await aCoupon({ percent: 50 })
  const student = await aStudent(app)
  const reply = await send(student, [{ id: course.id }], code, 66)
  expect(reply).toMatchObject({
    status: 409,
    body: { error: { code: 'checkout.changed', facts: { quote: { discountCents: 3000, totalCents: 4299 } } } },
  })
})

test('a coupon for the full amount needs no gateway', async () => {
  const course = await aCourse(db)
  const code = await aCoupon({ percent: 100, useLimit: 1 })
  const student = await aStudent(app)
  const urls = (await Promise.all([1, 2].map(() => send(student, [{ id: course.id }], code, 0)))).map(urlOf)
  // A repeated request after the first one has ended does not count the buyer's own redemption.
  urls.push(urlOf(await send(student, [{ id: course.id }], code, 0)))
  expect(new Set(urls).size).toBe(1)
  expect(urls[0]).toContain('/payment-success?order_id=')
  expect(await ordersOf(student)).toMatchObject([{ state: 'paid', discount_cents: 1999 }])
  const other = await aCourse(db)
  expect(refusal(await send(student, [{ id: other.id }], code, 0))[2]).toBe(
    'This coupon has been used as often as it may be.',
  )
  const next = await aStudent(app)
  expect(refusal(await send(next, [{ id: course.id }], code, 0))[2]).toBe(
    'This coupon has been used as often as it may be.',
  )
})

test('concurrent orders redeem a coupon exactly up to its limit', async () => {
  const course = await aCourse(db)
  const code = await aCoupon({ percent: 10, useLimit: 3 })
  const students = await Promise.all(Array.from({ length: 10 }, () => aStudent(app)))
  const replies = await Promise.all(students.map((student) => send(student, [{ id: course.id }], code)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
  for (const reply of replies.filter(({ status }) => status !== 200))
    expect(refusal(reply)).toEqual([409, 'coupon', 'This coupon has been used as often as it may be.'])
  const stored = await db.selectFrom('orders').where('coupon_code', '=', code).select('id').execute()
  expect(stored).toHaveLength(3)
})

test('an unpaid order releases its coupon', async () => {
  const course = await aCourse(db)
  const code = await aCoupon({ percent: 10, useLimit: 1 })
  const [first, second] = [await aStudent(app), await aStudent(app)]
  const url = urlOf(await send(first, [{ id: course.id }], code))
  expect((await send(second, [{ id: course.id }], code)).status).toBe(409)
  await stripe.checkout.sessions.expire(sessionOf(url))
  await verify(first, url)
  expect((await ordersOf(first))[0]?.state).toBe('expired')
  expect((await send(second, [{ id: course.id }], code)).status).toBe(200)
})

test('a buyer who changes the cart keeps the last redemption, and the first session is closed', async () => {
  const [one, other] = [await aCourse(db), await aCourse(db)]
  const code = await aCoupon({ percent: 10, useLimit: 1 })
  const student = await aStudent(app)
  const first = urlOf(await send(student, [{ id: one.id }], code))
  expect(urlOf(await send(student, [{ id: one.id }], code))).toBe(first)
  expect((await ask([{ id: one.id }], code, student.browser)).status).toBe(200)
  const second = urlOf(await send(student, [{ id: one.id }, { id: other.id }], code))
  expect(second).not.toBe(first)
  expect((await stripe.checkout.sessions.retrieve(sessionOf(first))).status).toBe('expired')
  expect((await ordersOf(student)).map(({ state }) => state)).toEqual(['expired', 'pending'])
})

test('a paid redemption counts, also for its own buyer', async () => {
  const [one, other] = [await aCourse(db), await aCourse(db)]
  const code = await aCoupon({ percent: 10, useLimit: 1 })
  const student = await aStudent(app)
  await pay(urlOf(await send(student, [{ id: one.id }], code)))
  const reply = await send(student, [{ id: other.id }], code)
  expect(refusal(reply)).toEqual([409, 'coupon', 'This coupon has been used as often as it may be.'])
  expect((await ordersOf(student)).map(({ state }) => state)).toEqual(['paid'])
})

test('only admins create coupons, each code once, and every change has an audit entry', async () => {
  const form = { percent: 10, amount: null, firstDay: null, lastDay: null, useLimit: null, courseIds: null }
  const code = await aCoupon({ percent: 10 })
  expect(refusal(await admin.browser.post('/api/coupons', { code, ...form }))).toEqual([
    409,
    'code',
    'A coupon with this code already exists. Choose another code.',
  ])
  const bad: [object, string][] = [
    [{ code: 'A' }, 'code'],
    [{ percent: 0 }, 'percent'],
    [{ percent: 101 }, 'percent'],
    [{ percent: null }, 'percent'],
    [{ amount: '5.00' }, 'percent'],
    [{ percent: null, amount: '0' }, 'amount'],
    [{ percent: null, amount: '1.999' }, 'amount'],
    [{ firstDay: '2026-02-30' }, 'firstDay'],
    [{ firstDay: '2026-12-02', lastDay: '2026-12-01' }, 'lastDay'],
    [{ useLimit: 0 }, 'useLimit'],
    [{ courseIds: [] }, 'courseIds'],
  ]
  for (const [change, field] of bad) {
    const reply = await admin.browser.post('/api/coupons', { code: 'NEW-ONE', ...form, ...change })
    expect([change, refusal(reply)[1]]).toEqual([change, field])
  }
  const { id } = await db.selectFrom('coupons').where('code', '=', code).select('id').executeTakeFirstOrThrow()
  await admin.browser.patch(`/api/coupons/${id}`, { isActive: false })
  await admin.browser.patch(`/api/coupons/${id}`, { isActive: false })
  const entries = await db.selectFrom('audit_log').where('subject_id', '=', id).select(['action', 'actor_id']).execute()
  expect(entries).toEqual([
    { action: 'coupon.add', actor_id: admin.id },
    { action: 'coupon.switch', actor_id: admin.id },
  ])
  expect((await admin.browser.patch(`/api/coupons/${crypto.randomUUID()}`, { isActive: true })).status).toBe(404)
})
