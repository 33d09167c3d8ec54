import { setTimeout as wait } from 'node:timers/promises'
import type { Caller } from './calls.ts'
import type { Gate } from './gate.ts'

/** The payments that the gateway has confirmed to the buyers, by the id of their session. */
export type BuyerRecord = { readonly paid: Map<string, { readonly at: number }>; lastPaidAt: number }

export type Goods = { readonly id: string; readonly price: number }

const PAUSE_MS = 300
const RETRY_MS = 300
const CARD = { method: 'card', card_number: '4242 4242 4242 4242', expiry: '12/39', cvc: '123', name: 'Ben' }

/** Buys the course again and again. Every second time the buyer returns to the shop; otherwise only the webhook tells it. */
export async function buy(
  cookie: string,
  { call, record, gate, goods }: { call: Caller; record: BuyerRecord; gate: Gate; goods: Goods },
): Promise<void> {
  for (let number = 0; await gate.pass(cookie); number += 1) {
    const session = await until(gate, () => tryCheckout(cookie, call, goods))
    if (session === null) return
    if ((await until(gate, () => tryPay(session, call))) === null) return
    record.paid.set(session.id, { at: performance.now() })
    record.lastPaidAt = performance.now()
    if (number % 2 === 0) await until(gate, () => tryVerify(cookie, call, session.id))
    await wait(PAUSE_MS)
  }
}

type Session = { readonly id: string; readonly url: string }

export async function tryCheckout(cookie: string, call: Caller, { id, price }: Goods): Promise<Session | null> {
  const cart = { cartItems: [{ id, quantity: 1, price }] }
  const reply = await call('/api/functions/create-cart-payment', { method: 'POST', cookie, json: cart })
  if (reply?.status !== 200) return null
  const { url } = JSON.parse(reply.text) as { url: string }
  if (url.includes('/pay/')) return { url, id: url.split('/').at(-1) ?? '' }
  // The payment before is confirmed and its order not fulfilled yet: the shop shows it instead of charging the buyer again.
  await tryVerify(cookie, call, new URL(url).searchParams.get('session_id') ?? '')
  return null
}

/** A payment whose reply was lost is tried again, and the gateway says that it has been paid. */
export async function tryPay({ url }: Session, call: Caller): Promise<true | null> {
  const reply = await call(url, { method: 'POST', form: CARD })
  return reply?.status === 303 || (reply?.status === 200 && reply.text.includes('already been paid')) ? true : null
}

export async function tryVerify(cookie: string, call: Caller, sessionId: string): Promise<true | null> {
  const reply = await call('/api/functions/verify-payment', { method: 'POST', cookie, json: { sessionId } })
  return reply?.status === 200 && (JSON.parse(reply.text) as { success: boolean }).success ? true : null
}

async function until<Result>(gate: Gate, attempt: () => Promise<Result | null>): Promise<Result | null> {
  while (!gate.isOver()) {
    const result = await attempt()
    if (result !== null) return result
    await wait(RETRY_MS)
  }
  return null
}
