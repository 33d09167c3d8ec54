// A process of the shop that hears of one payment and is killed at a statement: run by crash.server.test.ts.
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { pino } from 'pino'
import { openDatabase } from '../../db/open.server.ts'
import type { Tables } from '../../db/tables.server.ts'
import { createJobs } from '../../platform/jobs.server.ts'
import { createPaymentGateway, type PaymentSettings } from './payment/stripe-gateway.server.ts'
import { handleEvent } from './payment/payment-commands.server.ts'

/** What the process is started with, as JSON in SHOP. */
export type KilledShop = { readonly databaseUrl: string; readonly payment: PaymentSettings }

/** `when` says whether the deadly statement was still sent; null: the process lives. */
export type Order = {
  readonly event: { readonly body: string; readonly signature: string }
  readonly now: string
  readonly killPoint: KillPoint | null
}
export type KillPoint = { readonly statement: number; readonly when: 'before' | 'after' }

/** What the process says: that it is ready for its order, and which statements it sent when it lives. */
export type KilledShopMessage = { readonly ready: true } | { readonly statements: readonly string[] }

const shop = JSON.parse(process.env['SHOP'] ?? '') as KilledShop
const log = pino({ level: 'silent' })
const { pool } = openDatabase(shop.databaseUrl)
const jobs = await createJobs(pool, log)
const gateway = createPaymentGateway(shop.payment)
await Promise.all([gateway.isUp(), pool.query('select 1')])

process.once('message', (message) => void obey(message as Order))
say({ ready: true })

async function obey({ event, now, killPoint }: Order) {
  const statements: string[] = []
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect()
    const query = (text: string, values: readonly unknown[]) => {
      statements.push(text)
      const isDeadly = statements.length === killPoint?.statement
      if (isDeadly && killPoint?.when === 'before') die()
      const answer = client.query(text, [...values])
      // The statement has left by then; its answer has not come.
      if (isDeadly) setImmediate(die)
      return answer
    }
    return { query, release: () => client.release() } as unknown as PostgresPoolClient
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } }) })
  const mail = {
    send: (email: object, tx?: typeof db) => jobs.send('mail', email, tx),
    isUp: async () => true,
    listStored: async () => [],
    forget: async () => {},
    close() {},
  }
  const heard = gateway.readEvent(event.body, event.signature, new Date(now))
  await handleEvent(db, { gateway, mail, log, brand: 'Altocert', appUrl: shop.payment.appUrl }, heard, new Date(now))
  say({ statements })
}

function die() {
  process.kill(process.pid, 'SIGKILL')
}

function say(words: KilledShopMessage) {
  process.send?.(words)
}
