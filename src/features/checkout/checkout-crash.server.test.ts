import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { PREPARED } from '../../db/open.server.ts'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse } from '../../../tests/support/build-course.ts'
import { anOrderToPay, eventOf, payByCard, shopOf, type OrderToPay } from '../../../tests/support/place-order.ts'
import type { Command, KillPoint, KilledShop, KilledShopMessage } from './killed-fulfilment.fixture.ts'
import { reconcileOrders } from './payment/payment-commands.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { database, emulators } = app.services
const { db, pool } = database
const [one, other] = [await aCourse(db), await aCourse(db)]
await app.visitor().post('/demo/gateway/switches', { delivery: 'never' })

const program = await bundled('src/features/checkout/killed-fulfilment.fixture.ts')

/** Bundled into one file, which starts three times as fast. It is stored where packages can be resolved. */
async function bundled(entry: string): Promise<string> {
  const cache = join('node_modules', '.cache')
  await mkdir(cache, { recursive: true })
  const outDir = await mkdtemp(join(cache, 'altocert-killed-'))
  afterAll(() => rm(outDir, { recursive: true, force: true }))
  const output = { entryFileNames: 'program.mjs' }
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: entry, outDir, emptyOutDir: false, target: 'node20', rolldownOptions: { output } },
  })
  return join(outDir, 'program.mjs')
}

type Process = {
  readonly name: string
  /** The statements that the process sent, or null when it was killed. */
  fulfil(command: Command): Promise<readonly string[] | null>
}

let started = 0

/** Starts another process of the shop on the same database, ready to receive a payment event. */
async function aProcess(): Promise<Process> {
  started += 1
  const name = `killed-${started}`
  const url = new URL(database.url)
  url.searchParams.set('application_name', name)
  const shop: KilledShop = { databaseUrl: url.href, payment: { ...emulators.payment, appUrl: app.url } }
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SHOP: JSON.stringify(shop) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await hear(child)
  return {
    name,
    async fulfil(order) {
      child.send(order)
      const said = await hear(child)
      if (said === null) return null
      child.kill('SIGKILL')
      return 'statements' in said ? said.statements : []
    },
  }
}

/** The next message of the process; null when it was killed before. */
async function hear(child: ChildProcess): Promise<KilledShopMessage | null> {
  const over = new AbortController()
  const { signal } = over
  const words = once(child, 'message', { signal }).then(([said]: KilledShopMessage[]) => said ?? null)
  const end = once(child, 'exit', { signal }).then(([code, name]) => {
    if (name !== 'SIGKILL') throw new Error(`the process ended by itself: ${code}`)
    return null
  })
  const first = await Promise.race([words, end])
  over.abort()
  await Promise.allSettled([words, end])
  return first
}

/** Waits until the database has rolled back the killed process's transaction. */
async function untilForgotten({ name }: Process): Promise<void> {
  const countOpen = async () =>
    (await pool.query('select from pg_stat_activity where application_name = $1', [name])).rows.length
  await expect.poll(countOpen, { interval: 5, timeout: 60_000 }).toBe(0)
}

const nothing = { state: 'pending', moves: 1, periods: 0, seats: 0, receipts: 0 }
const everything = { state: 'paid', moves: 2, periods: 2, seats: 2, receipts: 1 }

/** All effects of one order. */
async function outcomeOf({ orderId, buyer }: OrderToPay) {
  const { rows } = await pool.query<typeof everything & { events: number }>(
    `select state,
       (select count(*)::int from order_moves where order_id = orders.id) as moves,
       (select count(*)::int from access_periods where user_id = orders.user_id and revoked_at is null) as periods,
       (select count(*)::int from seats join order_lines on order_lines.id = order_line_id where order_id = orders.id) as seats,
       (select count(*)::int from jobs.job where name = 'mail' and data->>'to' = $2 and data->>'subject' like '%receipt') as receipts,
       (select count(*)::int from gateway_events where order_id = orders.id) as events
     from orders where id = $1`,
    [orderId, buyer.email],
  )
  return rows[0]
}

/** An order that has a payment issue is fulfilled by a transaction of many statements, the usual one by one statement. */
const fulfilments = [
  { which: 'a usual fulfilment', issue: null, fewest: 2, begins: 0, last: PREPARED },
  {
    which: 'a fulfilment that resolves a payment issue',
    issue: 'paid and not handed over',
    fewest: 10,
    begins: 1,
    last: 'commit',
  },
] as const

test.each(fulfilments)(
  'a process killed at any statement of $which stores all or nothing, and the repair completes it once',
  { timeout: 300_000 },
  async ({ issue, fewest, begins, last }) => {
    const aPayment = async () => {
      const order = await anOrderToPay(app, [{ course: one, quantity: 3 }, { course: other }])
      const setIssue = 'update orders set payment_issue = $2, payment_issue_at = created_at where id = $1'
      if (issue !== null) await pool.query(setIssue, [order.orderId, issue])
      await payByCard(order)
      const event = await eventOf(app, { sessionId: order.sessionId, type: 'checkout.session.completed' })
      return { order, event, now: app.clock.now().toISOString() }
    }

    const alive = await aPayment()
    const statements = (await (await aProcess()).fulfil({ ...alive, killPoint: null })) ?? []
    expect(await outcomeOf(alive.order)).toEqual({ ...everything, events: 1 })
    expect(statements.length).toBeGreaterThanOrEqual(fewest)
    expect([statements.at(-1)?.startsWith(last), statements.filter((text) => text === 'begin').length]).toEqual([
      true,
      begins,
    ])

    // For a reading statement it makes no difference whether it was sent.
    const killPoints = statements.flatMap((text, index): KillPoint[] => [
      { statement: index + 1, when: 'before' },
      ...(/^\s*(begin|select)\b/i.test(text) ? [] : [{ statement: index + 1, when: 'after' } as const]),
    ])
    const outcomes: string[] = []
    let next = aProcess()
    for (const [index, killPoint] of killPoints.entries()) {
      const process = await next
      if (index + 1 < killPoints.length) next = aProcess()
      const { order, event, now } = await aPayment()
      const said = await process.fulfil({ event, now, killPoint })
      await untilForgotten(process)
      const left = await outcomeOf(order)
      const isAll = left?.state === 'paid'
      outcomes.push(isAll ? 'all' : 'nothing')
      const repair = await reconcileOrders(db, shopOf(app), { now: app.clock.now() })
      const corrected = await outcomeOf(order)
      // The gateway received no reply, so it sends the event again.
      const again = await app
        .visitor()
        .call('POST', '/api/webhooks/stripe', event.body, { 'stripe-signature': event.signature })

      const where = `killed ${killPoint.when} ${killPoint.statement}: ${statements[killPoint.statement - 1]}`
      expect({ where, said, left, repair, corrected, again: again.status, end: await outcomeOf(order) }).toEqual({
        where,
        said: null,
        left: isAll ? { ...everything, events: 1 } : { ...nothing, events: 0 },
        repair: { fulfilled: isAll ? 0 : 1, closed: 0, failed: 0 },
        corrected: { ...everything, events: isAll ? 1 : 0 },
        again: 200,
        end: { ...everything, events: 1 },
      })
    }
    // Only the last statement is decisive.
    expect(outcomes.slice(0, -1)).not.toContain('all')
  },
)
