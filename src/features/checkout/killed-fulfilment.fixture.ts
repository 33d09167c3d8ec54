// A process of the shop that receives one payment event and is killed at a statement. checkout-crash.server.test.ts runs it.
import { Kysely, PostgresDialect, type PostgresPoolClient, type RawBuilder } from 'kysely'
import { pino } from 'pino'
import { openDatabase } from '../../db/open.server.ts'
import type { Tables } from '../../db/tables.server.ts'
import { createJobs } from '../../platform/jobs.server.ts'
import { createPaymentGateway, type PaymentSettings } from './payment/stripe-gateway.server.ts'
import { handleEvent } from './payment/payment-commands.server.ts'

/** The settings of the process, as JSON in the environment variable SHOP. */
export type KilledShop = { readonly databaseUrl: string; readonly payment: PaymentSettings }

/** `when`: whether the process is killed before or after it sends the statement. A null kill point lets it live. */
export type Command = {
  readonly event: { readonly body: string; readonly signature: string }
  readonly now: string
  readonly killPoint: KillPoint | null
}
export type KillPoint = { readonly statement: number; readonly when: 'before' | 'after' }

/** Messages of the process: ready for its command, and, if it lives, the statements that it sent. */
export type KilledShopMessage = { readonly ready: true } | { readonly statements: readonly string[] }

const shop = JSON.parse(process.env['SHOP'] ?? '') as KilledShop
const log = pino({ level: 'silent' })
const { pool } = openDatabase(shop.databaseUrl)
const jobs = await createJobs(pool, log)
const gateway = createPaymentGateway(shop.payment)
await Promise.all([gateway.isUp(), pool.query('select 1')])

process.once('message', (message) => void run(message as Command))
report({ ready: true })

async function run({ event, now, killPoint }: Command) {
  const statements: string[] = []
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect()
    const query = (text: string, values: readonly unknown[]) => {
      statements.push(text)
      const isKillPoint = statements.length === killPoint?.statement
      if (isKillPoint && killPoint?.when === 'before') die()
      const reply = client.query(text, [...values])
      // By then the statement is sent and its reply has not arrived.
      if (isKillPoint) setImmediate(die)
      return reply
    }
    return { query, release: () => client.release() } as unknown as PostgresPoolClient
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } }) })
  const mail = {
    async send(email: object, tx?: typeof db) {
      await jobs.send('mail', email, tx)
      return true
    },
    insertionOf: (email: object, cause: RawBuilder<unknown>) => jobs.insertionOf('mail', email, cause),
    wake() {},
    isUp: async () => true,
    listStored: async () => [],
    follow: async () => {},
    forget: async () => {},
    close() {},
  }
  const received = gateway.readEvent(event.body, event.signature, new Date(now))
  await handleEvent(db, { gateway, mail, log, brand: 'Altocert', appUrl: shop.payment.appUrl }, received, new Date(now))
  report({ statements })
}

function die() {
  process.kill(process.pid, 'SIGKILL')
}

function report(message: KilledShopMessage) {
  process.send?.(message)
}
