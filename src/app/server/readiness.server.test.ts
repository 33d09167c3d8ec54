import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createReadiness } from './readiness.server.ts'
import { startApp, type TestApp } from '../../../tests/support/start-app.ts'
import { aNetworkTo } from '../../../tests/support/database-network.ts'
import { aDatabase } from '../../../tests/support/test-database.ts'

/** A payment API and a mail server that count requests and reply as a test decides. */
let asked = { payment: 0, mail: 0 }
let isKeyGood = true
let isPaymentHeld = false
const held: (() => void)[] = []
/** Called when a request to the payment API is held back. */
let onHeld: () => void = () => {}

const payment = createServer((_request, response) => {
  asked.payment += 1
  const answer = () => {
    const body = isKeyGood
      ? { object: 'balance' }
      : { error: { type: 'invalid_request_error', message: 'No such key' } }
    response.writeHead(isKeyGood ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  if (!isPaymentHeld) return void answer()
  held.push(answer)
  onHeld()
})
const mail = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  closeTimeout: 500,
  onConnect(_session, callback) {
    asked.mail += 1
    callback()
  },
})
await new Promise<void>((resolve) => payment.listen(0, '127.0.0.1', resolve))
await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve))
afterAll(async () => {
  payment.closeAllConnections()
  await new Promise((resolve) => payment.close(resolve))
  await new Promise<void>((resolve) => mail.close(() => resolve()))
})

function aShop(environment: Record<string, string> = {}): Promise<TestApp> {
  return startApp({
    LOG_LEVEL: 'fatal',
    STRIPE_SECRET_KEY: 'sk_test_counted',
    STRIPE_WEBHOOK_SECRET: 'whsec_counted',
    STRIPE_API_BASE: `http://127.0.0.1:${(payment.address() as AddressInfo).port}`,
    SMTP_URL: `smtp://127.0.0.1:${(mail.server.address() as AddressInfo).port}`,
    MAIL_FROM: 'Shop <hello@example.com>',
    ...environment,
  })
}

async function ready({ url }: TestApp): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(`${url}/readyz`)
  return { status: reply.status, body: await reply.json() }
}

const CALLS = 100
const readyForAll = (app: TestApp) => Promise.all(Array.from({ length: CALLS }, () => ready(app)))
const all = <Reply>(reply: Reply) => Array.from({ length: CALLS }, () => reply)

/** Holds back the replies of the payment API until `release`. */
function holdPayment() {
  isPaymentHeld = true
  const isAsked = new Promise<void>((resolve) => (onHeld = resolve))
  const release = () => {
    isPaymentHeld = false
    for (const answer of held.splice(0)) answer()
  }
  onTestFinished(release)
  return { isAsked, release }
}

const OK = { status: 200, body: { status: 'ok', database: 'ok', mail: 'ok', payment: 'ok', clock: 'ok' } }
const PAYMENT_AWAY = {
  status: 503,
  body: { status: 'degraded', database: 'ok', mail: 'ok', payment: 'away', clock: 'ok' },
}
const app = await aShop()

/** Resets the counts and lets the cached result expire. */
function startOver() {
  app.clock.forward(10_000)
  asked = { payment: 0, mail: 0 }
}

test('a hundred calls at once probe payment and mail once, and the result is cached for ten seconds', async () => {
  startOver()
  expect(await readyForAll(app)).toEqual(all(OK))
  expect(asked).toEqual({ payment: 1, mail: 1 })
  app.clock.forward(8_000)
  expect(await ready(app)).toEqual(OK)
  expect(asked).toEqual({ payment: 1, mail: 1 })
  app.clock.forward(2_000)
  expect(await ready(app)).toEqual(OK)
  expect(asked).toEqual({ payment: 2, mail: 2 })
})

test('a clock that is set back does not extend the life of a cached result', async () => {
  startOver()
  await ready(app)
  app.clock.forward(-60 * 60 * 1000)
  await ready(app)
  app.clock.forward(60 * 60 * 1000)
  expect(asked).toEqual({ payment: 2, mail: 2 })
})

test('calls during a slow probe wait for it instead of starting another', async () => {
  startOver()
  const { isAsked, release } = holdPayment()
  const first = ready(app)
  await isAsked
  app.clock.forward(60_000)
  const others = Array.from({ length: 20 }, () => ready(app))
  // The reply comes on a connection opened after those of the pending calls.
  await Promise.all(others.map(() => fetch(`${app.url}/healthz`)))
  expect(asked.payment).toBe(1)
  release()
  const reply = await first
  expect(await Promise.all(others)).toEqual(others.map(() => reply))
  expect(asked).toEqual({ payment: 1, mail: 1 })
})

test('a failed probe is cached as long as a successful one', async () => {
  startOver()
  isKeyGood = false
  expect(await readyForAll(app)).toEqual(all(PAYMENT_AWAY))
  isKeyGood = true
  expect(await ready(app)).toEqual(PAYMENT_AWAY)
  expect(asked).toEqual({ payment: 1, mail: 1 })
  app.clock.forward(10_000)
  expect(await ready(app)).toEqual(OK)
  expect(asked).toEqual({ payment: 2, mail: 2 })
})

test('a slow database is reported as away until it answers again', async () => {
  const network = await aNetworkTo((await aDatabase()).url)
  onTestFinished(network.thaw)
  const shop = await aShop({ DATABASE_URL: network.url })
  expect(await ready(shop)).toEqual(OK)
  network.freeze()
  shop.clock.forward(10_000)
  expect(await ready(shop)).toMatchObject({ status: 503, body: { database: 'away', mail: 'ok', payment: 'ok' } })
  network.thaw()
  await expect
    .poll(
      () => {
        shop.clock.forward(10_000)
        return ready(shop)
      },
      { timeout: 60_000 },
    )
    .toEqual(OK)
})

test('a process that shuts down says so at once, whatever is cached or pending', async () => {
  const shop = await aShop()
  expect(await ready(shop)).toEqual(OK)
  shop.clock.forward(10_000)
  asked = { payment: 0, mail: 0 }
  const { isAsked, release } = holdPayment()
  const first = ready(shop)
  await isAsked
  await expect.poll(() => asked.mail).toBe(1)
  asked = { payment: 0, mail: 0 }
  shop.application.beginShutdown()
  expect(await ready(shop)).toEqual({ status: 503, body: { status: 'stopping' } })
  expect(asked).toEqual({ payment: 0, mail: 0 })
  release()
  expect((await first).status).toBe(503)
  expect(await ready(shop)).toEqual({ status: 503, body: { status: 'stopping' } })
})

test("a clock that is not as the database's makes the process not ready", async () => {
  let isRight = true
  const up = () => Promise.resolve(true)
  const at = { now: 0 }
  const readiness = createReadiness(
    { database: up, mail: up, payment: up },
    { now: () => new Date((at.now += 60_000)), isRight: () => isRight },
  )
  expect(await readiness()).toEqual({ database: 'ok', mail: 'ok', payment: 'ok', clock: 'ok' })
  isRight = false
  expect(await readiness()).toEqual({ database: 'ok', mail: 'ok', payment: 'ok', clock: 'wrong' })
})
