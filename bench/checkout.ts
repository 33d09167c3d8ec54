import { createHmac, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { sql } from 'kysely'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase, type OpenDatabase } from '../src/db/open.server.ts'
import { sessionCookieValue } from '../src/features/accounts/sessions/session-cookie-queries.server.ts'
import { createAccount } from '../src/features/accounts/accounts-commands.server.ts'
import { openSession } from '../src/features/accounts/sessions/sessions-commands.server.ts'
import { signatureOf } from '../src/emulators/gateway/gateway-events.server.ts'
import { cpuOf, type BenchServer } from './server.ts'
import { figureRow, median, pairedRow, type Row } from './table.ts'

const BUYERS = 50
const COURSES = 5
const ROUNDS = 7
/** A turn follows all fulfilments of a round, so that a busy machine slows both. */
const BARE_TURN = 1000
const WHOLE_CHECKOUTS = 20
/** The size of the server's connection pool. */
const CONNECTIONS = 16
/** The writes of one fulfilment: its event twice, its order twice, a move, an access period and an email. */
const ROWS_INSERTED = 4
const ROWS_UPDATED = 3

type Pair = {
  readonly perSecond: number
  readonly waitsMs: readonly number[]
  readonly bare: number
  readonly serverMs: number
  readonly databaseMs: number
  /** The CPU of a bare transaction: client and database. */
  readonly bareMs: number
  /** The CPU of the bench itself for a fulfilment: it shares the machine with the server. */
  readonly loadMs: number
}

type Buyer = { readonly id: string; readonly cookie: string }
type Item = { readonly id: string; readonly quantity: number; readonly price: number }

/**
 * The time from a signed payment event to open access, with 50 buyers at once, compared with bare transactions of as many row
 * writes on the same database, alternating; and a whole checkout by the API, without the hosted page.
 */
export async function benchCheckout(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: CONNECTIONS })
  try {
    const secret = (await readFile(join(server.dataDir, 'auth-secret'), 'utf8')).trim()
    const shop = visit(server.url)
    const items = await listItems(database)
    const buyers = await makeBuyers(database, secret)
    await database.pool.query('create table if not exists bench_rows (id uuid primary key, number int, text text)')
    await shop('/demo/gateway/switches', { delivery: 'never' })

    const pairs: Pair[] = []
    // The first round warms up and does not count.
    for (let round = 0; round <= ROUNDS; round += 1) {
      // Count before anyone pays: the shop's repair job may fulfil an order before its event.
      const opened = await countOpened(database)
      const events = await paidEvents(database, shop, buyers, items)
      const before = await cpuOf(server.pid)
      const done = await fulfil(server.url, webhookSecret(secret), events)
      const after = await cpuOf(server.pid)
      const bare = await bareTransactions(database, BARE_TURN)
      const last = await cpuOf(server.pid)
      const isOpen = (await countOpened(database)) - opened
      if (isOpen !== events.length) throw new Error(`${events.length} events opened ${isOpen} courses`)
      if (round === 0) continue
      const each = (later: number, earlier: number) => (later - earlier) / events.length
      pairs.push({
        ...done,
        bare,
        serverMs: each(after.serverMs, before.serverMs),
        databaseMs: each(after.databaseMs, before.databaseMs),
        loadMs: each(after.loadMs, before.loadMs),
        bareMs: (last.loadMs - after.loadMs + last.databaseMs - after.databaseMs) / BARE_TURN,
      })
    }
    await database.pool.query('drop table bench_rows')
    const whole = await wholeCheckouts(shop, buyers[0]!, items[0]!)
    await shop('/demo/gateway/switches', { delivery: 'normal' })

    const sorted = pairs.flatMap(({ waitsMs }) => waitsMs).toSorted((a, b) => a - b)
    const of = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0)
    const cpu = (figure: (pair: Pair) => number) => median(pairs.map(figure)).toFixed(1)
    return [
      pairedRow(
        `fulfilments, ${BUYERS} buyers, against bare transactions of ${ROWS_INSERTED + ROWS_UPDATED} row writes`,
        pairs.map(({ perSecond, bare }) => ({ ours: perSecond, machine: bare })),
        0.2,
        '/s',
      ),
      figureRow(`event to open access, ${BUYERS} at once: median / p99`, `${of(0.5)} ms / ${of(0.99)} ms`),
      figureRow(
        'CPU of a fulfilment: server with its test gateway / database / load; of a bare transaction',
        `${cpu(({ serverMs }) => serverMs)} ms / ${cpu(({ databaseMs }) => databaseMs)} ms / ${cpu(({ loadMs }) => loadMs)} ms; ${cpu(({ bareMs }) => bareMs)} ms`,
      ),
      figureRow(
        `a whole checkout without the hosted page (median of ${WHOLE_CHECKOUTS})`,
        `${whole.calls} calls, ${whole.milliseconds.toFixed(0)} ms`,
      ),
    ]
  } finally {
    await database.close()
    await embedded.stop()
  }
}

/** The test gateway derives its signing key from the installation's secret. */
function webhookSecret(secret: string): string {
  return `whsec_${createHmac('sha256', secret).update('stand-in webhook').digest('hex').slice(0, 32)}`
}

async function listItems({ db }: OpenDatabase): Promise<Item[]> {
  const rows = await db
    .selectFrom('courses')
    .where('status', '=', 'published')
    .where(sql<boolean>`price > 0`)
    .orderBy('id')
    .limit(COURSES)
    .select(['id', 'price'])
    .execute()
  if (rows.length < COURSES) throw new Error(`the catalogue has fewer than ${COURSES} courses`)
  return rows.map(({ id, price }) => ({ id, quantity: 1, price: Number(price) }))
}

async function makeBuyers({ db }: OpenDatabase, secret: string): Promise<Buyer[]> {
  const buyers: Buyer[] = []
  for (let number = 0; number < BUYERS; number += 1) {
    const email = `buyer-${randomUUID()}@example.com`
    const id = await createAccount(db, { name: 'Buyer', email, passwordHash: '', isVerified: true })
    const token = await openSession(db, {
      userId: id,
      now: new Date(),
      networkAddress: '127.0.0.1',
      userAgent: 'bench',
    })
    buyers.push({ id, cookie: `altocert.session_token=${encodeURIComponent(sessionCookieValue(token, secret))}` })
  }
  return buyers
}

type Visit = (path: string, body: object, buyer?: Buyer) => Promise<unknown>

const visit =
  (url: string): Visit =>
  async (path, body, buyer) => {
    const reply = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        origin: url,
        'content-type': 'application/json',
        ...(buyer === undefined ? {} : { cookie: buyer.cookie }),
      },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return reply.json()
  }

async function checkOut(shop: Visit, buyer: Buyer, item: Item): Promise<string> {
  const { url } = (await shop('/api/functions/create-cart-payment', { cartItems: [item] }, buyer)) as { url: string }
  return url
}

async function pay(url: string): Promise<void> {
  const card = { card_number: '4242 4242 4242 4242', expiry: '12/39', cvc: '123', name: 'Buyer' }
  const body = new URLSearchParams({ method: 'card', ...card })
  const reply = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  if (reply.status !== 303) throw new Error(`the payment was not taken: ${reply.status}`)
}

/** Every buyer pays for every course. Returns the events, undelivered and grouped by buyer. */
async function paidEvents(
  { pool }: OpenDatabase,
  shop: Visit,
  buyers: readonly Buyer[],
  items: readonly Item[],
): Promise<string[]> {
  const sessions = new Set<string>()
  await Promise.all(
    buyers.map(async (buyer) => {
      for (const item of items) {
        const url = await checkOut(shop, buyer, item)
        await pay(url)
        sessions.add(url.split('/').at(-1) ?? '')
      }
    }),
  )
  const { rows } = await pool.query<{ body: string }>(
    "select body from demo.gateway_event where type = 'checkout.session.completed' and session_id = any($1)",
    [[...sessions]],
  )
  if (rows.length !== buyers.length * items.length)
    throw new Error(`${rows.length} events of ${sessions.size} sessions`)
  return rows.map(({ body }) => body)
}

async function countOpened({ pool }: OpenDatabase): Promise<number> {
  return (await pool.query<{ count: number }>('select count(*)::int from access_periods')).rows[0]?.count ?? 0
}

/** Delivers signed events, equally many on each of 50 connections. Signing them is the gateway's work. */
async function fulfil(url: string, secret: string, events: readonly string[]) {
  const requests = events.map((body) => ({
    method: 'POST' as const,
    path: '/api/webhooks/stripe',
    headers: { 'content-type': 'application/json', 'stripe-signature': signatureOf(body, secret, new Date()) },
    body,
  }))
  const each = events.length / BUYERS
  const waitsMs: number[] = []
  let next = 0
  let endedAt = 0
  const startedAt = performance.now()
  await new Promise<void>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        connections: BUYERS,
        amount: events.length,
        // How often it looks whether it is done.
        sampleInt: 20,
        setupClient: (client) => client.setRequests(requests.slice(next, (next += each))),
      },
      (error, result) => {
        if (error !== null) reject(error as Error)
        else if (result['2xx'] === events.length) resolve()
        else reject(new Error(`${result['2xx']} of ${events.length} events were taken`))
      },
    )
    run.on('response', (_client, _status, _bytes, waitMs) => {
      waitsMs.push(waitMs)
      endedAt = performance.now()
    })
  })
  return { perSecond: events.length / ((endedAt - startedAt) / 1000), waitsMs }
}

/** The machine's limit: the same number of row writes in transactions of the same size, without a gateway, reads or rules. */
async function bareTransactions({ pool }: OpenDatabase, count: number): Promise<number> {
  let left = count
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = await pool.connect()
      try {
        while (left > 0) {
          left -= 1
          const ids = Array.from({ length: ROWS_INSERTED }, () => randomUUID())
          await client.query('begin')
          for (const id of ids) await client.query('insert into bench_rows values ($1, $2, $3)', [id, 1, 'written'])
          for (const id of ids.slice(0, ROWS_UPDATED))
            await client.query('update bench_rows set number = $2 where id = $1', [id, 2])
          await client.query('commit')
        }
      } finally {
        client.release()
      }
    }),
  )
  return count / ((performance.now() - startedAt) / 1000)
}

/** The API calls of a checkout, from the Checkout button to the reply for the success page, without the hosted page. */
async function wholeCheckouts(shop: Visit, buyer: Buyer, item: Item) {
  const times: number[] = []
  let calls = 0
  const counted: Visit = (...request) => {
    calls += 1
    return shop(...request)
  }
  for (let round = 0; round < WHOLE_CHECKOUTS; round += 1) {
    const startedAt = performance.now()
    const url = await checkOut(counted, buyer, item)
    const redirectedAt = performance.now()
    await pay(url)
    const returnedAt = performance.now()
    const sessionId = url.split('/').at(-1)
    const result = (await counted('/api/functions/verify-payment', { sessionId }, buyer)) as { success: boolean }
    if (!result.success) throw new Error('a paid session was not verified')
    times.push(performance.now() - returnedAt + (redirectedAt - startedAt))
  }
  return { calls: calls / WHOLE_CHECKOUTS, milliseconds: median(times) }
}
