import { useCallback, useSyncExternalStore } from 'react'
import { clientOf } from '../../../platform/api-client.ts'
import { countUnsavedText, discardAllUnsavedText } from '../../../platform/unsaved-text-client.ts'
import { toast } from '../../../ui/toasts.tsx'
import type { dataCallsApi } from './data-calls-endpoints.server.ts'
import { createSync, sendEdit, type Sync, type SyncNews } from './course-sync-client.ts'
import { copy } from './course-sync.copy.ts'
import { readUnsaved, storeUnsaved } from './local-courses-client.ts'
import { migrate, type Migrated } from './local-migration-client.ts'
import { changeOutbox, clearOutbox, readOutbox } from './sync-outbox-client.ts'
import { failedWords, isPending, storedSentence } from './course-sync.ts'
import type { Outbox } from './course-sync.schema.ts'

const NAME = 'altocert-outbox'
/** Signing out waits so long for what is still to be sent. */
const LAST_CHANCE_MS = 5000
const call = clientOf<typeof dataCallsApi>()

let started: { readonly by: string; readonly sync: Sync; readonly stop: () => void } | null = null

/** The sync of this tab, as that admin. What waits from an earlier visit is sent at once. */
export function startSync(by: string): Sync {
  if (started?.by === by) return started.sync
  started?.stop()
  const channel = 'BroadcastChannel' in window ? new BroadcastChannel(NAME) : null
  const sync = createSync({
    by,
    read: readOutbox,
    change: changeOutbox,
    send: (edit) => sendEdit(edit, call),
    // Without locks two tabs may send the same change; each call can be repeated.
    alone: (run) => ('locks' in navigator ? navigator.locks.request(NAME, run) : run()),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    later: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    tellTabs: () => channel?.postMessage('changed'),
    say,
  })
  const handleChange = () => void sync.reload()
  const handleOnline = () => void sync.flushQuietly()
  const handleHidden = () => {
    if (document.hidden) void sync.flushQuietly()
  }
  // Outside: another tab changed the list; the network is back; the page may be about to go.
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

/** Sends what can still be sent. How many changes the server does not have after that. */
export async function sendBeforeLeaving(by: string): Promise<number> {
  const sync = startSync(by)
  await Promise.race([sync.flush(), new Promise((resolve) => setTimeout(resolve, LAST_CHANCE_MS))])
  return (await readOutbox()).filter(isPending).length + countUnsavedText(by)
}

/** For signing out: nothing that an admin typed stays on the device. */
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

/** When a migration last gave a sign in this browser, in local storage. */
const SIGN = 'migration_sign'

/** Sends what was made in this browser and never got a row. */
export async function migrateHere(onProgress: (done: number, of: number) => void): Promise<Migrated> {
  const run = () =>
    migrate(
      {
        call,
        read: readUnsaved,
        store: storeUnsaved,
        lastSignAt: () => Number(localStorage.getItem(SIGN)) || null,
        giveSign: (at) => (at === null ? localStorage.removeItem(SIGN) : localStorage.setItem(SIGN, String(at))),
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        now: () => Date.now(),
        newId: () => crypto.randomUUID(),
      },
      onProgress,
    )
  if (!('locks' in navigator)) return run()
  // Two tabs that look at the sign at the same moment would both see none.
  return navigator.locks.request(SIGN, { ifAvailable: true }, (lock) =>
    lock === null ? { kind: 'runs-already' as const } : run(),
  )
}

const nothing: Outbox = []

/** The changes of this browser that the server does not have or the list does not show yet, and the sync itself. */
export function useSync(by: string): { outbox: Outbox; isSending: boolean; sync: Sync | null } {
  const subscribe = useCallback((listener: () => void) => startSync(by).subscribe(listener), [by])
  const sync = useSyncExternalStore(subscribe, current, () => null)
  const outbox = useSyncExternalStore(
    subscribe,
    () => current()?.outbox() ?? nothing,
    () => nothing,
  )
  const isSending = useSyncExternalStore(
    subscribe,
    () => current()?.isSending() ?? false,
    () => false,
  )
  return { outbox, isSending, sync }
}

const current = () => started?.sync ?? null

function say(news: SyncNews) {
  if (news.kind === 'kept')
    toast('warning', storedSentence(news.edit), news.isSignedOut ? copy['sync.kept.signed-out'] : copy['sync.kept'])
  if (news.kind === 'refused') toast('error', ...failedWords(news.edit, news.sentence))
  if (news.kind === 'conflict') toast('error', failedWords({ kind: news.edit.kind }, '')[0], copy['sync.conflict'])
  if (news.kind === 'saved' && news.edit.kind === 'course.delete') toast('success', copy['courses.deleted'])
}
