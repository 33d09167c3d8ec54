import { CallFailed, type clientOf } from '../../../platform/api-client.ts'
import type { dataCallsApi } from './data-calls-endpoints.server.ts'
import {
  afterOutcome,
  isDeletion,
  isPending,
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

/** While something waits for a server that is silent though there is a network, it is asked again. */
const ASK_AGAIN_MS = 30_000

/** A server that says nothing for so long is not there. */
const TIMEOUT_MS = 20_000

/** What the sync needs of the browser; a test gives it another one. */
export type SyncDeps = {
  /** Whose changes are sent. */
  readonly by: string
  read(): Promise<Outbox>
  /** Changes the stored list in one step, whichever tab does it at the same time; settles when it is on the disk. */
  change(make: (now: Outbox) => Outbox): Promise<Outbox>
  /** One call of the API. @throws CallFailed */
  send(edit: Edit): Promise<{ readonly version: number | null }>
  /** Runs while no other tab of the browser does. */
  alone(run: () => Promise<void>): Promise<void>
  wait(ms: number): Promise<void>
  later(ms: number, run: () => void): () => void
  now(): number
  newId(): string
  /** The other tabs have to read the list again. */
  tellTabs(): void
  say(news: SyncNews): void
}

export type SyncNews =
  | { readonly kind: 'kept'; readonly edit: Edit; readonly isSignedOut: boolean }
  | { readonly kind: 'refused'; readonly edit: Edit; readonly sentence: string }
  | { readonly kind: 'conflict'; readonly edit: Edit }
  | { readonly kind: 'saved'; readonly edit: Edit }

export type Sync = ReturnType<typeof createSync>

/** Keeps what an admin changes, sends it in its order, and gives nothing up that the server has not. */
export function createSync(deps: SyncDeps) {
  let outbox: Outbox = []
  let isSending = false
  let running: Promise<void> | null = null
  let cancel: (() => void) | null = null
  /** Somebody asked while a sending was on its way; a network that came back meanwhile is not to be missed. */
  let isAskedAgain = false
  let isStopped = false
  const listeners = new Set<() => void>()
  /** Changes about which it was already said that they are only here. */
  const warned = new Set<string>()

  function show(next: Outbox) {
    outbox = next
    for (const listener of listeners) listener()
  }

  async function change(make: (now: Outbox) => Outbox) {
    show(await deps.change(make))
    deps.tellTabs()
  }

  function plan(ms: number) {
    if (isStopped) return
    cancel?.()
    cancel = deps.later(ms, () => void flushQuietly())
  }

  /** Sends what waits, one after the other. A second call joins the first, and what that could not send is tried again. */
  function flush(): Promise<void> {
    cancel?.()
    cancel = null
    isAskedAgain = running !== null
    running ??= deps.alone(sendAll).finally(() => {
      running = null
      isSending = false
      show(outbox)
      if (isAskedAgain && nextToSend(outbox, deps.by) !== null) plan(0)
    })
    return running
  }

  /** What cannot be read now lies where it lay: it is looked for again, without a reload. */
  async function flushQuietly(): Promise<void> {
    try {
      await flush()
    } catch (error) {
      console.warn('What was kept here could not be read or sent:', error)
      plan(ASK_AGAIN_MS)
    }
  }

  async function sendAll() {
    isSending = true
    show(await deps.read())
    for (;;) {
      const edit = nextToSend(outbox, deps.by)
      if (edit === null) return
      await change((now) => whenSent(now, edit.id))
      const outcome = await sendPatiently({ ...edit, isSent: true })
      await change((now) => afterOutcome(now, edit.id, outcome, deps.now()))
      if (outcome.kind === 'unreachable' || outcome.kind === 'signed-out') return wait(outcome)
      await tell(edit, outcome)
    }
  }

  /** Spec 9: three more tries, from a second on, each time twice as long. Without a network there is nothing to try. */
  async function sendPatiently(edit: Edit): Promise<Outcome> {
    for (let retry = 1; ; retry += 1) {
      const outcome = await send(edit)
      const delay = retryDelay(retry)
      if (outcome.kind !== 'unreachable' || outcome.isOffline || delay === null) return outcome
      await deps.wait(delay)
    }
  }

  async function send(edit: Edit): Promise<Outcome> {
    try {
      return { kind: 'saved', ...(await deps.send(edit)) }
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      const { status, code, message } = error
      return outcomeOf(edit, { status, code, message, stored: storedIn(error) })
    }
  }

  function wait(outcome: { kind: 'unreachable' | 'signed-out' }) {
    const isSignedOut = outcome.kind === 'signed-out'
    for (const edit of outbox)
      if (isPending(edit) && edit.syncProblem === null && edit.by === deps.by && !warned.has(edit.id)) {
        warned.add(edit.id)
        deps.say({ kind: 'kept', edit, isSignedOut })
      }
    if (!isSignedOut) plan(ASK_AGAIN_MS)
  }

  async function tell(edit: Edit, outcome: Outcome) {
    if (outcome.kind === 'saved') deps.say({ kind: 'saved', edit })
    if (outcome.kind === 'conflict') deps.say({ kind: 'conflict', edit })
    if (outcome.kind !== 'refused') return
    deps.say({ kind: 'refused', edit, sentence: outcome.sentence })
    if (isDeletion(edit)) await change((now) => whenDeletionRefused(now, edit.id))
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    outbox: () => outbox,
    isSending: () => isSending,
    /** Another tab has changed the list, or the page has just begun. */
    async reload() {
      show(await deps.read())
    },
    /** Stored at once, sent a moment after the last change; a deletion is sent at once and holds up what comes after it. */
    async add(fresh: NewEdit) {
      await change((now) => withEdit(now, fresh, { id: deps.newId(), by: deps.by, at: deps.now() }))
      if (isDeletion(fresh)) void flushQuietly()
      else plan(SYNC_DEBOUNCE_MS)
    },
    async choose(id: string, choice: 'mine' | 'theirs') {
      await change((now) => whenChosen(now, id, choice))
      await flush()
    },
    /** The server's list was read anew, asked for at that time. */
    async takeList(askedAt: number) {
      if (outbox !== withoutSaved(outbox, askedAt)) await change((now) => withoutSaved(now, askedAt))
    },
    flush,
    flushQuietly,
    stop() {
      isStopped = true
      cancel?.()
      cancel = null
      listeners.clear()
    },
  }
}

/** The call that an edit is. Each can be repeated: what it did the first time, it does not do again. */
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
      // As it was made: who has changed it since is found by the next change.
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

/** What is stored instead, out of the facts of a refusal; keys and questions are left out. */
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
