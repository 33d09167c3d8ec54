import { randomBytes } from 'node:crypto'
import { Stripe } from 'stripe'
import { createAccount } from '../../src/features/accounts/accounts-commands.server.ts'
import { findOrder } from '../../src/features/checkout/orders-queries.server.ts'
import {
  storeCheckoutSession,
  placeOrder,
  type CheckoutDeps,
} from '../../src/features/checkout/orders-commands.server.ts'
import { quote } from '../../src/features/pricing/quote.ts'
import type { CourseId, OrderId, SessionId } from '../../src/lib/ids.ts'
import type { User } from '../../src/lib/user.ts'
import { cents } from '../../src/lib/money.ts'
import { signatureOf } from '../../src/emulators/gateway/gateway-events.server.ts'
import type { TestApp } from './start-app.ts'

export type OrderToPay = {
  readonly buyer: User
  readonly orderId: OrderId
  readonly sessionId: string
  readonly sessionUrl: string
}

type Item = { readonly course: { readonly id: CourseId; readonly title: string }; readonly quantity?: number }

export const shopOf = ({ services, url }: TestApp): CheckoutDeps => ({
  gateway: services.payment,
  mail: services.mail,
  log: services.log,
  brand: services.env.brandName,
  appUrl: url,
})

/** A user without a session. */
export async function aBuyer(app: TestApp): Promise<User> {
  const email = `buyer-${randomBytes(6).toString('hex')}@example.com`
  const account = { name: 'Ben Buyer', email, passwordHash: '', isVerified: true }
  const id = await createAccount(app.services.database.db, account)
  return {
    id,
    email,
    name: account.name,
    role: 'student',
    sessionId: '' as SessionId,
    isFactorMissing: false,
    confirmedAt: null,
  }
}

/** An unpaid order of courses at $19.99, with an open session at the gateway. */
export async function anOrderToPay(app: TestApp, items: readonly Item[]): Promise<OrderToPay> {
  const { db } = app.services.database
  const buyer = await aBuyer(app)
  const lines = items.map(({ course, quantity = 1 }) => ({
    courseId: course.id,
    title: course.title,
    unitPriceCents: cents(1999),
    quantity,
  }))
  const { isLive, provider } = app.services.payment
  const placed = { userId: buyer.id, lines, quote: quote(lines), isLive, provider, now: app.clock.now() }
  const { orderId } = await placeOrder(db, placed)
  const order = await findOrder(db, orderId)
  if (order === null) throw new Error('the order was not stored')
  const session = await app.services.payment.openSession({ ...order, buyerEmail: buyer.email })
  await storeCheckoutSession(db, {
    orderId,
    sessionId: session.id,
    url: session.url,
    payableUntil: session.payableUntil,
  })
  return { buyer, orderId, sessionId: session.id, sessionUrl: session.url ?? '' }
}

export async function payByCard({ sessionUrl }: { sessionUrl: string }, card = '4242 4242 4242 4242'): Promise<void> {
  const reply = await pay(sessionUrl, { card_number: card })
  if (reply.status !== 303) throw new Error(`the payment failed: ${reply.status}`)
}

/** Submits the payment page with a card, or with other fields; the page may refuse. */
export const pay = (url: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> => {
  const card = { method: 'card', card_number: '4242 4242 4242 4242', expiry: '12/39', cvc: '123', name: 'Ben' }
  return fetch(url, { method: 'POST', body: new URLSearchParams({ ...card, ...fields }), redirect: 'manual' })
}

/** The id of the session that a payment page belongs to. */
export const sessionOf = (url: string): string => url.split('/pay/')[1] ?? ''

/** Stripe's own client, connected to the emulated gateway. */
export function stripeOf({ services }: TestApp): Stripe {
  const { apiBase, secretKey } = services.emulators.payment
  const { hostname, port } = new URL(apiBase ?? '')
  return new Stripe(secretKey, { host: hostname, port: Number(port), protocol: 'http' })
}

/** Turns a switch of the emulated gateway, or has it deliver its events. */
export const turnGateway = (app: TestApp, path: 'switches' | 'deliver' | 'settle' | 'dispute', body: object) =>
  app.visitor().post(`/demo/gateway/${path}`, body)

/** The latest event of a type, as the gateway would deliver it: the exact body and its signature. */
export async function eventOf(
  app: TestApp,
  { sessionId, type }: { sessionId: string; type: string },
): Promise<{ body: string; signature: string }> {
  const { rows } = await app.services.database.pool.query<{ body: string }>(
    'select body from demo.gateway_event where session_id = $1 and type = $2 order by seq desc limit 1',
    [sessionId, type],
  )
  const [event] = rows
  if (event === undefined) throw new Error(`the gateway has no ${type} of ${sessionId}`)
  const { webhookSecret } = app.services.emulators.payment
  return { body: event.body, signature: signatureOf(event.body, webhookSecret, app.clock.now()) }
}
