import { setTimeout as wait } from 'node:timers/promises'
import { tryCheckout, tryPay, tryVerify } from './shop-buyers.ts'
import type { Caller } from './calls.ts'
import type { People } from './people.ts'
import type { Program } from './shop.ts'
import { trySave } from './shop-takers.ts'

const PAUSE_MS = 250

/**
 * Waits until the server is ready, serves a guest, saves an answer and sells a course, one after the other and without a failure in
 * between. Returns what still failed when `limitMs` were over, or null.
 */
export async function untilWell(
  people: People,
  { call, program, limitMs }: { call: Caller; program: Program; limitMs: number },
): Promise<string | null> {
  const deadline = performance.now() + limitMs
  for (;;) {
    const failing = await findFailing(people, call, program)
    if (failing === null || performance.now() > deadline) return failing
    await wait(PAUSE_MS)
  }
}

let seq = 0

/** What a guest looks at; without a build there are no pages. */
export function pageOf({ courseSlug }: People, program: Program): string {
  return program === 'built' ? `/course/${courseSlug}` : '/api/courses'
}

async function findFailing(people: People, call: Caller, program: Program) {
  const { prober, goods } = people
  const ready = await call('/readyz')
  if (ready?.status !== 200) return `/readyz: ${ready === null ? 'no reply' : `${ready.status} ${ready.text}`}`
  const page = pageOf(people, program)
  if ((await call(page))?.status !== 200) return page
  seq += 1
  const { taker, buyer } = prober
  const { id, options } = taker.questions[seq % taker.questions.length]!
  if (!(await trySave(taker, call, { questionId: id, optionId: options[0]!.id, seq }))) return 'saving an answer'
  const session = await tryCheckout(buyer, call, goods)
  if (session === null) return 'a checkout'
  if (!(await tryPay(session, call))) return 'a payment'
  return (await tryVerify(buyer, call, session.id)) ? null : 'access after a payment'
}
