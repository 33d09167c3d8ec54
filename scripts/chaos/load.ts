import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '../../src/db/open.server.ts'
import { buy, type BuyerRecord } from './shop-buyers.ts'
import { CallRecord, createCaller, type Caller } from './calls.ts'
import { createGate, type Gate } from './gate.ts'
import { importBanks, type ImportRecord } from './shop-importer.ts'
import type { People } from './people.ts'
import type { Random } from './random.ts'
import { pageOf } from './probe.ts'
import type { Program } from './shop.ts'
import { recordOf, takeExam, type TakerRecord } from './shop-takers.ts'
import { verify, type Findings } from './verify.ts'

/** Takers, buyers and an import, who write down what they were told. They wait until `open`. */
export type Load = {
  readonly call: Caller
  /** The requests since `newRecord`. */
  readonly record: CallRecord
  readonly records: {
    readonly takers: readonly TakerRecord[]
    readonly buyers: BuyerRecord
    readonly imports: ImportRecord
  }
  newRecord(): void
  open(): void
  /** Waits until nobody has anything under way. Says who still has, or null. */
  close(limitMs: number): Promise<string | null>
  end(): Promise<void>
  figures(): { readonly answers: number; readonly payments: number; readonly imports: number; readonly givenUp: number }
  /** Until every taker has saved something after `since`; says what failed, or null. */
  untilAllSaved(since: number, limitMs: number): Promise<string | null>
  /** Until an import went on after `since`, by itself; says that none did, or null. */
  untilImportGoesOn(since: number, limitMs: number): Promise<string | null>
  /** Waits up to `accessMs` for access after confirmed payments. */
  verify(db: Db, accessMs: number): Promise<Findings>
}

export function createLoad(
  people: People,
  { url, random, questions, program }: { url: string; random: Random; questions: number; program: Program },
): Load {
  let record = new CallRecord()
  const call: Caller = (...given) => createCaller(url, record)(...given)
  const gate = createGate()
  const takers = people.takers.map(recordOf)
  const buyers: BuyerRecord = { paid: new Map(), lastPaidAt: 0 }
  const imports: ImportRecord = { stored: [], movedAt: 0, givenUp: [] }
  const records = { takers, buyers, imports }
  const guestPath = pageOf(people, program)
  const work = [
    ...people.takers.map((taker, at) =>
      gate.admit(taker.attemptId, () => takeExam(taker, { call, record: takers[at]!, gate, random: random.fork() })),
    ),
    ...people.buyers.map((cookie) =>
      gate.admit(cookie, () => buy(cookie, { call, record: buyers, gate, goods: people.goods })),
    ),
    gate.admit('guest', () => visit(call, { gate, path: guestPath })),
    gate.admit('import', () => importBanks(people.admin, { call, record: imports, gate, questions })),
  ]
  return {
    call,
    get record() {
      return record
    },
    records,
    newRecord: () => void (record = new CallRecord()),
    open: () => gate.open(),
    async close(limitMs) {
      const busy = await gate.close(limitMs)
      return busy === null ? null : `still at work: ${busy}`
    },
    async end() {
      gate.end()
      await Promise.all(work)
    },
    figures: () => ({
      answers: takers.reduce((sum, { saves }) => sum + saves, 0),
      payments: buyers.paid.size,
      imports: imports.stored.length,
      givenUp: imports.givenUp.length,
    }),
    async untilAllSaved(since, limitMs) {
      const deadline = performance.now() + limitMs
      for (;;) {
        const waiting = takers.filter(({ lastSavedAt }) => lastSavedAt < since).length
        if (waiting === 0) return null
        if (performance.now() > deadline) return `${waiting} of ${takers.length} takers cannot save`
        await wait(50)
      }
    },
    async untilImportGoesOn(since, limitMs) {
      const deadline = performance.now() + limitMs
      while (imports.movedAt < since) {
        if (performance.now() > deadline) return 'no import goes on'
        await wait(50)
      }
      return null
    },
    async verify(db, accessMs) {
      const deadline = performance.now() + accessMs
      for (;;) {
        const findings = await verify(db, records)
        if (findings.withoutAccess.length === 0 || performance.now() > deadline) return findings
        await wait(500)
      }
    },
  }
}

const GUEST_PAUSE_MS = 500

/** A guest who looks at the same page again and again. */
async function visit(call: Caller, { gate, path }: { gate: Gate; path: string }): Promise<void> {
  while (await gate.pass('guest')) {
    await call(path)
    await wait(GUEST_PAUSE_MS)
  }
}
