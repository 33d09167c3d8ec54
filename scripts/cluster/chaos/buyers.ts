import { sql } from 'kysely'
import type { Db } from '../../../src/db/open.server.ts'
import type { Buyer, People } from './make-people.ts'
import { pause, successOf, type Requests } from './requests.ts'

/** How many of them are in the shop at once. */
const AT_ONCE = 3
const TRY_AGAIN_MS = 500
const PAUSE_MS = 800
const SETTLE_MS = 60_000

export type Buyers = {
  /** Purchases whose success page said that access is open. */
  confirmed(): number
  run(isOver: () => boolean): Promise<void>
  findFaults(db: Db): Promise<{ lost: string[]; twice: string[]; paid: number }>
}

/** Each buys one course: checkout, the emulated payment page, the success page. A step that fails is tried again. */
export function createBuyers({ buyers, prober, course }: People, requests: Requests): Buyers {
  const cartItems = [{ id: course.id, quantity: 1, price: course.price }]
  const confirmed = new Map<string, string>()
  const waiting = [...buyers]
  const untilDone = async <Result>(isOver: () => boolean, step: () => Promise<Result | null>) => {
    while (!isOver()) {
      const result = await step()
      if (result !== null) return result
      await pause(TRY_AGAIN_MS)
    }
    return null
  }

  async function buy({ id, cookie }: Buyer, isOver: () => boolean) {
    const post = async <Body>(path: string, body: object) =>
      successOf<Body>(await requests.send('POST', path, { cookie, body }))
    const checkout = await untilDone(isOver, () =>
      post<{ url: string }>('/api/functions/create-cart-payment', { cartItems }),
    )
    if (checkout === null) return
    const { pathname } = new URL(checkout.url)
    const sessionId = pathname.split('/').at(-1)!
    const card = { method: 'card', card_number: '4242 4242 4242 4242', expiry: '12/39', cvc: '123', name: 'Buyer' }
    await untilDone(isOver, async () => {
      const reply = await requests.send('POST', pathname, { form: card })
      // A second try finds the payment done, and is sent on or told so.
      return reply !== null && reply.status < 500 ? reply : null
    })
    const isOpen = await untilDone(isOver, async () => {
      const result = await post<{ success: boolean }>('/api/functions/verify-payment', { sessionId })
      return result?.success === true ? true : null
    })
    if (isOpen !== null) confirmed.set(sessionId, id)
  }

  return {
    confirmed: () => confirmed.size,
    async run(isOver) {
      const one = async () => {
        for (let buyer = waiting.pop(); buyer !== undefined && !isOver(); buyer = waiting.pop()) {
          await buy(buyer, isOver)
          await pause(PAUSE_MS)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, one))
    },
    async findFaults(db) {
      const end = performance.now() + SETTLE_MS
      // Payments that nobody came back from are fulfilled by their event.
      while ((await listUnfulfilled(db)).length > 0 && performance.now() < end) await pause(TRY_AGAIN_MS)
      const unfulfilled = (await listUnfulfilled(db)).map((id) => `${id}: paid, not fulfilled`)
      const open = await listOpen(db)
      const missing = [...confirmed.keys()].filter((id) => !open.includes(id)).map((id) => `${id}: confirmed, gone`)
      return { lost: [...unfulfilled, ...missing], twice: await listTwice(db, prober.buyer.id), paid: open.length }
    },
  }
}

/** Sessions that the gateway took money for, without an order that is paid and open. */
async function listUnfulfilled(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select session.id from demo.gateway_session session
    where session.status = 'complete' and session.payment_intent is not null and not exists (
      select from orders join order_lines line on line.order_id = orders.id
        join access_periods period on period.order_line_id = line.id
      where orders.gateway_session_id = session.id and orders.state = 'paid')`.execute(db)
  return rows.map(({ id }) => id)
}

async function listOpen(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select orders.gateway_session_id as id from orders join order_lines line on line.order_id = orders.id
      join access_periods period on period.order_line_id = line.id
    where orders.state = 'paid'`.execute(db)
  return rows.map(({ id }) => id)
}

/** Lines with two periods of access, and buyers who paid twice for their one purchase; only the prober buys again and again. */
async function listTwice(db: Db, prober: string): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'line ' || order_line_id as what from access_periods where order_line_id is not null
      group by order_line_id having count(*) > 1
    union all
    select 'buyer ' || user_id from orders where state = 'paid' and user_id <> ${prober} group by user_id having count(*) > 1`.execute(
    db,
  )
  return rows.map(({ what }) => what)
}
