import type { Db } from '../../../src/db/open.server.ts'
import { selecting } from '../../../tests/support/answers.ts'
import type { People } from './make-people.ts'
import { pause, successOf, type Requests } from './requests.ts'

const PAUSE_MS = 150

type Acknowledged = { readonly seq: number; readonly optionId: string }

export type Takers = {
  /** When saves were acknowledged, in milliseconds of `performance.now()`. */
  readonly savedAt: readonly number[]
  /** How many have not saved anything since then. */
  countWaiting(since: number): number
  run(isOver: () => boolean): Promise<void>
  /** Acknowledged answers that the database does not have. */
  findLost(db: Db): Promise<string[]>
}

/** Learners in a timed exam who save one answer after the other, and go on when a save fails, as the exam's page does. */
export function createTakers(people: People, requests: Requests, random: () => number): Takers {
  const takers = people.takers.map((taker) => ({
    ...taker,
    seq: 0,
    lastSavedAt: 0,
    acknowledged: new Map<string, Acknowledged>(),
  }))
  const savedAt: number[] = []
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!

  async function take(taker: (typeof takers)[number], isOver: () => boolean) {
    while (!isOver()) {
      const question = oneOf(taker.questions)
      const optionId = oneOf(question.options).id
      taker.seq += 1
      const { seq, writer, cookie, attemptId } = taker
      const body = { answer: selecting(optionId), seq, writer }
      const reply = await requests.send('PUT', `/api/attempts/${attemptId}/answers/${question.id}`, { cookie, body })
      if (successOf(reply) !== null) {
        taker.acknowledged.set(question.id, { seq, optionId })
        taker.lastSavedAt = performance.now()
        savedAt.push(taker.lastSavedAt)
      }
      await pause(PAUSE_MS)
    }
  }

  return {
    savedAt,
    countWaiting: (since) => takers.filter(({ lastSavedAt }) => lastSavedAt < since).length,
    async run(isOver) {
      await Promise.all(takers.map((taker) => take(taker, isOver)))
    },
    async findLost(db) {
      const lost: string[] = []
      for (const { attemptId, acknowledged } of takers) {
        const rows = await db
          .selectFrom('attempt_answers')
          .where('attempt_id', '=', attemptId)
          .select(['question_id', 'seq', 'answer'])
          .execute()
        const stored = new Map(rows.map((row) => [row.question_id, row]))
        for (const [questionId, { seq, optionId }] of acknowledged) {
          const row = stored.get(questionId)
          const wanted = JSON.stringify(selecting(optionId))
          // A greater number is a save that was stored and whose reply did not arrive.
          const isThere = row !== undefined && (row.seq > seq || (row.seq === seq && sameJson(row.answer, wanted)))
          if (!isThere)
            lost.push(`${attemptId} ${questionId}: ${seq} was acknowledged, ${row?.seq ?? 'none'} is stored`)
        }
      }
      return lost
    },
  }
}

function sameJson(value: unknown, wanted: string): boolean {
  const sorted = (text: string) => JSON.stringify(Object.entries(JSON.parse(text) as object).toSorted())
  return sorted(JSON.stringify(value)) === sorted(wanted)
}
