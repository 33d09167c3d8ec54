import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock.server.ts'
import type { Log } from '../../platform/log.server.ts'
import { createGatewayApi, type ApiEnv } from './gateway-api.server.ts'
import { expireDue, settleDue } from './gateway-ledger.server.ts'
import { createDelivery } from './gateway-events.server.ts'
import { createGatewayPages } from './pages/gateway-pages.server.ts'
import { inTransaction, prepareEmulators } from '../emulator-storage.server.ts'

/** How long an event or a delayed payment of another process may lie before this one looks again. */
const LONGEST_PAUSE_MS = 2000
const SHORTEST_PAUSE_MS = 20

export type Gateway = {
  api: Hono<ApiEnv>
  pages: Hono
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * A payment gateway that speaks Stripe's wire form, for development, tests and the demo. Every payment is decided
 * once, every event is delivered until the shop accepts it, and any number of processes may share its database.
 */
export function createGateway(options: {
  pool: Pool
  clock: Clock
  webhookUrl: string
  webhookSecret: string
  secretKey: string
  /** Where the pages are mounted, such as `http://localhost:3000/demo`. */
  publicBase: string
  merchant?: string
  log: Pick<Log, 'info' | 'warn' | 'error'>
}): Gateway {
  const { pool, clock, log } = options
  const delivery = createDelivery(options)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStarted = false
  let isAskedAgain = false

  /** One round of what time brings: expiries, decided debits, due events. */
  async function round(): Promise<void> {
    await inTransaction(pool, async (tx) => {
      await expireDue({ tx, clock, cause: null })
      await settleDue({ tx, clock, cause: null })
    })
    await delivery.deliverDue()
  }

  function wake(): void {
    if (!isStarted) return
    if (running) {
      isAskedAgain = true
      return
    }
    clearTimeout(timer)
    running = round()
      .then(untilNext)
      .catch((error: unknown) => {
        log.error({ err: error }, 'test gateway: a round failed')
        return LONGEST_PAUSE_MS
      })
      .then((pauseMs) => {
        running = undefined
        if (!isStarted) return
        if (isAskedAgain) {
          isAskedAgain = false
          wake()
        } else {
          timer = setTimeout(wake, pauseMs)
          timer.unref()
        }
      })
  }

  async function untilNext(): Promise<number> {
    const { rows } = await pool.query<{ ms: number | null }>(
      `select extract(epoch from least(
         (select min(due_at) from demo.gateway_event where state = 'pending'),
         (select min(settle_at) from demo.gateway_session where settle_at is not null)
       ) - clock_timestamp())::float8 * 1000 as ms`,
    )
    return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, rows[0]?.ms ?? LONGEST_PAUSE_MS))
  }

  return {
    api: createGatewayApi({
      pool,
      clock,
      secretKey: options.secretKey,
      payBase: `${options.publicBase}/pay`,
      log,
      changed: wake,
    }),
    pages: createGatewayPages({ pool, clock, merchant: options.merchant ?? 'Altocert', delivery, changed: wake }),
    start: async () => {
      await prepareEmulators(pool)
      isStarted = true
      wake()
    },
    stop: async () => {
      isStarted = false
      clearTimeout(timer)
      await delivery.stop()
      await running
    },
  }
}

/** Serves the API on a free loopback port of its own: the Stripe SDK knows a host and a port, but no path prefix. */
export async function listenForApi(api: Hono<ApiEnv>): Promise<{ host: string; port: number; close(): Promise<void> }> {
  const server: Server = createServer(
    getRequestListener((request, env) => api.fetch(request, env as ApiEnv['Bindings'])),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    host: '127.0.0.1',
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
