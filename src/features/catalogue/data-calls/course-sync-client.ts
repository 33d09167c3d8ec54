import { CallFailed, type clientOf } from '../../../platform/api-client.ts'
import type { dataCallsApi } from './data-calls-endpoints.server.ts'
import {
  afterOutcome,
  isDeletion,
  isPending,
  isWaiting,
  nextToSend,
  outcomeOf,
  retryDelay,
  SYNC_DEBOUNCE_MS,
  whenChosen,
  whenDeletionRefused,
  whenSent,
  withEdit,
  withoutSaved,
  type Outcome,
} from './course-sync.ts'
import type { Edit, NewEdit, Outbox, Stored } from './course-sync.schema.ts'

/** The pause before pending edits are sent again to a server that does not reply. */
const RETRY_LATER_MS = 30_000

/** The longest wait for a reply of the server. */
const TIMEOUT_MS = 20_000

/** The functions of the browser that the sync uses; tests replace them. */
type SyncDeps = {
  /** The id of the admin whose edits are sent. */
  readonly by: string
  read(): Promise<Outbox>
  /** Changes the stored outbox in one transaction over all tabs. Resolves when it is on the disk. */
  change(make: (now: Outbox) => Outbox): Promise<Outbox>
  /** One call of the API. @throws CallFailed */
  send(edit: Edit): Promise<{ readonly version: number | null }>
  /** Runs while no other tab of the browser does. */
  runExclusively(run: () => Promise<void>): Promise<void>
  wait(ms: number): Promise<void>
  /** Returns a function that cancels the run. */
  schedule(ms: number, run: () => void): () => void
  now(): number
  newId(): string
  /** Makes the other tabs read the outbox again. */
  notifyTabs(): void
  notify(notice: SyncNotice): void
}

/** What an edit on the device waits for. */
type WaitingFor = 'unreachable' | 'signed-out' | 'unconfirmed'

export type SyncNotice =
  | { readonly kind: 'stored'; readonly edit: Edit; readonly why: WaitingFor }
  | { readonly kind: 'refused'; readonly edit: Edit; readonly sentence: string }
  | { readonly kind: 'conflict'; readonly edit: Edit }
  | { readonly kind: 'saved'; readonly edit: Edit }

export type Sync = ReturnType<typeof createSync>

/** Stores an admin's edits and sends them in their order. An edit is only removed when the server has it. */
export function createSync(deps: SyncDeps) {
  const state = createOutboxState(deps)
  const sending = createFlushes(deps, state)
  return {
    subscribe: state.subscribe,
    outbox: state.get,
    isSending: sending.isUnderWay,
    reload: state.reload,
    /** Stores an edit at once and sends it SYNC_DEBOUNCE_MS after the last one. A deletion is sent at once. */
    async add(fresh: NewEdit) {
      await state.change((now) => withEdit(now, fresh, { id: deps.newId(), by: deps.by, at: deps.now() }))
      if (isDeletion(fresh)) void sending.flushQuietly()
      else sending.flushIn(SYNC_DEBOUNCE_MS)
    },
    async choose(id: string, choice: 'mine' | 'theirs') {
      await state.change((now) => whenChosen(now, id, choice))
      await sending.flush()
    },
    /** Removes the edits that the server's list contains, which was requested at `askedAt`. */
    async removeListed(askedAt: number) {
      if (state.get() !== withoutSaved(state.get(), askedAt)) await state.change((now) => withoutSaved(now, askedAt))
    },
    flush: sending.flush,
    flushQuietly: sending.flushQuietly,
    stop() {
      sending.stop()
      state.stop()
    },
  }
}

/** Decides when the pending edits are sent: one flush at a time, on request, after a pause, and again after a failure. */
function createFlushes(deps: SyncDeps, state: OutboxState) {
  const sendAll = createSender(deps, state)
  let isSending = false
  let running: Promise<void> | null = null
  let cancel: (() => void) | null = null
  /** A flush was requested while another one ran, for example because the network came back. */
  let isRequestedAgain = false
  let isStopped = false

  function flushIn(ms: number) {
    if (isStopped) return
    cancel?.()
    cancel = deps.schedule(ms, () => void flushQuietly())
  }

  /** Sends pending edits one by one. A call during a flush joins it; edits that it could not send are then tried again. */
  function flush(): Promise<void> {
    cancel?.()
    cancel = null
    isRequestedAgain = running !== null
    running ??= deps.runExclusively(run).finally(() => {
      running = null
      isSending = false
      state.refresh()
      if (isRequestedAgain && nextToSend(state.get(), deps.by) !== null) flushIn(0)
    })
    return running
  }

  async function run() {
    isSending = true
    if ((await sendAll()) === 'retry-later') flushIn(RETRY_LATER_MS)
  }

  /** A failed read is tried again later, without a reload of the page. */
  async function flushQuietly(): Promise<void> {
    try {
      await flush()
    } catch (error) {
      console.warn('The stored edits could not be read or sent:', error)
      flushIn(RETRY_LATER_MS)
    }
  }

  return {
    flush,
    flushIn,
    flushQuietly,
    isUnderWay: () => isSending,
    stop() {
      isStopped = true
      cancel?.()
      cancel = null
    },
  }
}

type OutboxState = ReturnType<typeof createOutboxState>

/** The outbox as this tab last read it. */
function createOutboxState(deps: SyncDeps) {
  let outbox: Outbox = []
  const listeners = new Set<() => void>()
  function show(next: Outbox) {
    outbox = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => outbox,
    refresh: () => show(outbox),
    reload: async () => show(await deps.read()),
    async change(make: (now: Outbox) => Outbox) {
      show(await deps.change(make))
      deps.notifyTabs()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    stop: () => listeners.clear(),
  }
}

/** Returns a function that sends all pending edits and stops at an unreachable server, an ended session, or a confirmation that the admin canceled. */
function createSender(deps: SyncDeps, state: OutboxState) {
  /** Edits whose warning was shown that they are only stored on the device. */
  const warned = new Set<string>()

  function warnStored(why: WaitingFor) {
    for (const edit of state.get())
      if (isPending(edit) && edit.syncProblem === null && edit.by === deps.by && !warned.has(edit.id)) {
        warned.add(edit.id)
        deps.notify({ kind: 'stored', edit, why })
      }
  }

  async function report(edit: Edit, outcome: Outcome) {
    if (outcome.kind === 'saved') deps.notify({ kind: 'saved', edit })
    if (outcome.kind === 'conflict') deps.notify({ kind: 'conflict', edit })
    if (outcome.kind !== 'refused') return
    deps.notify({ kind: 'refused', edit, sentence: outcome.sentence })
    if (isDeletion(edit)) await state.change((now) => whenDeletionRefused(now, edit.id))
  }

  return async (): Promise<'done' | 'waits-for-admin' | 'retry-later'> => {
    await state.reload()
    for (;;) {
      const edit = nextToSend(state.get(), deps.by)
      if (edit === null) return 'done'
      await state.change((now) => whenSent(now, edit.id))
      const outcome = await sendWithRetries(deps, { ...edit, isSent: true })
      await state.change((now) => afterOutcome(now, edit.id, outcome, deps.now()))
      if (isWaiting(outcome)) {
        warnStored(outcome.kind)
        return outcome.kind === 'unreachable' ? 'retry-later' : 'waits-for-admin'
      }
      await report(edit, outcome)
    }
  }
}

/** Retries while the server is unreachable, but not while the device is offline. */
async function sendWithRetries(deps: SyncDeps, edit: Edit): Promise<Outcome> {
  for (let retry = 1; ; retry += 1) {
    const outcome = await sendOnce(deps, edit)
    const delay = retryDelay(retry)
    if (outcome.kind !== 'unreachable' || outcome.isOffline || delay === null) return outcome
    await deps.wait(delay)
  }
}

async function sendOnce(deps: SyncDeps, edit: Edit): Promise<Outcome> {
  try {
    return { kind: 'saved', ...(await deps.send(edit)) }
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error
    const { status, code, message } = error
    return outcomeOf(edit, { status, code, message, stored: storedIn(error) })
  }
}

/** Sends an edit with its API call. Repeating a call that succeeded changes nothing. */
export async function sendEdit(
  edit: Edit,
  call: ReturnType<typeof clientOf<typeof dataCallsApi>>,
): Promise<{ version: number | null }> {
  const row_version = edit.base ?? undefined
  const course = { params: { courseId: edit.rowId } }
  const exam = { params: { examId: edit.rowId } }
  switch (edit.kind) {
    case 'course.insert':
      await call('POST', '/api/courses', { body: { id: edit.rowId, ...edit.fields }, timeoutMs: TIMEOUT_MS })
      // The version of a new row; if it has changed since, the next edit gets a conflict.
      return { version: 1 }
    case 'course.update': {
      const body = { ...edit.fields, row_version }
      const reply = await call('PATCH', '/api/courses/:courseId', { ...course, body, timeoutMs: TIMEOUT_MS })
      return { version: reply.row_version }
    }
    case 'course.delete':
      await call('DELETE', '/api/courses/:courseId', { ...course, query: { row_version }, timeoutMs: TIMEOUT_MS })
      return { version: null }
    case 'exam.insert': {
      const body = { id: edit.rowId, course_id: edit.courseId, ...edit.fields }
      await call('POST', '/api/test_questions', { body, timeoutMs: TIMEOUT_MS })
      return { version: 1 }
    }
    case 'exam.draft':
    case 'exam.trial': {
      const body = { ...edit.fields, row_version, draft_version: edit.draftBase }
      const reply = await call('PATCH', '/api/test_questions/:examId', { ...exam, body, timeoutMs: TIMEOUT_MS })
      return { version: reply.row_version }
    }
    case 'exam.delete':
      await call('DELETE', '/api/test_questions/:examId', { ...exam, query: { row_version }, timeoutMs: TIMEOUT_MS })
      return { version: null }
  }
}

type StoredRow = Readonly<Record<string, unknown>> & { readonly row_version?: number; readonly version?: number }

/** The stored row in the facts of a refusal, without questions. */
function storedIn({ facts }: CallFailed): Stored | null {
  const row = facts['stored'] as StoredRow | null | undefined
  if (row === null || row === undefined) return null
  if (row.row_version === undefined) return { version: null, draftVersion: row.version ?? 0 }
  if (row['test_name'] === undefined) {
    const { title, description, price, category, image_url, status } = row as unknown as NonNullable<Stored['course']>
    return { version: row.row_version, course: { title, description, price, category, image_url, status } }
  }
  const { test_name, passing_score, time_limit, is_free_trial } = row as unknown as NonNullable<Stored['exam']>
  return { version: row.row_version, exam: { test_name, passing_score, time_limit, is_free_trial } }
}
