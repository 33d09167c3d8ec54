import { selecting } from '../../../tests/support/answers.ts'
import type { People } from './make-people.ts'
import { pause, successOf, type Requests } from './requests.ts'
import type { Takers } from './takers.ts'

/** All is well so long after a fault has ended, without a hand. */
export const WELL_SECONDS = 30
/** Longer than the bound, to tell late from never. */
const LIMIT_MS = 120_000
const TRY_AGAIN_MS = 250
const CARD = { method: 'card', card_number: '4242 4242 4242 4242', expiry: '12/39', cvc: '123', name: 'Prober' }

/** Seconds from the end of a fault until the first page, save and purchase were right again, and until all were at once. */
export type Wellness = {
  readonly page: number
  readonly save: number
  readonly purchase: number
  readonly all: number
  /** What was not well after the longest wait. */
  readonly failing: string | null
}

export type Prober = {
  /** Tries from now on; `since` is when the fault ended. */
  untilWell(since: number): Promise<Wellness>
}

/** Tries as a guest, a learner and a buyer whether the shop does what it should. `url` may be one process instead of all by their front. */
export function createProber(
  { prober: { taker, buyer }, course }: People,
  { requests, takers, clock }: { requests: Requests; takers: Pick<Takers, 'countWaiting'>; clock: { seq: number } },
): Prober {
  async function page() {
    clock.seq += 1
    // An address that no cache knows, so that the shop renders it.
    const reply = await requests.send('GET', `/course/${course.slug}?well=${clock.seq}`)
    return reply?.status === 200 && !reply.text.includes('Our database does not answer right now')
  }
  async function save() {
    clock.seq += 1
    const { id, options } = taker.questions[clock.seq % taker.questions.length]!
    const body = { answer: selecting(options[0]!.id), seq: clock.seq, writer: taker.writer }
    const path = `/api/attempts/${taker.attemptId}/answers/${id}`
    return successOf(await requests.send('PUT', path, { cookie: taker.cookie, body })) !== null
  }
  async function purchase() {
    const post = async <Body>(path: string, body: object) =>
      successOf<Body>(await requests.send('POST', path, { cookie: buyer.cookie, body }))
    const cartItems = [{ id: course.id, quantity: 1, price: course.price }]
    const checkout = await post<{ url: string }>('/api/functions/create-cart-payment', { cartItems })
    if (checkout === null) return false
    const { pathname, searchParams } = new URL(checkout.url)
    // A payment whose reply was lost is shown instead of a second one.
    const sessionId = searchParams.get('session_id') ?? pathname.split('/').at(-1)!
    if (!searchParams.has('session_id')) {
      const paid = await requests.send('POST', pathname, { form: CARD })
      if (paid === null || paid.status >= 400) return false
    }
    const result = await post<{ success: boolean }>('/api/functions/verify-payment', { sessionId })
    return result?.success === true
  }

  return {
    async untilWell(since) {
      const seconds = () => (performance.now() - since) / 1000
      const until = async (isRight: () => Promise<boolean>) => {
        while (performance.now() - since < LIMIT_MS) {
          if (await isRight()) break
          await pause(TRY_AGAIN_MS)
        }
        return seconds()
      }
      const first = await Promise.all([until(page), until(save), until(purchase)])
      const findFailing = async () => {
        if (!(await page())) return 'a page'
        if (!(await save())) return 'saving an answer'
        if (!(await purchase())) return 'a purchase'
        const waiting = takers.countWaiting(since)
        return waiting === 0 ? null : `${waiting} takers have not saved yet`
      }
      let failing = await findFailing()
      while (failing !== null && performance.now() - since < LIMIT_MS) {
        await pause(TRY_AGAIN_MS)
        failing = await findFailing()
      }
      return { page: first[0], save: first[1], purchase: first[2], all: seconds(), failing }
    },
  }
}

export function isWell({ all, failing }: Wellness): boolean {
  return failing === null && all <= WELL_SECONDS
}

export function describeWellness({ page, save, purchase, all, failing }: Wellness): string {
  const after = (time: number) => time.toFixed(1)
  return `page ${after(page)}, save ${after(save)}, purchase ${after(purchase)}, all ${after(all)} s after it${failing === null ? '' : `, still not: ${failing}`}`
}
