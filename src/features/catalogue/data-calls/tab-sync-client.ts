import { useCallback, useSyncExternalStore } from 'react'
import { clientOf } from '../../../platform/api-client.ts'
import { countUnsavedText, discardAllUnsavedText } from '../../../platform/unsaved-text-client.ts'
import { toast } from '../../../ui/toasts.tsx'
import type { dataCallsApi } from './data-calls-endpoints.server.ts'
import { createSync, sendEdit, type Sync, type SyncNotice } from './course-sync-client.ts'
import { copy } from './course-sync.copy.ts'
import { readUnsaved, storeUnsaved } from './local-courses-client.ts'
import { migrate, type Migrated } from './local-migration-client.ts'
import { changeOutbox, clearOutbox, readOutbox } from './sync-outbox-client.ts'
import { failureToastOf, isPending, storedSentence } from './course-sync.ts'
import type { Outbox } from './course-sync.schema.ts'

const NAME = 'altocert-outbox'
/** How long signing out waits for pending edits. */
const LAST_CHANCE_MS = 5000
const call = clientOf<typeof dataCallsApi>()

const noEdits: Outbox = []

let started: { readonly by: string; readonly sync: Sync; readonly stop: () => void } | null = null

/** Starts the sync of this tab for an admin. Edits from an earlier visit are sent at once. */
export function startSync(by: string): Sync {
  if (started?.by === by) return started.sync
  started?.stop()
  const channel = 'BroadcastChannel' in window ? new BroadcastChannel(NAME) : null
  const sync = createSync({
    by,
    read: readOutbox,
    change: changeOutbox,
    send: (edit) => sendEdit(edit, call),
    // Without locks two tabs may send the same edit, which is safe because every call can be repeated.
    runExclusively: (run) => ('locks' in navigator ? navigator.locks.request(NAME, run) : run()),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    schedule: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    notifyTabs: () => channel?.postMessage('changed'),
    notify,
  })
  const handleChange = () => void sync.reload()
  const handleOnline = () => void sync.flushQuietly()
  const handleHidden = () => {
    if (document.hidden) void sync.flushQuietly()
  }
  // React when the page may be closing, another tab changes the outbox, or the network is back.
  document.addEventListener('visibilitychange', handleHidden)
  channel?.addEventListener('message', handleChange)
  window.addEventListener('online', handleOnline)
  const stop = () => {
    sync.stop()
    channel?.close()
    window.removeEventListener('online', handleOnline)
    document.removeEventListener('visibilitychange', handleHidden)
  }
  started = { by, sync, stop }
  void sync.flushQuietly()
  return sync
}

/** Sends pending edits for at most LAST_CHANCE_MS, and returns the number of those that remain. */
export async function sendBeforeLeaving(by: string): Promise<number> {
  const sync = startSync(by)
  await Promise.race([sync.flushQuietly(), new Promise((resolve) => setTimeout(resolve, LAST_CHANCE_MS))])
  // A browser that opens no database holds no edits.
  const edits = await readOutbox().catch(() => noEdits)
  return edits.filter(isPending).length + countUnsavedText(by)
}

/** Discards all edits at sign-out, so that no typed data stays on the device. */
export async function discardChanges(): Promise<void> {
  started?.stop()
  started = null
  discardAllUnsavedText()
  await clearOutbox()
  if (!('BroadcastChannel' in window)) return
  const channel = new BroadcastChannel(NAME)
  channel.postMessage('changed')
  channel.close()
}

/** The key in local storage of a migration's last heartbeat. */
const HEARTBEAT_KEY = 'migration_sign'

/** Uploads the courses that exist only in this browser. */
export async function migrateHere(onProgress: (done: number, of: number) => void): Promise<Migrated> {
  const run = () =>
    migrate(
      {
        call,
        read: readUnsaved,
        store: storeUnsaved,
        lastHeartbeatAt: () => Number(localStorage.getItem(HEARTBEAT_KEY)) || null,
        setHeartbeat: (at) =>
          at === null ? localStorage.removeItem(HEARTBEAT_KEY) : localStorage.setItem(HEARTBEAT_KEY, String(at)),
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        now: () => Date.now(),
        newId: () => crypto.randomUUID(),
      },
      onProgress,
    )
  if (!('locks' in navigator)) return run()
  // Without a lock, two tabs could read the heartbeat at the same moment and both start.
  return navigator.locks.request(HEARTBEAT_KEY, { ifAvailable: true }, (lock) =>
    lock === null ? { kind: 'runs-already' as const } : run(),
  )
}

/** The outbox of this browser, and the sync itself. */
export function useSync(by: string): { outbox: Outbox; isSending: boolean; sync: Sync | null } {
  const subscribe = useCallback((listener: () => void) => startSync(by).subscribe(listener), [by])
  const sync = useSyncExternalStore(subscribe, current, () => null)
  const outbox = useSyncExternalStore(
    subscribe,
    () => current()?.outbox() ?? noEdits,
    () => noEdits,
  )
  const isSending = useSyncExternalStore(
    subscribe,
    () => current()?.isSending() ?? false,
    () => false,
  )
  return { outbox, isSending, sync }
}

const current = () => started?.sync ?? null

const keptText = {
  unreachable: copy['sync.kept'],
  'signed-out': copy['sync.kept.signed-out'],
  unconfirmed: copy['sync.kept.unconfirmed'],
} as const

function notify(notice: SyncNotice) {
  if (notice.kind === 'stored') toast('warning', storedSentence(notice.edit), keptText[notice.why])
  if (notice.kind === 'refused') toast('error', ...failureToastOf(notice.edit, notice.sentence))
  if (notice.kind === 'conflict')
    toast('error', failureToastOf({ kind: notice.edit.kind }, '')[0], copy['sync.conflict'])
  if (notice.kind === 'saved' && notice.edit.kind === 'course.delete') toast('success', copy['courses.deleted'])
}
