import { withAnswer } from '../../questions/types/former-answers.ts'
import { MINUTE_MS, SECOND_MS } from '../../../lib/time.ts'
import { isNewer } from '../attempts.ts'
import type { AnswerState, SaveAnswer } from '../attempts.schema.ts'

/** The longest wait before the next try. Coming back online ends any wait. */
export const LONGEST_WAIT_MS = MINUTE_MS / 2

/** The answers that the server has not acknowledged: the latest of each question, the oldest question first. */
export type Queue = {
  readonly writer: string
  /** The last sequence number that was used. */
  readonly seq: number
  readonly unsent: Readonly<Record<string, SaveAnswer>>
  /** Milliseconds spent on each question; sent with each save, and all of them with the submission. */
  readonly activeMs: Readonly<Record<string, number>>
}

/** A queue that this build or an earlier one stored on the device; null for any other record. */
export function storedQueue(record: unknown): Queue | null {
  if (typeof record !== 'object' || record === null) return null
  const { writer, seq, unsent } = record as Partial<Queue>
  if (typeof writer !== 'string' || typeof seq !== 'number' || typeof unsent !== 'object' || unsent === null)
    return null
  const writes = Object.entries(unsent).map(([questionId, write]) => [questionId, withAnswer(write)])
  return { ...(record as Queue), unsent: Object.fromEntries(writes) as Queue['unsent'] }
}

/** What a learner changes; the queue adds sequence number, writer and time. */
export type Change = Omit<SaveAnswer, 'seq' | 'writer' | 'activeMs'>

export const blank: AnswerState = {
  answer: null,
  isFlagged: false,
  struck: [],
  note: '',
  confidence: null,
  activeMs: 0,
  seq: 0,
  isChecked: false,
}

/** Adds a change. It replaces an unsent one of the same question: only the last matters. */
export function withChange(queue: Queue, questionId: string, change: Change): Queue {
  const { answer, isFlagged, struck, note, confidence } = change
  const seq = queue.seq + 1
  const activeMs = Math.round(queue.activeMs[questionId] ?? 0)
  const write: SaveAnswer = { answer, isFlagged, struck, note, confidence, activeMs, seq, writer: queue.writer }
  return { ...queue, seq, unsent: { ...queue.unsent, [questionId]: write } }
}

/** Adds to the time spent on a question. */
export function withTime(queue: Queue, questionId: string, ms: number): Queue {
  return { ...queue, activeMs: { ...queue.activeMs, [questionId]: (queue.activeMs[questionId] ?? 0) + ms } }
}

/**
 * The queue after the reply to a write. A write that is stored leaves the queue. Where the server has a newer one under our name,
 * the learner's change is newer still and is sent again with a greater number.
 */
export function withReply(
  queue: Queue,
  questionId: string,
  sent: SaveAnswer,
  stored: { readonly seq: number; readonly writer: string },
): Queue {
  const seq = Math.max(queue.seq, stored.seq)
  const waiting = queue.unsent[questionId]
  if (waiting === undefined || waiting.seq !== sent.seq) return { ...queue, seq }
  if (isNewer(stored, sent) && sent.writer === queue.writer) return withChange({ ...queue, seq }, questionId, waiting)
  return { ...queue, seq, unsent: without(queue.unsent, questionId) }
}

/** The queue without a write that the server refused for good. */
export function withoutWrite(queue: Queue, questionId: string): Queue {
  return { ...queue, unsent: without(queue.unsent, questionId) }
}

/**
 * The queue that a page starts with: its own and those that closed pages of this device left behind, without what the server has
 * newer. Writes of other pages get this page's name, because the server accepts writes of the attempt's writer only.
 */
export function openQueue(
  writer: string,
  queues: readonly Queue[],
  stored: Readonly<Record<string, AnswerState>>,
): Queue {
  const unsent: Record<string, SaveAnswer> = {}
  const activeMs: Record<string, number> = {}
  let seq = 0
  for (const [questionId, answer] of Object.entries(stored)) {
    seq = Math.max(seq, answer.seq)
    activeMs[questionId] = answer.activeMs
  }
  for (const queue of queues) {
    for (const [questionId, ms] of Object.entries(queue.activeMs))
      activeMs[questionId] = Math.max(activeMs[questionId] ?? 0, ms)
    if (queue.writer === writer) seq = Math.max(seq, queue.seq)
    for (const [questionId, write] of Object.entries(queue.unsent)) {
      seq = Math.max(seq, write.seq)
      const before = unsent[questionId]
      if (write.seq < (stored[questionId]?.seq ?? 0) || stored[questionId]?.isChecked === true) continue
      if (before === undefined || isNewer(write, before)) unsent[questionId] = write
    }
  }
  for (const [questionId, write] of Object.entries(unsent))
    if (write.writer !== writer) unsent[questionId] = { ...write, seq: ++seq, writer }
  return { writer, seq, unsent, activeMs }
}

/** The unsent changes of a page that lost the attempt, without those of questions that another page has changed since. */
export function currentChanges(
  lost: Queue,
  known: Readonly<Record<string, AnswerState>>,
  stored: Readonly<Record<string, AnswerState>>,
): Queue {
  const isUntouched = ([questionId]: readonly [string, SaveAnswer]) =>
    (stored[questionId]?.seq ?? 0) === (known[questionId]?.seq ?? 0) && stored[questionId]?.isChecked !== true
  return { ...lost, unsent: Object.fromEntries(Object.entries(lost.unsent).filter(isUntouched)) }
}

/** The answers that the page shows: the server's, overlaid with the unsent ones. */
export function answersOf(
  queue: Queue,
  stored: Readonly<Record<string, AnswerState>>,
): Readonly<Record<string, AnswerState>> {
  const answers: Record<string, AnswerState> = { ...stored }
  for (const [questionId, { writer: _writer, ...answer }] of Object.entries(queue.unsent))
    answers[questionId] = { ...answer, isChecked: stored[questionId]?.isChecked ?? false }
  return answers
}

/**
 * What a failed write means for it. Only a reply of our server ends a write: replies of a proxy, a captive portal or a starting
 * server are retried.
 */
export type SaveOutcome =
  /** It is tried again later. */
  | 'wait'
  /** The session has ended. */
  | 'sign-in'
  /** Another user is signed in, or the attempt is gone. */
  | 'foreign'
  /** Another page is the writer. */
  | 'elsewhere'
  /** The time was over: the server stored it beside the attempt. */
  | 'late'
  /** The attempt is submitted. */
  | 'over'
  /** It is invalid and stays so. */
  | 'refused'

export function saveOutcome({ status, code }: { readonly status: number; readonly code: string }): SaveOutcome {
  if (code === 'attempt.signed-out' || code === 'session.required') return 'sign-in'
  if (code === 'attempt.not-found') return 'foreign'
  if (code === 'attempt.elsewhere') return 'elsewhere'
  if (code === 'attempt.too-late') return 'late'
  if (code === 'attempt.finished') return 'over'
  if (code.startsWith('attempt.') || code === 'request.invalid') return 'refused'
  return status === 413 ? 'refused' : 'wait'
}

/** 1, 2, 4 … seconds, at most `LONGEST_WAIT_MS`, with jitter so that many learners do not retry at the same moment. */
export function waitBeforeRetry(failures: number, chance: number): number {
  return Math.min(LONGEST_WAIT_MS, SECOND_MS * 2 ** Math.min(failures - 1, 10)) * (0.75 + chance / 2)
}

/** Every answer, sent with the submission in case a save never arrived. */
export function everyAnswer(queue: Queue, answers: Readonly<Record<string, AnswerState>>): Record<string, SaveAnswer> {
  const all: Record<string, SaveAnswer> = {}
  for (const [questionId, { isChecked: _isChecked, ...answer }] of Object.entries(answers))
    if (answer.seq > 0) all[questionId] = { ...answer, writer: queue.writer }
  return all
}

function without(unsent: Queue['unsent'], questionId: string): Queue['unsent'] {
  const { [questionId]: _gone, ...rest } = unsent
  return rest
}
