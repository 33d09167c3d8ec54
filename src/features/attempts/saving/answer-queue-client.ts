import { isTypedAnswer } from '../../questions/types/grading-registry.ts'
import type { QuestionForReview } from '../../questions/types/question-types.schema.ts'
import { useSyncExternalStore } from 'react'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { onOwnChange } from '../../../platform/realtime/own-changes-client.ts'
import {
  checkAnswer,
  finishAttempt,
  putAnswer,
  putAnswerInPassing,
  readClock,
  startAttempt,
  takeOver,
} from './attempt-calls-client.ts'
import type { AnswerState, AttemptView, FinishedAttempt, Mode, SaveAnswer, ServerClock } from '../attempts.schema.ts'
import {
  clearQueues,
  isLeftBehind,
  isOpenHere,
  storeQueue,
  listStoredAttempts,
  nameOfPage,
  readQueues,
  removeSent,
  announceOpen,
  keepPlace,
} from './stored-answers-client.ts'
import {
  answersOf,
  blank,
  everyAnswer,
  saveOutcome,
  openQueue,
  currentChanges,
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

/** What is typed is sent when its writer pauses; it is stored on the device at once. */
const TYPING_PAUSE_MS = 800
/** A frame: the place of the question on the screen is stored once the question is painted, and before anybody can reload. */
const VIEW_PAUSE_MS = 20

/** 'foreign': another user is signed in. 'elsewhere': another page is the writer. 'over': the attempt is submitted. */
export type Connection = 'good' | 'offline' | 'signed-out' | 'foreign' | 'elsewhere' | 'over'

/** The remaining seconds as the server said, and the browser's monotonic clock when the reply arrived. */
export type Remaining = { readonly seconds: number; readonly readAtMs: number }

export type SavingState = {
  readonly answers: Readonly<Record<string, AnswerState>>
  readonly revealed: Readonly<Record<string, QuestionForReview>>
  readonly unsavedCount: number
  readonly connection: Connection
  readonly remaining: Remaining | null
}

/** Saves the answers of an open attempt: each change shows, is stored on the device and is sent at once. */
export type AnswerSaving = {
  readonly subscribe: (listener: () => void) => () => void
  readonly state: () => SavingState
  /** Sends unsent answers and listens to the network until the returned function is called. */
  readonly open: () => () => void
  readonly change: (questionId: string, change: Partial<Change>) => void
  /** Says which question is on the screen: the time spent on it is measured, and a reload returns to it. */
  readonly viewQuestion: (questionId: string, place: number) => void
  /** @throws CallFailed */
  readonly check: (questionId: string) => Promise<void>
  /** @throws CallFailed */
  readonly finish: () => Promise<FinishedAttempt>
  /** Asks the server for the state of the attempt at once, and sends unsent answers. */
  readonly retryNow: () => void
  /** The unsent changes of a page that lost the attempt and takes it back, without those of questions that changed since. */
  readonly leftOver: (stored: AttemptView['answers']) => Queue
}

export function useSaving(saving: AnswerSaving): SavingState {
  return useSyncExternalStore(saving.subscribe, saving.state, saving.state)
}

/** 'elsewhere': another page is the writer; the learner decides whether to take the attempt over. */
export type OpenedAttempt =
  | {
      readonly kind: 'here'
      readonly attempt: AttemptView
      readonly saving: AnswerSaving
      /** Where `attempt` has its first question only: the one with all, or CallFailed. */
      readonly whole: Promise<AttemptView> | null
    }
  | { readonly kind: 'elsewhere'; readonly attempt: AttemptView }

/** Takes the name of this page ahead of a start, which then costs one round trip. */
export async function prepareOpening(): Promise<void> {
  await nameOfPage()
}

/**
 * Starts or resumes an attempt, which is there as soon as its first question is. Takes it over without asking where its writer was a
 * page of this browser that is closed.
 */
export async function openAttempt(examSlug: string, mode: Mode): Promise<OpenedAttempt> {
  const writer = await nameOfPage()
  const { attempt, whole } = await startInParts(examSlug, mode, writer)
  if (attempt.writer === null || attempt.writer === writer) {
    const saving = new AttemptSaving(attempt)
    // The question does not wait for the disk: what closed pages left there is added once it is read.
    void saving.begin(attempt, writer)
    return { kind: 'here', attempt, saving, whole }
  }
  if (await isLeftBehind(attempt.id, attempt.writer)) return takeAttemptOver(attempt.id)
  return { kind: 'elsewhere', attempt }
}

function startInParts(examSlug: string, mode: Mode, writer: string) {
  return new Promise<{ attempt: AttemptView; whole: Promise<AttemptView> | null }>((resolve, reject) => {
    const whole = startAttempt(examSlug, mode, writer, (attempt) => resolve({ attempt, whole }))
    whole.then((attempt) => resolve({ attempt, whole: null }), reject)
  })
}

/** Makes this page the writer. `before` is the saving of this page from when it was the writer the last time. */
export async function takeAttemptOver(attemptId: string, before?: AnswerSaving): Promise<OpenedAttempt> {
  const writer = await nameOfPage()
  const attempt = await takeOver(attemptId, writer)
  const saving = new AttemptSaving(attempt)
  await saving.begin(attempt, writer, before?.leftOver(attempt.answers))
  return { kind: 'here', attempt, saving, whole: null }
}

/** An attempt that came with its page. */
type RenderedAttempt = {
  readonly attempt: AttemptView
  /** The name under which the forms of that page write; null where another page does. */
  readonly formWriter: string | null
  /** When it arrived, on the monotonic clock; undefined in the HTML of the page. */
  readonly arrivedAtMs?: number | undefined
}

/**
 * The saving of an attempt that the server has rendered. Its question can be answered at once; what is changed before `begin`
 * knows that this page is the writer waits in memory.
 */
export function savingOfRendered({ attempt, arrivedAtMs }: RenderedAttempt): RenderedSaving {
  return new AttemptSaving(attempt, arrivedAtMs ?? htmlArrivedAtMs())
}

type RenderedSaving = AnswerSaving & {
  /** Gives the saving its writer, the answers that closed pages left on the device, and the attempt as it is now. */
  readonly begin: (attempt: AttemptView, writer: string) => Promise<void>
}

/** Makes this page the writer of an attempt that the server has rendered, unless another open page is. */
export async function openRendered(rendered: RenderedAttempt, saving: RenderedSaving): Promise<'here' | 'elsewhere'> {
  const writer = await nameOfPage()
  let { attempt } = rendered
  if (attempt.writer === null) {
    const { id, examSlug, mode } = attempt
    // A drawn exam has been started; only its writer is missing.
    attempt = await (examSlug === null ? takeOver(id, writer) : startAttempt(examSlug, mode, writer))
  }
  if (attempt.writer !== writer) {
    if (!(await isOfNoOpenPage(rendered, attempt.writer ?? ''))) return 'elsewhere'
    attempt = await takeOver(attempt.id, writer)
  }
  await saving.begin(attempt, writer)
  return 'here'
}

/** Whether a writer was a page of this browser that is closed, or the form of a page without scripts. */
async function isOfNoOpenPage({ attempt, formWriter }: RenderedAttempt, writer: string): Promise<boolean> {
  if (writer === formWriter && !(await isOpenHere(attempt.id, writer))) return true
  return isLeftBehind(attempt.id, writer)
}

/** The queue of one open attempt, and its way to the server. */
class AttemptSaving implements AnswerSaving {
  readonly #attemptId: string
  /** The answers as the server has them. */
  #stored: AttemptView['answers']
  #queue: Queue
  #revealed: AttemptView['revealed']
  #connection: Connection
  #remaining: Remaining | null
  #state: SavingState
  #isSending = false
  #isOpen = false
  /** This page is known to be the writer, and the device has been read. */
  #hasBegun = false
  #receiveBegin = () => {}
  readonly #begun = new Promise<void>((resolve) => {
    this.#receiveBegin = resolve
  })
  #place: number | null = null
  #viewTimer: ReturnType<typeof setTimeout> | undefined
  #announceClosed = () => {}
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #listeners = new Set<() => void>()
  readonly #stopwatch = createStopwatch((questionId, ms) => {
    this.#queue = withTime(this.#queue, questionId, ms)
  })

  /** Nothing is sent or stored before `begin`. */
  constructor(attempt: AttemptView, arrivedAtMs = performance.now()) {
    this.#attemptId = attempt.id
    this.#stored = attempt.answers
    this.#queue = openQueue('', [], attempt.answers)
    this.#revealed = attempt.revealed
    this.#connection = attempt.state === 'finished' ? 'over' : 'good'
    this.#remaining = remainingOf(attempt.clock, arrivedAtMs)
    this.#state = this.#snapshot()
  }

  /** @param lost what this page had not sent when it was the writer the last time */
  begin = async (attempt: AttemptView, writer: string, lost?: Queue) => {
    const stored = await readQueues(attempt.id)
    if (this.#hasBegun) return
    const { unsent, activeMs } = this.#queue
    const before = lost === undefined ? stored : [...stored, lost]
    let queue = openQueue(writer, [...before, { writer: '', seq: 0, unsent: {}, activeMs }], attempt.answers)
    // What was pressed on this page is newer than anything on the device.
    for (const [questionId, write] of Object.entries(unsent))
      if (attempt.answers[questionId]?.isChecked !== true) queue = withChange(queue, questionId, write)
    this.#stored = attempt.answers
    this.#revealed = { ...attempt.revealed, ...this.#revealed }
    this.#hasBegun = true
    this.#setQueue(queue)
    this.#receiveBegin()
    if (this.#isOpen) this.#announceOpen()
    this.#rememberPlace()
    this.#notify()
    void this.#send()
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  state = () => this.#state

  open = () => {
    this.#isOpen = true
    if (this.#hasBegun) this.#announceOpen()
    const stopWatching = this.#stopwatch.open()
    const stopListening = onOwnChange(({ id }) => void (id === this.#attemptId ? this.#readNow() : null))
    // A reload asks for the page before 'pagehide', with the place as the cookie has it then.
    addEventListener('beforeunload', this.#rememberView)
    addEventListener('pagehide', this.#rememberView)
    addEventListener('pagehide', this.#sendInPassing)
    addEventListener('online', this.#handleOnline)
    addEventListener('offline', this.#handleOffline)
    document.addEventListener('visibilitychange', this.#handleHidden)
    void this.#send()
    return () => {
      this.#isOpen = false
      clearTimeout(this.#timer)
      this.#rememberView()
      this.#sendInPassing()
      stopWatching()
      stopListening()
      this.#announceClosed()
      removeEventListener('beforeunload', this.#rememberView)
      removeEventListener('pagehide', this.#rememberView)
      removeEventListener('pagehide', this.#sendInPassing)
      removeEventListener('online', this.#handleOnline)
      removeEventListener('offline', this.#handleOffline)
      document.removeEventListener('visibilitychange', this.#handleHidden)
    }
  }

  change = (questionId: string, change: Partial<Change>) => {
    if (this.#isReadOnly()) return
    this.#stopwatch.count()
    const before = this.#state.answers[questionId] ?? blank
    this.#setQueue(withChange(this.#queue, questionId, { ...before, ...change }))
    this.#notify()
    if (this.#failures > 0 && !navigator.onLine) return
    clearTimeout(this.#timer)
    if (change.note === undefined && !isTypedAnswer(change.answer)) return void this.#send()
    this.#timer = setTimeout(() => void this.#send(), TYPING_PAUSE_MS)
  }

  viewQuestion = (questionId: string, place: number) => {
    this.#stopwatch.viewQuestion(questionId)
    this.#place = place
    // The question is painted first.
    clearTimeout(this.#viewTimer)
    this.#viewTimer = setTimeout(this.#rememberView, VIEW_PAUSE_MS)
    if (firstOf(this.#queue) !== null) void this.#send()
  }

  check = async (questionId: string) => {
    if (!this.#hasBegun) await this.#begun
    const waiting = this.#queue.unsent[questionId]
    const { writer } = this.#queue
    const checked = await this.#noteFailure(checkAnswer(this.#attemptId, questionId, writer, waiting ?? null))
    this.#stored = { ...this.#stored, [questionId]: checked.answer }
    this.#revealed = { ...this.#revealed, [questionId]: checked.question }
    if (waiting !== undefined && this.#queue.unsent[questionId]?.seq === waiting.seq)
      this.#setQueue(withoutWrite(this.#queue, questionId))
    this.#failures = 0
    if (!this.#isReadOnly()) this.#connection = 'good'
    this.#receiveClock(checked.clock)
    this.#notify()
    void this.#send()
  }

  finish = async () => {
    if (!this.#hasBegun) await this.#begun
    this.#stopwatch.count()
    const finished = await this.#noteFailure(this.#submit())
    clearTimeout(this.#timer)
    this.#end()
    this.#notify()
    return finished
  }

  retryNow = () => void this.#wakeUp()

  leftOver = (fresh: AttemptView['answers']) => currentChanges(this.#queue, this.#stored, fresh)

  #snapshot(): SavingState {
    return {
      answers: answersOf(this.#queue, this.#stored),
      revealed: this.#revealed,
      unsavedCount: Object.keys(this.#queue.unsent).length,
      connection: this.#connection,
      remaining: this.#remaining,
    }
  }

  #announceOpen() {
    this.#announceClosed()
    this.#announceClosed = announceOpen(this.#attemptId, this.#queue.writer)
  }

  /** A reload returns to the question, with the time that was measured for the one before. */
  #rememberView = () => {
    clearTimeout(this.#viewTimer)
    this.#rememberPlace()
    if (!this.#isReadOnly()) this.#store()
  }

  #rememberPlace() {
    if (this.#place !== null && this.#hasBegun) keepPlace(this.#attemptId, this.#place, this.#queue.writer)
  }

  #store() {
    if (this.#hasBegun) storeQueue(this.#attemptId, this.#queue)
  }

  #isReadOnly(): boolean {
    return this.#connection === 'over' || this.#connection === 'elsewhere'
  }

  /** Another page is the writer now. The unsent answers of this page leave the device, so that no other page sends them. */
  #becomeReader() {
    if (this.#isReadOnly()) return
    this.#connection = 'elsewhere'
    clearTimeout(this.#timer)
    storeQueue(this.#attemptId, { ...this.#queue, unsent: {} })
  }

  #notify() {
    this.#state = this.#snapshot()
    for (const listener of this.#listeners) listener()
  }

  #setQueue(next: Queue) {
    this.#queue = next
    this.#store()
  }

  #receiveClock(clock: ServerClock) {
    this.#remaining = remainingOf(clock, performance.now())
  }

  /** Sends one write after the other, so that those of one question arrive in order. After a failure it waits and tries again. */
  async #send() {
    if (this.#isSending || this.#isReadOnly() || !this.#hasBegun) return
    this.#isSending = true
    clearTimeout(this.#timer)
    try {
      for (;;) {
        const next = firstOf(this.#queue)
        if (next === null || !this.#isOpen) return
        if (!(await this.#sendOne(...next))) return
        this.#notify()
      }
    } finally {
      this.#isSending = false
      this.#notify()
    }
  }

  /** Whether the next write may be sent at once. */
  async #sendOne(questionId: string, write: SaveAnswer): Promise<boolean> {
    try {
      const saved = await putAnswer(this.#attemptId, questionId, write)
      this.#receiveSaved(questionId, write, saved)
      this.#receiveClock(saved.clock)
      this.#failures = 0
      this.#connection = 'good'
      return true
    } catch (error) {
      return this.#continuesAfter(error, questionId)
    }
  }

  #receiveSaved(questionId: string, write: SaveAnswer, saved: { seq: number; writer: string }) {
    const { writer, ...answer } = write
    const { isChecked } = this.#stored[questionId] ?? blank
    if (saved.seq === answer.seq && saved.writer === writer)
      this.#stored = { ...this.#stored, [questionId]: { ...answer, isChecked } }
    this.#setQueue(withReply(this.#queue, questionId, write, saved))
  }

  /** Whether the next write may be tried at once. A refused write is dropped; it would block all others. */
  #continuesAfter(error: unknown, questionId: string): boolean {
    const outcome = outcomeOf(error)
    if (outcome === 'late') {
      // The server stores each late answer beside the attempt, so that the review can show it.
      this.#setQueue(withoutWrite(this.#queue, questionId))
      if (firstOf(this.#queue) !== null) return true
      this.#end()
    } else if (outcome === 'over') {
      this.#end()
    } else if (outcome === 'refused') {
      console.warn(`An answer was refused: ${messageOf(error)}`)
      this.#setQueue(withoutWrite(this.#queue, questionId))
      return true
    } else {
      this.#receiveFailure(error)
    }
    return false
  }

  /** The attempt is submitted: nothing is sent any more. */
  #end() {
    this.#connection = 'over'
    this.#queue = { ...this.#queue, unsent: {} }
    clearQueues(this.#attemptId)
  }

  /** Derives the connection from a failed call. Unsent answers stay on the device. */
  #receiveFailure(error: unknown) {
    if (this.#isReadOnly()) return
    const outcome = outcomeOf(error)
    if (outcome === 'elsewhere') this.#becomeReader()
    if (outcome === 'sign-in') this.#connection = 'signed-out'
    if (outcome === 'foreign') this.#connection = 'foreign'
    if (outcome === 'over') this.#connection = 'over'
    if (outcome !== 'wait') return
    this.#connection = 'offline'
    this.#failures += 1
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#tryAgain(), waitBeforeRetry(this.#failures, Math.random()))
  }

  async #tryAgain() {
    await (firstOf(this.#queue) === null ? this.#readNow() : this.#send())
  }

  async #noteFailure<Reply>(reply: Promise<Reply>): Promise<Reply> {
    try {
      return await reply
    } catch (error) {
      this.#receiveFailure(error)
      this.#notify()
      throw error
    }
  }

  /** Sends every answer with the submission, or only the unsent ones where all are too much for one call. */
  async #submit(): Promise<FinishedAttempt> {
    const { writer, activeMs, unsent } = this.#queue
    try {
      const answers = everyAnswer(this.#queue, this.#state.answers)
      return await finishAttempt(this.#attemptId, { writer, answers, activeMs })
    } catch (error) {
      if (!(error instanceof CallFailed) || error.status !== 413) throw error
      return finishAttempt(this.#attemptId, { writer, answers: unsent, activeMs })
    }
  }

  #handleHidden = () => {
    if (document.visibilityState === 'hidden') this.#sendInPassing()
    else void this.#wakeUp()
  }

  /** The page may be gone in a moment: the browser finishes these calls without it. */
  #sendInPassing = () => {
    if (this.#isReadOnly()) return
    this.#stopwatch.count()
    this.#store()
    if (!this.#hasBegun) return
    for (const [questionId, write] of Object.entries(this.#queue.unsent))
      putAnswerInPassing(this.#attemptId, questionId, write)
  }

  /** While a device sleeps, its monotonic clock may stand still and another page may go on with the attempt. */
  async #wakeUp() {
    this.#failures = 0
    void this.#send()
    await this.#readNow()
  }

  /** Asks the server for the clock, the state and the writer of the attempt. */
  async #readNow() {
    if (this.#connection === 'over' || !this.#isOpen || !this.#hasBegun) return
    try {
      const { clock, state, writer } = await readClock(this.#attemptId)
      this.#receiveClock(clock)
      if (state === 'finished') this.#connection = 'over'
      else if (writer !== null && writer !== this.#queue.writer) this.#becomeReader()
      else if (!this.#isReadOnly()) this.#connection = 'good'
      this.#failures = 0
    } catch (error) {
      this.#receiveFailure(error)
      console.warn(`The clock could not be read: ${messageOf(error)}`)
    }
    this.#notify()
  }

  #handleOffline = () => {
    if (this.#connection !== 'good') return
    this.#connection = 'offline'
    this.#notify()
  }

  #handleOnline = () => {
    if (this.#connection === 'offline') this.#connection = 'good'
    void this.#wakeUp()
    this.#notify()
  }
}

/**
 * Sends the answers that closed pages of this browser could not send, for every attempt except one that is being opened. Answers
 * given offline arrive even when their exam is over. Resolves to the number of answers that the server has received.
 */
export async function sendLeftBehind(except?: string): Promise<number> {
  let receivedCount = 0
  for (const attemptId of await listStoredAttempts()) {
    if (attemptId === except) continue
    const queues = await readQueues(attemptId)
    const isOpen = await Promise.all(queues.map(({ writer }) => isOpenHere(attemptId, writer)))
    if (isOpen.includes(true)) continue
    for (const queue of queues.filter((unsentQueue) => firstOf(unsentQueue) !== null)) {
      const sent = await sendAll(attemptId, queue)
      if (sent === 'no server') return receivedCount
      // The learner is signed out, or the attempt is open elsewhere: the answers wait until the attempt is opened here.
      if (sent === 'not ours to send') continue
      receivedCount += Object.keys(queue.unsent).length
      await removeSent(attemptId, queue)
    }
  }
  return receivedCount
}

async function sendAll(attemptId: string, { unsent }: Queue): Promise<'done' | 'no server' | 'not ours to send'> {
  for (const [questionId, write] of Object.entries(unsent)) {
    try {
      await putAnswer(attemptId, questionId, write)
    } catch (error) {
      const outcome = outcomeOf(error)
      if (outcome === 'wait') return 'no server'
      if (outcome === 'sign-in' || outcome === 'foreign' || outcome === 'elsewhere') return 'not ours to send'
      // Any other refusal is final.
    }
  }
  return 'done'
}

/** Without a reply of ours the write waits. */
function outcomeOf(error: unknown): SaveOutcome {
  return error instanceof CallFailed ? saveOutcome(error) : 'wait'
}

function firstOf(queue: Queue): [string, SaveAnswer] | null {
  return Object.entries(queue.unsent)[0] ?? null
}

function remainingOf(clock: ServerClock, readAtMs: number): Remaining | null {
  return clock.remainingSeconds === null ? null : { seconds: clock.remainingSeconds, readAtMs }
}

/** When the HTML of this page began to arrive, on the monotonic clock. */
function htmlArrivedAtMs(): number {
  if (typeof document === 'undefined') return performance.now()
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.responseStart ?? performance.now()
}
