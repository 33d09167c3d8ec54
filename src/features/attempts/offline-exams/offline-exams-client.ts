import { DAY_MS, SECOND_MS } from '../../../lib/time.ts'
import { CallFailed, clientOf } from '../../../platform/api-client.ts'
import { deviceDatabase } from '../../../platform/device-database-client.ts'
import { pruneImages, storeImages } from './offline-images-client.ts'
import type { offlineExamsApi } from './offline-exams-endpoints.server.ts'
import { STORED_FOR_OFFLINE } from '../../../platform/data-saving-client.ts'
import {
  endPractice,
  finishOf,
  offlineExamTime,
  renewedOfflineExam,
  startPractice,
  type OfflineExamClock,
  type Practice,
} from './offline-exams.ts'
import type { OfflineAttempt, OfflineExam } from './offline-exams.schema.ts'
import { storedOfflineExam, storedResult, type StoredOfflineExam, type StoredResult } from './stored-offline-exams.ts'

/*
 * Exams that an owner put on this device, and the results of practising with them. They have a database of their own, which is
 * emptied at sign-out. An exam whose access has ended, or that belongs to another user, is removed as soon as it is read. A
 * practice is stored with its exam. If the exam is removed, the practice ends and becomes a result, so that no answer is lost.
 */

const call = clientOf<typeof offlineExamsApi>()
const DATABASE = 'altocert-packs'
const OFFLINE_EXAMS = 'packs'
const RESULTS = 'results'
/** A retry cannot change these; it can help after an ended session or without a network. */
const FINAL_STATUSES = new Set([400, 403, 404, 409, 413])
/** Only our server refuses for good: a proxy or a captive portal may answer anything. */
const isRefusedForGood = ({ status, code }: CallFailed) => code !== 'reply.foreign' && FINAL_STATUSES.has(status)
/** Some networks drop requests without an error; the result is sent again. */
const SEND_TIMEOUT_MS = 30 * SECOND_MS
type Store = typeof OFFLINE_EXAMS | typeof RESULTS

const open = deviceDatabase(DATABASE, [OFFLINE_EXAMS, RESULTS])

async function on<Reply>(
  name: Store,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Reply>,
): Promise<Reply> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode)
    const request = act(transaction.objectStore(name))
    transaction.addEventListener('complete', () => resolve(request.result))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB stopped')))
  })
}

/** The exam to store instead (null removes it), and the attempt of a practice that has ended. */
type Change = { readonly stored: StoredOfflineExam | null; readonly ended?: OfflineAttempt | null }

/**
 * Reads and writes in one transaction, so that two tabs at once lose nothing. Resolves to the exam that is stored then, when it is on
 * the disk; the other tabs hear of a change.
 */
async function changeStored(
  examSlug: string,
  change: (stored: StoredOfflineExam | null) => Change | null,
): Promise<StoredOfflineExam | null> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction([OFFLINE_EXAMS, RESULTS], 'readwrite', { durability: 'strict' })
    const [offlineExams, results] = [transaction.objectStore(OFFLINE_EXAMS), transaction.objectStore(RESULTS)]
    let after: StoredOfflineExam | null = null
    let isNews = false
    const request = offlineExams.get(examSlug)
    request.addEventListener('success', () => {
      const before = storedOfflineExam(request.result)
      const changed = change(before)
      isNews = changed !== null && isNewsToOthers(before, changed.stored)
      after = changed === null ? before : changed.stored
      if (changed === null) return
      if (changed.stored === null) offlineExams.delete(examSlug)
      else offlineExams.put(changed.stored, examSlug)
      const owner = before?.offlineExam.userId
      const { ended = null } = changed
      if (ended !== null && owner !== undefined)
        results.put({ userId: owner, examSlug, attempt: ended } satisfies StoredResult, ended.id)
      // Otherwise the commit waits for an event that a closing page no longer receives.
      transaction.commit()
    })
    transaction.addEventListener('complete', () => {
      if (isNews) announceChange()
      resolve(after)
    })
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB stopped')))
  })
}

/** Other tabs need not hear of the time that is stored each time an exam is read. */
function isNewsToOthers(before: StoredOfflineExam | null, after: StoredOfflineExam | null): boolean {
  return before?.practice !== after?.practice || before?.offlineExam !== after?.offlineExam
}

/** The name of this page among the tabs, which ignores its own messages. */
const TAB = crypto.randomUUID()

/** Tells the other tabs that something on the device has changed. */
function announceChange(): void {
  if (!('BroadcastChannel' in window)) return
  const channel = new BroadcastChannel(DATABASE)
  channel.postMessage(TAB)
  channel.close()
}

/** Calls the listener after changes in other tabs, and when the page becomes visible. Returns how to stop. */
export function onDeviceChange(listener: () => void): () => void {
  const channel = 'BroadcastChannel' in window ? new BroadcastChannel(DATABASE) : null
  channel?.addEventListener('message', ({ data: tab }: MessageEvent<string>) => (tab === TAB ? undefined : listener()))
  const handleShown = () => (document.visibilityState === 'visible' ? listener() : undefined)
  document.addEventListener('visibilitychange', handleShown)
  window.addEventListener('pageshow', handleShown)
  return () => {
    channel?.close()
    document.removeEventListener('visibilitychange', handleShown)
    window.removeEventListener('pageshow', handleShown)
  }
}

/** Number of deletions of everything. An exam that was asked for before the latest one is not stored. */
let deletions = 0
/** The user of this page; undefined until it is known. */
let knownUser: string | null | undefined

/** @throws CallFailed when access does not run, or there is no network */
export async function storeOfflineExam(examSlug: string, { isRenewal = false } = {}): Promise<void> {
  const deletionsBefore = deletions
  const given = await call('GET', '/api/offline-exams/:examSlug', { params: { examSlug } })
  const serverMs = Date.parse(given.now)
  const clock: OfflineExamClock = { serverMs, deviceMs: Date.now(), seenMs: serverMs }
  const stored = await changeStored(examSlug, (before) => {
    // Its user has signed out, or has removed it from the device.
    if (deletions !== deletionsBefore || (isRenewal && before === null)) return null
    const offlineExam = before === null ? given : renewedOfflineExam(before.offlineExam, before.practice, given)
    return {
      stored:
        offlineExam === given || before === null ? { offlineExam: given, clock } : { ...before, offlineExam, clock },
    }
  })
  if (stored === null) return
  await storeImages(stored.offlineExam)
  window.dispatchEvent(new Event(STORED_FOR_OFFLINE))
  // The browser is asked not to clear it when the device runs short of space.
  void navigator.storage?.persist?.().catch(() => false)
}

export async function removeOfflineExam(examSlug: string): Promise<void> {
  await changeStored(examSlug, removed)
  await pruneImages((await listOfflineExams()).map(({ offlineExam }) => offlineExam))
}

function removed(stored: StoredOfflineExam | null): Change {
  return { stored: null, ended: stored === null ? null : endOf(stored) }
}

function endOf({ offlineExam, practice }: StoredOfflineExam): OfflineAttempt | null {
  return practice === undefined ? null : endPractice(offlineExam, practice)
}

/** Removes the exam if its access has ended; otherwise stores the current time with it. */
function whileAccessRuns(stored: StoredOfflineExam | null): Change | null {
  if (stored === null) return null
  const nowMs = offlineExamTime(stored.clock, Date.now())
  if (!(nowMs < Date.parse(stored.offlineExam.accessUntil))) return removed(stored)
  return { stored: { ...stored, clock: { ...stored.clock, seenMs: nowMs } } }
}

/** The exam, if it is on the device and its access runs. It is removed if access has ended. */
export async function readOfflineExam(examSlug: string): Promise<OfflineExam | null> {
  return (await changeStored(examSlug, whileAccessRuns))?.offlineExam ?? null
}

/** The exam as `readOfflineExam` returns it, with its practice. Starts a practice if there is none. */
export async function openPractice(
  examSlug: string,
): Promise<{ readonly offlineExam: OfflineExam; readonly practice: Practice } | null> {
  const fresh = { id: crypto.randomUUID(), now: new Date() }
  const stored = await changeStored(examSlug, (before) => {
    const change = whileAccessRuns(before)
    if (change === null || change.stored === null) return change
    const { practice = startPractice(change.stored.offlineExam, fresh.id, fresh.now) } = change.stored
    return { stored: { ...change.stored, practice } }
  })
  return stored?.practice === undefined ? null : { offlineExam: stored.offlineExam, practice: stored.practice }
}

/** The exam as it is on the device now, with its practice. */
export async function readStored(examSlug: string): Promise<StoredOfflineExam | null> {
  return storedOfflineExam(await on<unknown>(OFFLINE_EXAMS, 'readonly', (store) => store.get(examSlug)))
}

/** The exams on this device whose access runs, with the practice that has begun. */
export async function listOfflineExams(): Promise<StoredOfflineExam[]> {
  if (!(await hasAny())) return []
  const records = await on<unknown[]>(OFFLINE_EXAMS, 'readonly', (store) => store.getAll())
  return records
    .flatMap((record) => storedOfflineExam(record) ?? [])
    .filter(({ offlineExam, clock }) => offlineExamTime(clock, Date.now()) < Date.parse(offlineExam.accessUntil))
}

/** Ends the practice that has begun, whose checked answers become a result as if it had been finished, and begins a new one. */
export async function startOver(examSlug: string): Promise<void> {
  const fresh = { id: crypto.randomUUID(), now: new Date() }
  await changeStored(examSlug, (before) => {
    if (before === null) return null
    return {
      stored: { ...before, practice: startPractice(before.offlineExam, fresh.id, fresh.now) },
      ended: endOf(before),
    }
  })
}

/** Stores a change of the practice with this id at once. False if it is gone: another tab finished it, or the exam was removed. */
export async function changePractice(
  examSlug: string,
  id: string,
  change: (practice: Practice) => Practice,
): Promise<boolean> {
  const stored = await changeStored(examSlug, (before) =>
    before?.practice?.id === id ? { stored: { ...before, practice: change(before.practice) } } : null,
  )
  return stored?.practice?.id === id
}

/** Ends the practice with this id. Resolves to the attempt that it became, which is sent when there is a network; null if it is gone. */
export async function finishPractice(examSlug: string, id: string): Promise<OfflineAttempt | null> {
  let attempt: OfflineAttempt | null = null
  await changeStored(examSlug, (before) => {
    if (before?.practice?.id !== id) return null
    const { practice: _, ...stored } = before
    const ended = endOf(before)
    const now = { atMs: offlineExamTime(before.clock, Date.now()), deviceMs: Date.now() }
    if (ended !== null) attempt = { ...ended, finishedAt: finishOf(ended, before.offlineExam.accessUntil, now) }
    return { stored, ended: attempt }
  })
  return attempt
}

/** Before sign-out sends the results: every practice ends and becomes one. */
export async function endPractices(): Promise<void> {
  if (!(await hasAny())) return
  const slugs = (await on(OFFLINE_EXAMS, 'readonly', (store) => store.getAllKeys())) as string[]
  for (const slug of slugs)
    await changeStored(slug, (before) => {
      if (before === null) return null
      const { practice: _, ...stored } = before
      return { stored, ended: endOf(before) }
    })
}

const SENDING_LOCK = 'altocert-packs.sending'

/**
 * Sends the stored results of this user, one tab after the other. A result that the server refuses for good stays on the device with
 * the server's reason. A result leaves the device only when the server has acknowledged it; the server stores it once, by its id.
 */
export async function sendResults(userId: string): Promise<'done' | 'signed-out' | 'no server'> {
  if (!('locks' in navigator)) return sendWaiting(userId)
  return navigator.locks.request(SENDING_LOCK, () => sendWaiting(userId))
}

async function sendWaiting(userId: string): Promise<'done' | 'signed-out' | 'no server'> {
  const waiting = (await listResults()).filter((one) => one.userId === userId && one.refused === undefined)
  for (const result of waiting) {
    const { attempt } = result
    try {
      await call('POST', '/api/offline-attempts', { body: attempt, timeoutMs: SEND_TIMEOUT_MS })
      await on(RESULTS, 'readwrite', (store) => store.delete(attempt.id))
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.status === 401) return 'signed-out'
      if (!isRefusedForGood(error)) return 'no server'
      console.warn('An offline result was refused:', error)
      const refused: StoredResult = { ...result, refused: error.message }
      await on(RESULTS, 'readwrite', (store) => store.put(refused, attempt.id))
    }
    announceChange()
  }
  return 'done'
}

/** A result that is on the device still, waiting or refused; null when it has been sent. */
export async function findResult(attemptId: string): Promise<StoredResult | null> {
  return (await listResults()).find(({ attempt }) => attempt.id === attemptId) ?? null
}

async function listResults(): Promise<StoredResult[]> {
  if (!(await hasAny())) return []
  return (await on<unknown[]>(RESULTS, 'readonly', (store) => store.getAll())).map(storedResult)
}

/** The results of an exam on this device that the server refused. */
export async function listRefused({ examSlug }: { readonly examSlug: string }): Promise<StoredResult[]> {
  return (await listResults()).filter((result) => result.refused !== undefined && result.examSlug === examSlug)
}

/** How many results of this user have not reached the server. */
export async function countResults(userId: string): Promise<number> {
  return (await listResults()).filter((result) => result.userId === userId).length
}

/** At sign-out: no answer key and no result stays on this device. */
export async function clearEverything(): Promise<void> {
  deletions += 1
  try {
    if (!(await hasAny())) return
    await on(OFFLINE_EXAMS, 'readwrite', (store) => store.clear())
    await on(RESULTS, 'readwrite', (store) => store.clear())
    await pruneImages([])
  } catch (error) {
    console.warn('The offline exams could not be removed from this device:', error)
  }
}

/**
 * Removes the exams and results of other users. If nobody is signed in, only the exams with their answer keys are removed; the
 * results wait for their owner to sign in again.
 */
export async function clearOthers(userId: string | null): Promise<void> {
  // Another tab may have ended the session.
  if (knownUser !== undefined && knownUser !== userId) deletions += 1
  knownUser = userId
  if (!(await hasAny())) return
  const offlineExams = (await on<unknown[]>(OFFLINE_EXAMS, 'readonly', (store) => store.getAll())).flatMap(
    (record) => storedOfflineExam(record) ?? [],
  )
  for (const { offlineExam } of offlineExams)
    if (offlineExam.userId !== userId) await removeOfflineExam(offlineExam.examSlug)
  if (userId === null) return
  for (const result of await listResults())
    if (result.userId !== userId) await on(RESULTS, 'readwrite', (store) => store.delete(result.attempt.id))
}

/** Once a day, if there is a network: fetches each exam again, so that revoked access removes it and renewed access prolongs it. */
export async function renewOfflineExams(): Promise<void> {
  if (!(await hasAny())) return
  const stored = (await on<unknown[]>(OFFLINE_EXAMS, 'readonly', (store) => store.getAll())).flatMap(
    (record) => storedOfflineExam(record) ?? [],
  )
  for (const { offlineExam, clock } of stored) {
    if (offlineExamTime(clock, Date.now()) - clock.serverMs < DAY_MS) continue
    try {
      await storeOfflineExam(offlineExam.examSlug, { isRenewal: true })
    } catch (error) {
      if (!(error instanceof CallFailed) || !isRefusedForGood(error)) return
      await removeOfflineExam(offlineExam.examSlug)
    }
  }
}

/** Most users never store an exam. For them no database is created. */
async function hasAny(): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name === DATABASE)
}
