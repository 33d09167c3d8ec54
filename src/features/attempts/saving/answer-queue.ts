import { MINUTE_MS, SECOND_MS } from '../../../lib/time.ts'
import { isNewer } from '../attempts.ts'
import type { AnswerState, SaveAnswer } from '../attempts.schema.ts'

/** The longest wait before what could not be sent is tried again; coming back online ends any wait. */
export const LONGEST_WAIT_MS = MINUTE_MS / 2

/** What a page has put down and the server has not acknowledged yet: the latest of each question, oldest question first. */
export type Queue = {
  readonly writer: string
  /** The last number given out. */
  readonly seq: number
  readonly unsent: Readonly<Record<string, SaveAnswer>>
  /** How long each question was looked at. It goes along with the saves, and all of it with the submission. */
  readonly activeMs: Readonly<Record<string, number>>
}

/** What a learner puts down; the queue adds the number, the name and the time. */
export type Change = Omit<SaveAnswer, 'seq' | 'writer' | 'activeMs'>

export const blank: AnswerState = {
  selection: [],
  isFlagged: false,
  struck: [],
  note: '',
  confidence: null,
  activeMs: 0,
  seq: 0,
  isChecked: false,
}

/** One change more. A newer change of a question takes the place of the older: only the last one matters. */
export function withChange(queue: Queue, questionId: string, change: Change): Queue {
  const { selection, isFlagged, struck, note, confidence } = change
  const seq = queue.seq + 1
  const activeMs = Math.round(queue.activeMs[questionId] ?? 0)
  const write: SaveAnswer = { selection, isFlagged, struck, note, confidence, activeMs, seq, writer: queue.writer }
  return { ...queue, seq, unsent: { ...queue.unsent, [questionId]: write } }
}

/** A question was looked at for that much longer. */
export function withTime(queue: Queue, questionId: string, ms: number): Queue {
  return { ...queue, activeMs: { ...queue.activeMs, [questionId]: (queue.activeMs[questionId] ?? 0) + ms } }
}

/**
 * After the server's word on a write. Ours is stored: it leaves the queue. A newer one of another place is stored: what was
 * clicked here just now is newer still, and goes out again under a greater number.
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

/** A write that the server refuses for good. */
export function withoutWrite(queue: Queue, questionId: string): Queue {
  return { ...queue, unsent: without(queue.unsent, questionId) }
}

/**
 * What a page starts from: its own queue, and what others of this device left behind, as far as the server has nothing newer.
 * What others left goes out under this page's name: only the writer of an attempt is listened to.
 */
export function openQueue(
  writer: string,
  kept: readonly Queue[],
  stored: Readonly<Record<string, AnswerState>>,
): Queue {
  const unsent: Record<string, SaveAnswer> = {}
  const activeMs: Record<string, number> = {}
  let seq = 0
  for (const [questionId, answer] of Object.entries(stored)) {
    seq = Math.max(seq, answer.seq)
    activeMs[questionId] = answer.activeMs
  }
  for (const queue of kept) {
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

/**
 * What a page that was not the writer for a while may still put down when it is again: its unsent changes of questions that
 * nobody has changed meanwhile. Everything else is as the other page left it.
 */
export function isCurrent(
  lost: Queue,
  known: Readonly<Record<string, AnswerState>>,
  stored: Readonly<Record<string, AnswerState>>,
): Queue {
  const isUntouched = ([questionId]: readonly [string, SaveAnswer]) =>
    (stored[questionId]?.seq ?? 0) === (known[questionId]?.seq ?? 0) && stored[questionId]?.isChecked !== true
  return { ...lost, unsent: Object.fromEntries(Object.entries(lost.unsent).filter(isUntouched)) }
}

/** What the page shows: the server's answers, and over them what it has not heard of yet. */
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
 * What a failed write means for it. Only the server's own word ends one: what a proxy, a portal of a hotel or a server that
 * is being started replies is no reason to let go of an answer.
 */
export type SaveOutcome =
  /** It is tried again after a while. */
  | 'wait'
  /** The session has ended. */
  | 'sign-in'
  /** Somebody else is signed in, or the attempt is gone. */
  | 'foreign'
  /** Another page is the writer. */
  | 'elsewhere'
  /** The time was over: it was kept beside the attempt. */
  | 'late'
  /** The attempt is submitted. */
  | 'over'
  /** It does not fit, now or ever. */
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

/** 1, 2, 4 … seconds, at most half a minute, with some chance in it so that a room full of learners does not come back at once. */
export function waitBeforeRetry(failures: number, chance: number): number {
  return Math.min(LONGEST_WAIT_MS, SECOND_MS * 2 ** Math.min(failures - 1, 10)) * (0.75 + chance / 2)
}

/** The backstop that is sent with the submission: everything that is put down. */
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
