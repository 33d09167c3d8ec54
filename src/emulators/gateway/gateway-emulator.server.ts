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

/** The longest pause between rounds; another process may have stored an event or a delayed payment meanwhile. */
const MAX_PAUSE_MS = 2000
const MIN_PAUSE_MS = 20

type Gateway = {
  api: Hono<ApiEnv>
  pages: Hono
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * An emulator of Stripe for development, tests and the demo. It decides each payment once, and retries each event until the
 * shop accepts it. Any number of processes may share its database.
 */
export function createGateway(options: {
  pool: Pool
  clock: Clock
  webhookUrl: string
  webhookSecret: string
  secretKey: string
  /** The address at which the pages are mounted, such as `http://localhost:3000/demo`. */
  publicBase: string
  merchant?: string
  log: Pick<Log, 'info' | 'warn' | 'error'>
}): Gateway {
  const { pool, clock, log } = options
  const delivery = createDelivery(options)
  const rounds = createRounds(async () => {
    await inTransaction(pool, async (tx) => {
      await expireDue({ tx, clock, cause: null })
      await settleDue({ tx, clock, cause: null })
    })
    await delivery.deliverDue()
    return msUntilDue(pool)
  }, log)
  return {
    api: createGatewayApi({
      pool,
      clock,
      secretKey: options.secretKey,
      payBase: `${options.publicBase}/pay`,
      log,
      onChange: rounds.wake,
    }),
    pages: createGatewayPages({
      pool,
      clock,
      merchant: options.merchant ?? 'Altocert',
      delivery,
      onChange: rounds.wake,
    }),
    start: async () => {
      await prepareEmulators(pool)
      rounds.start()
    },
    stop: async () => {
      await Promise.all([rounds.stop(), delivery.stop()])
    },
  }
}

/** Repeats a round of due work, which returns the pause until the next one. `wake` starts it at once. */
function createRounds(round: () => Promise<number>, log: Pick<Log, 'error'>) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStarted = false
  let isWakeRequested = false

  function wake(): void {
    if (!isStarted) return
    if (running) {
      isWakeRequested = true
      return
    }
    clearTimeout(timer)
    running = round()
      .catch((error: unknown) => {
        log.error({ err: error }, 'test gateway: a round failed')
        return MAX_PAUSE_MS
      })
      .then((pauseMs) => {
        running = undefined
        if (!isStarted) return
        if (isWakeRequested) {
          isWakeRequested = false
          wake()
        } else {
          timer = setTimeout(wake, pauseMs)
          timer.unref()
        }
      })
  }

  return {
    wake,
    start() {
      isStarted = true
      wake()
    },
    async stop() {
      isStarted = false
      clearTimeout(timer)
      await running
    },
  }
}

/** The time until the next event or delayed payment is due, within bounds. */
async function msUntilDue(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select extract(epoch from least(
       (select min(due_at) from demo.gateway_event where state = 'pending'),
       (select min(settle_at) from demo.gateway_session where settle_at is not null)
     ) - clock_timestamp())::float8 * 1000 as ms`,
  )
  return Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, rows[0]?.ms ?? MAX_PAUSE_MS))
}

/** Serves the API on a free loopback port of its own, because the Stripe SDK accepts a host and a port, but no path prefix. */
export async function listenForApi(api: Hono<ApiEnv>): Promise<{ host: string; port: number; close(): Promise<void> }> {
  const server: Server = createServer(
    getRequestListener((request, env) => api.fetch(request, env as ApiEnv['Bindings'])),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // Exclusive: the workers of a cluster would share the port otherwise.
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve)
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
