import { useSyncExternalStore } from 'react'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import {
  checkAnswer,
  finishAttempt,
  putAnswer,
  putAnswerInPassing,
  readClock,
  startAttempt,
  takeOver,
} from './attempt-calls-client.ts'
import type { QuestionForReview } from '../../questions/questions.schema.ts'
import type { AnswerState, AttemptView, FinishedAttempt, Mode, SaveAnswer, ServerClock } from '../attempts.schema.ts'
import {
  clearQueues,
  isLeftBehind,
  isOpenHere,
  storeQueue,
  listStoredAttempts,
  nameOfPage,
  readQueues,
  announceOpen,
} from './stored-answers-client.ts'
import {
  answersOf,
  blank,
  everyAnswer,
  saveOutcome,
  openQueue,
  isCurrent,
  waitBeforeRetry,
  withChange,
  withoutWrite,
  withReply,
  withTime,
  type Change,
  type SaveOutcome,
  type Queue,
} from './answer-queue.ts'
import { createStopwatch } from './stopwatch-client.ts'

/** While somebody writes a note, it is sent in the pauses. It lies on the device at once. */
const NOTE_PAUSE_MS = 800

/**
 * How saving goes: well, without a network or server, without a session, with somebody else's, or not at all, because
 * another page has taken the attempt over or because it is submitted.
 */
export type Connection = 'good' | 'offline' | 'signed-out' | 'foreign' | 'elsewhere' | 'over'

/** The server's remaining seconds, and the reading of the browser's monotonic clock when they came. */
export type Remaining = { readonly seconds: number; readonly readAtMs: number }

export type SavingState = {
  readonly answers: Readonly<Record<string, AnswerState>>
  readonly revealed: Readonly<Record<string, QuestionForReview>>
  readonly unsavedCount: number
  readonly connection: Connection
  readonly remaining: Remaining | null
}

/** An attempt while its page is open: what is put down shows at once, lies on the device at once, and is sent at once. */
export type AnswerSaving = {
  readonly subscribe: (listener: () => void) => () => void
  readonly state: () => SavingState
  /** Sends what waits, and listens to the network; the function given back stops it. */
  readonly open: () => () => void
  readonly change: (questionId: string, change: Partial<Change>) => void
  /** Which question is before the learner's eyes: the time on it is measured. */
  readonly look: (questionId: string) => void
  /** @throws CallFailed */
  readonly check: (questionId: string) => Promise<void>
  /** @throws CallFailed */
  readonly finish: () => Promise<FinishedAttempt>
  /** Asks the server at once how things stand, and sends what waits. */
  readonly retryNow: () => void
  /** The attempt was taken back: what this page had not sent before it was lost, as far as nobody has changed it since. */
  readonly leftOver: (stored: AttemptView['answers']) => Queue
}

export function useSaving(saving: AnswerSaving): SavingState {
  return useSyncExternalStore(saving.subscribe, saving.state, saving.state)
}

/** An attempt as a page has it: to go on with, or held by another page, which would have to be asked for it. */
export type OpenedAttempt =
  | { readonly kind: 'here'; readonly attempt: AttemptView; readonly saving: AnswerSaving }
  | { readonly kind: 'elsewhere'; readonly attempt: AttemptView }

/** Starts an attempt, or goes on with it. What a closed page of this browser left behind is taken over without a word. */
export async function openAttempt(examSlug: string, mode: Mode): Promise<OpenedAttempt> {
  const writer = await nameOfPage()
  const attempt = await startAttempt(examSlug, mode, writer)
  if (attempt.writer === null || attempt.writer === writer) return openHere(attempt, writer)
  if (await isLeftBehind(attempt.id, attempt.writer)) return takeAttemptOver(attempt.id)
  return { kind: 'elsewhere', attempt }
}

/** Makes this page the writer. A page that was it before brings what it had not sent, as far as that is still good. */
export async function takeAttemptOver(attemptId: string, before?: AnswerSaving): Promise<OpenedAttempt> {
  const writer = await nameOfPage()
  const attempt = await takeOver(attemptId, writer)
  return openHere(attempt, writer, before?.leftOver(attempt.answers))
}

async function openHere(attempt: AttemptView, writer: string, lost?: Queue): Promise<OpenedAttempt> {
  const kept = await readQueues(attempt.id)
  const queue = openQueue(writer, lost === undefined ? kept : [...kept, lost], attempt.answers)
  return { kind: 'here', attempt, saving: createAnswerSaving(attempt, queue) }
}

function createAnswerSaving(attempt: AttemptView, opened: Queue): AnswerSaving {
  let stored = attempt.answers
  let queue = opened
  let revealed = attempt.revealed
  let connection: Connection = attempt.state === 'finished' ? 'over' : 'good'
  let remaining = remainingOf(attempt.clock)
  let isSending = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOpen = false
  const stopwatch = createStopwatch((questionId, ms) => {
    queue = withTime(queue, questionId, ms)
  })
  const listeners = new Set<() => void>()
  let state = snapshot()
  storeQueue(attempt.id, queue)

  function snapshot(): SavingState {
    return {
      answers: answersOf(queue, stored),
      revealed,
      unsavedCount: Object.keys(queue.unsent).length,
      connection,
      remaining,
    }
  }

  function isReadOnly(): boolean {
    return connection === 'over' || connection === 'elsewhere'
  }

  /** Another page is the writer now: this one only reads. What it had not sent is no longer the device's to send. */
  function lose() {
    if (isReadOnly()) return
    connection = 'elsewhere'
    clearTimeout(timer)
    storeQueue(attempt.id, { ...queue, unsent: {} })
  }

  function tell() {
    state = snapshot()
    for (const listener of listeners) listener()
  }

  function setQueue(next: Queue) {
    queue = next
    storeQueue(attempt.id, queue)
  }

  function receiveClock(clock: ServerClock) {
    remaining = remainingOf(clock)
  }

  /** One write after the other, so that those of a question arrive in order; after a failure it waits and tries again. */
  async function send() {
    if (isSending || isReadOnly()) return
    isSending = true
    clearTimeout(timer)
    try {
      for (;;) {
        const next = firstOf(queue)
        if (next === null || !isOpen) return
        const [questionId, write] = next
        try {
          const saved = await putAnswer(attempt.id, questionId, write)
          heard(questionId, write, saved)
          receiveClock(saved.clock)
          failures = 0
          connection = 'good'
        } catch (error) {
          if (!goesOn(error, questionId)) return
        }
        tell()
      }
    } finally {
      isSending = false
      tell()
    }
  }

  function heard(questionId: string, write: SaveAnswer, saved: { seq: number; writer: string }) {
    const { writer, ...answer } = write
    const { isChecked } = stored[questionId] ?? blank
    if (saved.seq === answer.seq && saved.writer === writer)
      stored = { ...stored, [questionId]: { ...answer, isChecked } }
    setQueue(withReply(queue, questionId, write, saved))
  }

  /** Whether the next write may be tried at once. A refused one is dropped, or it would stand before all others for ever. */
  function goesOn(error: unknown, questionId: string): boolean {
    const outcome = saveOutcomeOfFailed(error)
    if (outcome === 'late') {
      // Each one is kept beside the attempt, so that the review can say what came too late.
      setQueue(withoutWrite(queue, questionId))
      if (firstOf(queue) !== null) return true
      connection = 'over'
      clearQueues(attempt.id)
    } else if (outcome === 'over') {
      connection = 'over'
      queue = { ...queue, unsent: {} }
      clearQueues(attempt.id)
    } else if (outcome === 'refused') {
      console.warn(`An answer was refused: ${messageOf(error)}`)
      setQueue(withoutWrite(queue, questionId))
      return true
    } else {
      receiveFailure(error)
    }
    return false
  }

  /** What a failed call says about the way to the server. What is put down stays on the device. */
  function receiveFailure(error: unknown) {
    if (isReadOnly()) return
    const outcome = saveOutcomeOfFailed(error)
    if (outcome === 'elsewhere') lose()
    if (outcome === 'sign-in') connection = 'signed-out'
    if (outcome === 'foreign') connection = 'foreign'
    if (outcome === 'over') connection = 'over'
    if (outcome !== 'wait') return
    connection = 'offline'
    failures += 1
    clearTimeout(timer)
    timer = setTimeout(() => void tryAgain(), waitBeforeRetry(failures, Math.random()))
  }

  async function tryAgain() {
    await (firstOf(queue) === null ? readNow() : send())
  }

  async function elseHear<Reply>(reply: Promise<Reply>): Promise<Reply> {
    try {
      return await reply
    } catch (error) {
      receiveFailure(error)
      tell()
      throw error
    }
  }

  /** Everything that is put down, or only what was not sent yet where that is too much for one call. */
  async function submit(): Promise<FinishedAttempt> {
    const { writer, activeMs, unsent } = queue
    try {
      return await finishAttempt(attempt.id, { writer, answers: everyAnswer(queue, state.answers), activeMs })
    } catch (error) {
      if (!(error instanceof CallFailed) || error.status !== 413) throw error
      return finishAttempt(attempt.id, { writer, answers: unsent, activeMs })
    }
  }

  function sendNow() {
    failures = 0
    void send()
  }

  function handleHidden() {
    if (document.visibilityState === 'hidden') sendInPassing()
    else void wakeUp()
  }

  function sendInPassing() {
    if (isReadOnly()) return
    stopwatch.count()
    storeQueue(attempt.id, queue)
    for (const [questionId, write] of Object.entries(queue.unsent)) putAnswerInPassing(attempt.id, questionId, write)
  }

  /** A device that slept has a monotonic clock that may have slept as well, and somebody may have gone on elsewhere. */
  async function wakeUp() {
    sendNow()
    await readNow()
  }

  /** How things stand on the server. */
  async function readNow() {
    if (connection === 'over' || !isOpen) return
    try {
      const { clock, state: now, writer } = await readClock(attempt.id)
      receiveClock(clock)
      if (now === 'finished') connection = 'over'
      else if (writer !== null && writer !== queue.writer) lose()
      else if (!isReadOnly()) connection = 'good'
      failures = 0
    } catch (error) {
      receiveFailure(error)
      console.warn(`The clock could not be read: ${messageOf(error)}`)
    }
    tell()
  }

  function handleOffline() {
    if (connection !== 'good') return
    connection = 'offline'
    tell()
  }

  function handleOnline() {
    if (connection === 'offline') connection = 'good'
    void wakeUp()
    tell()
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    state: () => state,
    open() {
      isOpen = true
      const announceClosed = announceOpen(attempt.id, queue.writer)
      const stopWatching = stopwatch.open()
      addEventListener('pagehide', sendInPassing)
      addEventListener('online', handleOnline)
      addEventListener('offline', handleOffline)
      document.addEventListener('visibilitychange', handleHidden)
      void send()
      return () => {
        isOpen = false
        clearTimeout(timer)
        sendInPassing()
        stopWatching()
        announceClosed()
        removeEventListener('pagehide', sendInPassing)
        removeEventListener('online', handleOnline)
        removeEventListener('offline', handleOffline)
        document.removeEventListener('visibilitychange', handleHidden)
      }
    },
    change(questionId, change) {
      if (isReadOnly()) return
      stopwatch.count()
      const before = state.answers[questionId] ?? blank
      setQueue(withChange(queue, questionId, { ...before, ...change }))
      tell()
      if (failures > 0 && !navigator.onLine) return
      if (change.note === undefined) return void send()
      clearTimeout(timer)
      timer = setTimeout(() => void send(), NOTE_PAUSE_MS)
    },
    look(questionId) {
      stopwatch.look(questionId)
      // What was measured of the question before lies on the device too, or a reload would lose it.
      if (!isReadOnly()) storeQueue(attempt.id, queue)
      void send()
    },
    async check(questionId) {
      const waiting = queue.unsent[questionId]
      const checked = await elseHear(checkAnswer(attempt.id, questionId, queue.writer, waiting ?? null))
      stored = { ...stored, [questionId]: checked.answer }
      revealed = { ...revealed, [questionId]: checked.question }
      if (waiting !== undefined && queue.unsent[questionId]?.seq === waiting.seq)
        setQueue(withoutWrite(queue, questionId))
      failures = 0
      if (!isReadOnly()) connection = 'good'
      receiveClock(checked.clock)
      tell()
      void send()
    },
    async finish() {
      stopwatch.count()
      const finished = await elseHear(submit())
      connection = 'over'
      clearTimeout(timer)
      queue = { ...queue, unsent: {} }
      clearQueues(attempt.id)
      tell()
      return finished
    },
    retryNow: () => void wakeUp(),
    leftOver: (fresh) => isCurrent(queue, stored, fresh),
  }
}

/**
 * Sends what closed pages of this browser could not send any more, of every attempt but one that is just opened. What was
 * put down offline arrives so even when its exam is over. Says how many answers the server has heard of.
 */
export async function sendLeftBehind(except?: string): Promise<number> {
  let heardCount = 0
  for (const attemptId of await listStoredAttempts()) {
    if (attemptId === except) continue
    const queues = await readQueues(attemptId)
    const isOpen = await Promise.all(queues.map(({ writer }) => isOpenHere(attemptId, writer)))
    if (isOpen.includes(true)) continue
    for (const queue of queues.filter((one) => firstOf(one) !== null)) {
      const sent = await sendAll(attemptId, queue)
      if (sent === 'no server') return heardCount
      // Where its learner is signed out, or the attempt is open elsewhere, it waits until the attempt is opened here.
      if (sent === 'not ours to send') continue
      heardCount += Object.keys(queue.unsent).length
      storeQueue(attemptId, { ...queue, unsent: {} })
    }
  }
  return heardCount
}

async function sendAll(attemptId: string, { unsent }: Queue): Promise<'done' | 'no server' | 'not ours to send'> {
  for (const [questionId, write] of Object.entries(unsent)) {
    try {
      await putAnswer(attemptId, questionId, write)
    } catch (error) {
      const outcome = saveOutcomeOfFailed(error)
      if (outcome === 'wait') return 'no server'
      if (outcome === 'sign-in' || outcome === 'foreign' || outcome === 'elsewhere') return 'not ours to send'
      // Any other refusal is the server's last word.
    }
  }
  return 'done'
}

/** Where no reply came, or none that is understood, the write waits. */
function saveOutcomeOfFailed(error: unknown): SaveOutcome {
  return error instanceof CallFailed ? saveOutcome(error) : 'wait'
}

function firstOf(queue: Queue): [string, SaveAnswer] | null {
  return Object.entries(queue.unsent)[0] ?? null
}

function remainingOf(clock: ServerClock): Remaining | null {
  return clock.remainingSeconds === null ? null : { seconds: clock.remainingSeconds, readAtMs: performance.now() }
}
