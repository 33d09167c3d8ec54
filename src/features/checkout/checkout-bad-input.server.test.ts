import { expect, test } from 'vitest'
import { startApp, type Reply } from '../../../tests/support/start-app.ts'
import { aCourse } from '../../../tests/support/build-course.ts'
import { anOrderToPay, payByCard } from '../../../tests/support/place-order.ts'
import { aStudent } from '../../../tests/support/users.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { signatureOf } from '../../emulators/gateway/gateway-events.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { database, emulators } = app.services
const { db } = database
const guest = app.visitor()
await guest.post('/demo/gateway/switches', { delivery: 'never' })

const [course, gone, deleted] = [await aCourse(db), await aCourse(db), await aCourse(db)]
await db.updateTable('courses').set({ status: 'withdrawn' }).where('id', '=', gone.id).execute()
await db.deleteFrom('courses').where('id', '=', deleted.id).execute()
const student = await aStudent(app)
const theirs = await anOrderToPay(app, [{ course }])
await payByCard(theirs)

const unknownId = '00000000-0000-4000-8000-000000000000'
const checkout = (cartItems: unknown, who = student.browser) =>
  who.post('/api/functions/create-cart-payment', { cartItems })
const item = (quantity: unknown, id: string = course.id) => ({ id, quantity, price: 19.99, title: course.title })
const verify = (sessionId: unknown, who = student.browser) => who.post('/api/functions/verify-payment', { sessionId })

const { webhookSecret } = emulators.payment
const anEvent = (type: string, id = `evt_${type}`) =>
  JSON.stringify({
    id,
    object: 'event',
    type,
    data: { object: { id: theirs.sessionId, object: 'checkout.session', payment_status: 'paid' } },
  })
const hear = (body: string, signature: string | null = signatureOf(body, webhookSecret, app.clock.now())) =>
  guest.call('POST', '/api/webhooks/stripe', body, signature === null ? {} : { 'stripe-signature': signature })
const completed = anEvent('checkout.session.completed')
const minutesFromNow = (minutes: number) => new Date(app.clock.now().getTime() + minutes * MINUTE_MS)

type Row = [what: string, ask: () => Promise<Reply>, status: number, says: object]
const field = (name: string) => ({ error: { fields: [{ field: name }] } })
const code = (name: string) => ({ error: { code: name } })

const rows: Row[] = [
  ...[0, -1, 1.5, 1e9, 101, '2', null, Number.MAX_SAFE_INTEGER].map((quantity): Row => {
    const says = field('cartItems.0.quantity')
    return [`a quantity of ${JSON.stringify(quantity)}`, () => checkout([item(quantity)]), 400, says]
  }),
  [
    '101 lines',
    () => checkout(Array.from({ length: 101 }, () => item(1, crypto.randomUUID()))),
    400,
    field('cartItems'),
  ],
  ['one course on two lines', () => checkout([item(1), item(2)]), 400, field('cartItems')],
  ['an id that is none', () => checkout([item(1, 'aws')]), 400, field('cartItems.0.id')],
  ['a cart that is no list', () => checkout('all of them'), 400, field('cartItems')],
  [
    'a price below nothing',
    () => checkout([{ id: course.id, quantity: 1, price: -1 }]),
    400,
    field('cartItems.0.price'),
  ],
  ['an unknown course', () => checkout([item(1, unknownId)]), 409, { error: { facts: { gone: [unknownId] } } }],
  ['a course withdrawn', () => checkout([item(1, gone.id)]), 409, { error: { facts: { gone: [gone.id] } } }],
  [
    'a course deleted, beside one that is sold',
    () => checkout([item(1), item(1, deleted.id)]),
    409,
    { error: { facts: { gone: [deleted.id], lines: [{ id: course.id, price: 19.99 }] } } },
  ],
  [
    'an empty cart',
    () => checkout([]),
    400,
    { error: { code: 'checkout.empty', message: 'Please add items to your cart before checkout.' } },
  ],
  [
    'a guest who checks out',
    () => checkout([item(1)], guest),
    401,
    { error: { message: 'Please sign in to proceed with checkout.' } },
  ],
  [
    'a cart that is no JSON',
    () => student.browser.post('/api/functions/create-cart-payment', '{"cartItems":'),
    400,
    {},
  ],
  ['a guest who verifies', () => verify(theirs.sessionId, guest), 401, code('session.required')],
  ["another person's session", () => verify(theirs.sessionId), 404, code('payment.not-verified')],
  ["another person's order", verifyTheirOrder, 404, code('payment.not-verified')],
  ['an invented session', () => verify('cs_test_invented'), 404, code('payment.not-verified')],
  ['a session that is a path', () => verify('../../v1/balance'), 404, code('payment.not-verified')],
  ['a session of nothing', () => verify(''), 400, field('sessionId')],
  ['a session of 256 letters', () => verify('x'.repeat(256)), 400, field('sessionId')],
  ['a session that is a number', () => verify(7), 400, field('sessionId')],
  ['no signature', () => hear(completed, null), 400, code('webhook.refused')],
  ['a signature that is none', () => hear(completed, 't=now,v1=yes'), 400, code('webhook.refused')],
  [
    'a signature with another secret',
    () => hear(completed, signatureOf(completed, 'whsec_other', app.clock.now())),
    400,
    code('webhook.refused'),
  ],
  [
    'the signature of another body',
    () => hear(completed, signatureOf(`${completed} `, webhookSecret, app.clock.now())),
    400,
    code('webhook.refused'),
  ],
  [
    'a signature of six minutes ago',
    () => hear(completed, signatureOf(completed, webhookSecret, minutesFromNow(-6))),
    400,
    code('webhook.refused'),
  ],
  ['an event that is no JSON', () => hear('paid!'), 400, code('webhook.refused')],
  ['an event that is empty', () => hear(''), 400, code('webhook.refused')],
  ['an event that is a list', () => hear('[]'), 400, code('webhook.refused')],
  [
    'an event without a name',
    () => hear(JSON.stringify({ object: 'event', type: 'customer.created', data: { object: {} } })),
    400,
    code('webhook.refused'),
  ],
  ...[{}, { object: {} }, { object: { id: 7 } }].map((data): Row => {
    const event = JSON.stringify({ id: 'evt_0', object: 'event', type: 'checkout.session.completed', data })
    return [`an event about ${JSON.stringify(data)}`, () => hear(event), 400, code('webhook.refused')]
  }),
  ['an event of more than a megabyte', () => hear(`"${'x'.repeat(1024 * 1024)}"`), 413, code('request.too-large')],
  ['an event of an unknown kind', () => hear(anEvent('customer.created')), 200, { received: true, outcome: 'ignored' }],
]

function verifyTheirOrder() {
  return student.browser.post('/api/functions/verify-payment', { orderId: theirs.orderId })
}

test('invalid input is refused with its problem, and nothing is sold or granted', async () => {
  const replies: unknown[] = []
  for (const [what, ask] of rows) {
    const { status, body } = await ask()
    replies.push({ what, status, body })
  }
  expect(replies).toMatchObject(rows.map(([what, , status, body]) => ({ what, status, body })))

  expect(await db.selectFrom('orders').select(['user_id', 'state']).execute()).toEqual([
    { user_id: theirs.buyer.id, state: 'pending' },
  ])
  expect(await db.selectFrom('access_periods').select('id').execute()).toEqual([])
  // An unknown event is only recorded in the list of events.
  expect(await db.selectFrom('gateway_events').select(['kind', 'order_id', 'outcome']).execute()).toEqual([
    { kind: 'customer.created', order_id: null, outcome: 'ignored' },
  ])
})
