import { createHmac } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Hono } from 'hono'
import type pg from 'pg'
import type { GoogleClient } from '../../features/accounts/google-gateway.server.ts'
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
  /** Pages below /demo, each app with paths of its own. */
  readonly pages: readonly Hono[]
  /** Answers everything below /demo/google; null when Google is real. */
  readonly googleListener: RequestListener | null
  /** Once the shop listens: events are delivered from now on. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Fills in for what the environment does not name. readEnv has made sure that this happens on loopback only. */
export async function startEmulators(options: {
  env: Env
  log: Log
  clock: Clock
  pool: pg.Pool
  secret: string
}): Promise<Emulators> {
  const { env, log, clock, pool, secret } = options
  const names: ('payment' | 'mail' | 'google')[] = []
  const pages: Hono[] = []
  const starters: (() => Promise<void>)[] = []
  const closers: (() => Promise<void>)[] = []
  const publicBase = `${env.appUrl}/demo`
  const derive = (purpose: string) => createHmac('sha256', secret).update(`stand-in ${purpose}`).digest('hex')

  let payment: PaymentSettings
  if (env.stripe === null) {
    names.push('payment')
    payment = {
      secretKey: `sk_test_${derive('key').slice(0, 32)}`,
      webhookSecret: `whsec_${derive('webhook').slice(0, 32)}`,
      apiBase: undefined,
      appUrl: env.appUrl,
    }
    const gateway = createGateway({
      pool,
      clock,
      log,
      publicBase,
      webhookUrl: `${env.appUrl}${WEBHOOK_PATH}`,
      webhookSecret: payment.webhookSecret,
      secretKey: payment.secretKey,
      merchant: env.brandName,
    })
    const api = await listenForApi(gateway.api)
    payment = { ...payment, apiBase: `http://${api.host}:${api.port}` }
    pages.push(gateway.pages)
    starters.push(() => gateway.start())
    closers.push(
      () => api.close(),
      () => gateway.stop(),
    )
  } else payment = { ...env.stripe, appUrl: env.appUrl }

  let mail = env.mail
  if (mail === null) {
    names.push('mail')
    const outbox = await createOutbox({ pool, clock, log })
    mail = { smtpUrl: outbox.smtpUrl, from: `${env.brandName} <hello@altocert.example>` }
    pages.push(outbox.pages)
    closers.push(() => outbox.stop())
  }

  let google = env.google
  let googleListener: RequestListener | null = null
  if (google === null) {
    names.push('google')
    const provider = await createGoogle({
      pool,
      publicBase,
      clientId: 'altocert-demo',
      clientSecret: derive('google'),
      redirectUris: [`${env.appUrl}/api/auth/callback/google`],
      log,
    })
    google = { clientId: provider.clientId, clientSecret: provider.clientSecret, issuer: provider.issuer }
    googleListener = provider.listener
  }

  return {
    names,
    payment,
    mail,
    google,
    pages,
    googleListener,
    async start() {
      for (const starter of starters) await starter()
    },
    async close() {
      for (const closer of closers.toReversed()) await closer()
    },
  }
}
