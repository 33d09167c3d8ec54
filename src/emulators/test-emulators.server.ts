import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { Stripe } from 'stripe'
import { onTestFinished } from 'vitest'
import { aDatabase as aTestDatabase } from '../../tests/support/test-database.ts'
import { createGateway, listenForApi } from './gateway/gateway-emulator.server.ts'
import { prepareEmulators } from './emulator-storage.server.ts'

export const quietLog = pino({ level: 'silent' })

/** An empty database with the emulators' tables, dropped after the test file. */
export async function aDatabase(): Promise<{ pool: Pool; url: string; close(): Promise<void> }> {
  const { pool, url, close } = await aTestDatabase()
  await prepareEmulators(pool)
  return { pool, url, close }
}

/** A real HTTP server on a free loopback port. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Polls until `check` returns a truthy value, and returns it. @throws Error with `what` after 10 seconds */
export async function until<T>(
  what: string,
  check: () => T | undefined | null | false | Promise<T | undefined | null | false>,
): Promise<T> {
  const deadline = performance.now() + 10_000
  while (performance.now() < deadline) {
    const value = await check()
    if (value) return value
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`Timed out waiting until ${what}`)
}

type Received = { event: Stripe.Event; body: string; status: number }

/** A gateway with a real Stripe SDK as its client, and a real receiver that verifies its events. */
export async function aGateway(pool: Pool, { clock = { now: () => new Date() }, isFresh = true } = {}) {
  if (isFresh) {
    await pool.query('truncate demo.gateway_session, demo.gateway_event, demo.gateway_idempotency, demo.switch_board')
  }
  const secretKey = 'sk_test_standins'
  const webhookSecret = 'whsec_standins'
  const { received, answers, shop } = await serveWebhooks(webhookSecret)
  const app = new Hono()
  const pagesServer = await serve(getRequestListener(app.fetch))
  const publicBase = `${pagesServer.origin}/demo`
  const gateway = createGateway({
    pool,
    clock,
    webhookUrl: `${shop.origin}/api/webhooks/stripe`,
    webhookSecret,
    secretKey,
    publicBase,
    log: quietLog,
  })
  app.route('/demo', gateway.pages)
  await gateway.start()
  const api = await listenForApi(gateway.api)
  const stripe = new Stripe(secretKey, {
    host: api.host,
    port: api.port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })

  onTestFinished(async () => {
    await gateway.stop()
    await api.close()
    await pagesServer.close()
    await shop.close()
  })
  return {
    gateway,
    stripe,
    api,
    publicBase,
    received,
    /** Sets the shop's next replies to events; after them it replies 200. */
    answerWith: (...statuses: number[]) => void answers.push(...statuses),
    types: () => received.map(({ event }) => event.type),
    /** Resolves when at least `count` events were received and verified. */
    events: (count: number) => until(`${count} events arrived`, () => received.length >= count),
    control: (path: string, body: object) =>
      fetch(`${publicBase}/gateway/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
}

/** A shop that verifies the events that it receives, and replies to each with the next of `answers`, or else with 200. */
async function serveWebhooks(webhookSecret: string) {
  const received: Received[] = []
  const answers: number[] = []
  const shop = await serve((request, response) => {
    // A client that follows our redirect sends a GET; it does not count as a delivery.
    if (request.method === 'GET') return void response.writeHead(200).end()
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8')
      const header = request.headers['stripe-signature'] ?? ''
      const status = answers.shift() ?? 200
      try {
        received.push({ event: Stripe.webhooks.constructEvent(body, header, webhookSecret), body, status })
        response.writeHead(status, { location: '/elsewhere' }).end()
      } catch {
        response.writeHead(400).end()
      }
    })
  })
  return { received, answers, shop }
}

/** The parameters of a checkout: two lines, $29.98 in total. */
export function aCheckout(
  changes: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 2,
        price_data: {
          currency: 'usd',
          unit_amount: 1250,
          product_data: { name: 'Cloud Practitioner', description: '30 days of access' },
        },
      },
      { quantity: 1, price_data: { currency: 'usd', unit_amount: 498, product_data: { name: 'Tax & shipping' } } },
    ],
    success_url: 'http://127.0.0.1:9/payment-success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://127.0.0.1:9/?checkout=cancelled',
    client_reference_id: 'order-1',
    customer_email: 'ana@example.com',
    metadata: { orderId: 'order-1' },
    payment_intent_data: { metadata: { orderId: 'order-1' } },
    ...changes,
  }
}

export const goodCard = { card_number: '4242 4242 4242 4242', expiry: '12 / 39', cvc: '123', name: 'Ana Beispiel' }

/** Submits the hosted page; does not follow redirects. */
export async function pay(session: Stripe.Checkout.Session, fields: Record<string, string> = {}): Promise<Response> {
  return submit(session.url ?? '', { method: 'card', ...goodCard, ...fields })
}

export async function submit(address: string, fields: Record<string, string>): Promise<Response> {
  return fetch(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}
