import { setTimeout as wait } from 'node:timers/promises'
import type { StartedTaker } from '../../tests/support/exam-takers.ts'
import type { Caller } from './calls.ts'
import type { Gate } from './gate.ts'
import type { Random } from './random.ts'

/** What a taker has sent, and what of it the server has acknowledged. */
export type TakerRecord = {
  readonly attemptId: string
  /** Each answer to a question, by its sequence number. */
  readonly sent: Map<string, Map<number, string>>
  /** The last sequence number of a question that was acknowledged. */
  readonly acknowledged: Map<string, number>
  saves: number
  lastSavedAt: number
}

const PAUSE_MS = 60
const RETRY_MS = 200

export function recordOf(taker: StartedTaker): TakerRecord {
  return { attemptId: taker.attemptId, sent: new Map(), acknowledged: new Map(), saves: 0, lastSavedAt: 0 }
}

/** Answers questions as fast as a browser would at its quickest. What was not acknowledged is sent again, as the browser's queue does. */
export async function takeExam(
  taker: StartedTaker,
  { call, record, gate, random }: { call: Caller; record: TakerRecord; gate: Gate; random: Random },
): Promise<void> {
  for (let seq = 1; await gate.pass(taker.attemptId); seq += 1) {
    const { id, options } = random.pick(taker.questions)
    await saveAnswer(taker, { call, record, gate }, { questionId: id, optionId: random.pick(options).id, seq })
    await wait(PAUSE_MS)
  }
}

/** Sends an answer until it is acknowledged, or until the gate is closed for good. */
export async function saveAnswer(
  taker: StartedTaker,
  { call, record, gate }: { call: Caller; record: TakerRecord; gate: Gate },
  { questionId, optionId, seq }: { questionId: string; optionId: string; seq: number },
): Promise<void> {
  const sent = record.sent.get(questionId) ?? new Map<number, string>()
  record.sent.set(questionId, sent.set(seq, optionId))
  while (!gate.isOver()) {
    if (await trySave(taker, call, { questionId, optionId, seq })) {
      record.acknowledged.set(questionId, seq)
      record.saves += 1
      record.lastSavedAt = performance.now()
      return
    }
    await wait(RETRY_MS)
  }
}

export async function trySave(
  { attemptId, cookie, writer }: StartedTaker,
  call: Caller,
  { questionId, optionId, seq }: { questionId: string; optionId: string; seq: number },
): Promise<boolean> {
  const reply = await call(`/api/attempts/${attemptId}/answers/${questionId}`, {
    method: 'PUT',
    cookie,
    json: { answer: { type: 'choice', optionIds: [optionId] }, seq, writer },
  })
  return reply?.status === 200
}
