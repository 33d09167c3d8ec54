import { createHmac } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Hono } from 'hono'
import type pg from 'pg'
import type { GoogleClient } from '../../features/accounts/google/google-gateway.server.ts'
import type { PaymentSettings } from '../../features/checkout/payment/stripe-gateway.server.ts'
import type { Clock } from '../../platform/clock.server.ts'
import type { Env } from '../../platform/env.server.ts'
import type { Log } from '../../platform/log.server.ts'
import { createGateway, listenForApi } from '../../emulators/gateway/gateway-emulator.server.ts'
import { createGoogle } from '../../emulators/google/google-emulator.server.ts'
import { createOutbox } from '../../emulators/outbox.server.ts'

export const WEBHOOK_PATH = '/api/webhooks/stripe'

export type Emulators = {
  readonly names: readonly ('payment' | 'mail' | 'google')[]
  readonly payment: PaymentSettings
  readonly mail: { readonly smtpUrl: string; readonly from: string }
  readonly google: GoogleClient
  /** Pages below /demo. */
  readonly pages: readonly Hono[]
  /** Handles everything below /demo/google; null without the Google emulator. */
  readonly googleListener: RequestListener | null
  /** Begins to deliver webhooks. Call it once the server listens. */
  start(): Promise<void>
  close(): Promise<void>
}

type EmulatorOptions = {
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  readonly pool: pg.Pool
  readonly secret: string
}

type Running = {
  readonly names: ('payment' | 'mail' | 'google')[]
  readonly pages: Hono[]
  readonly starters: (() => Promise<void>)[]
  readonly closers: (() => Promise<void>)[]
}

/** Emulates each third party without settings in the environment. `readEnv` allows that on loopback only. */
export async function startEmulators(options: EmulatorOptions): Promise<Emulators> {
  const { env } = options
  const running: Running = { names: [], pages: [], starters: [], closers: [] }
  const payment = env.stripe === null ? await emulatePayment(options, running) : { ...env.stripe, appUrl: env.appUrl }
  const mail = env.mail ?? (await emulateMail(options, running))
  const google = env.google === null ? await emulateGoogle(options, running) : { client: env.google, listener: null }
  return {
    names: running.names,
    payment,
    mail,
    google: google.client,
    pages: running.pages,
    googleListener: google.listener,
    async start() {
      for (const starter of running.starters) await starter()
    },
    async close() {
      for (const closer of running.closers.toReversed()) await closer()
    },
  }
}

async function emulatePayment({ env, log, clock, pool, secret }: EmulatorOptions, running: Running) {
  running.names.push('payment')
  const secretKey = `sk_test_${derive(secret, 'key').slice(0, 32)}`
  const webhookSecret = `whsec_${derive(secret, 'webhook').slice(0, 32)}`
  const gateway = createGateway({
    pool,
    clock,
    log,
    publicBase: `${env.appUrl}/demo`,
    webhookUrl: `${env.appUrl}${WEBHOOK_PATH}`,
    webhookSecret,
    secretKey,
    merchant: env.brandName,
  })
  const api = await listenForApi(gateway.api)
  running.pages.push(gateway.pages)
  running.starters.push(() => gateway.start())
  running.closers.push(
    () => api.close(),
    () => gateway.stop(),
  )
  return { secretKey, webhookSecret, apiBase: `http://${api.host}:${api.port}`, appUrl: env.appUrl }
}

async function emulateMail({ env, log, clock, pool }: EmulatorOptions, running: Running) {
  running.names.push('mail')
  const outbox = await createOutbox({ pool, clock, log })
  running.pages.push(outbox.pages)
  running.closers.push(() => outbox.stop())
  return { smtpUrl: outbox.smtpUrl, from: `${env.brandName} <hello@altocert.example>` }
}

async function emulateGoogle({ env, log, pool, secret }: EmulatorOptions, running: Running) {
  running.names.push('google')
  const { clientId, clientSecret, issuer, listener } = await createGoogle({
    pool,
    publicBase: `${env.appUrl}/demo`,
    clientId: 'altocert-demo',
    clientSecret: derive(secret, 'google'),
    redirectUris: [`${env.appUrl}/api/auth/callback/google`],
    log,
  })
  return { client: { clientId, clientSecret, issuer }, listener }
}

/** A secret of an emulator, the same at each start. */
function derive(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(`stand-in ${purpose}`).digest('hex')
}
