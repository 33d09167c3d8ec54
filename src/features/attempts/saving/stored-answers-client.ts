import { deviceDatabase } from '../../../platform/device-database-client.ts'
import { noShownExam, shownExamCookie } from '../plain-exam/shown-exam.ts'
import { countQuestions } from '../count-questions.ts'
import { storedQueue, type Queue } from './answer-queue.ts'

/*
 * An exam page stores on the device the answers that the server has not acknowledged, and its own name. IndexedDB survives a
 * reload, a crash and a closed tab. An exam works without it too; failures are only logged.
 */

const DATABASE = 'altocert'
const QUEUES = 'answer-queues'
const PAGE_KEY = 'altocert.page'
const PAGES_KEY = 'altocert.pages'
const MOST_PAGES = 50
/** The time that a page may take to release its name while it reloads. */
const RELEASE_MS = 1000

const open = deviceDatabase(DATABASE, [QUEUES])

/** One transaction on the queues. Resolves when it is on the disk. */
async function onQueues<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(QUEUES, mode, { durability: 'strict' })
    const request = act(transaction.objectStore(QUEUES))
    // Otherwise the commit waits for an event that a closing page no longer receives.
    transaction.commit()
    transaction.addEventListener('complete', () => resolve(request.result))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB stopped')))
  })
}

const ofAttempt = (attemptId: string) => IDBKeyRange.bound([attemptId], [attemptId, []])

/** The queues of an attempt on this device: the one of this page, and those of pages that were closed or crashed. */
export async function readQueues(attemptId: string): Promise<Queue[]> {
  try {
    const records: unknown[] = await onQueues('readonly', (store) => store.getAll(ofAttempt(attemptId)))
    return records.flatMap((record) => storedQueue(record) ?? [])
  } catch (error) {
    console.warn('The stored answers could not be read:', error)
    return []
  }
}

/** The ids of the attempts that have queues on this device. */
export async function listStoredAttempts(): Promise<string[]> {
  try {
    const keys = await onQueues('readonly', (store) => store.getAllKeys())
    return [...new Set(keys.map((key) => (Array.isArray(key) ? String(key[0]) : '')))]
  } catch (error) {
    console.warn('The stored answers could not be read:', error)
    return []
  }
}

export function storeQueue(attemptId: string, queue: Queue): void {
  onQueues('readwrite', (store) => store.put(queue, [attemptId, queue.writer])).catch((error: unknown) =>
    console.warn('The answer could not be stored on this device:', error),
  )
}

/** Takes out of a queue on the device what was sent for it. Its page may have been opened again meanwhile and stored newer answers. */
export async function removeSent(attemptId: string, sent: Queue): Promise<void> {
  const key = [attemptId, sent.writer]
  try {
    const database = await open()
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(QUEUES, 'readwrite', { durability: 'strict' })
      const store = transaction.objectStore(QUEUES)
      const request = store.get(key)
      request.addEventListener('success', () => {
        const queue = storedQueue(request.result)
        if (queue === null) return
        const unsent = Object.entries(queue.unsent).filter(([id, { seq }]) => seq !== sent.unsent[id]?.seq)
        store.put({ ...queue, unsent: Object.fromEntries(unsent) }, key)
      })
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB stopped')))
    })
  } catch (error) {
    console.warn('The stored answers could not be changed:', error)
  }
}

export function clearQueues(attemptId: string): void {
  onQueues('readwrite', (store) => store.delete(ofAttempt(attemptId))).catch((error: unknown) =>
    console.warn('The stored answers could not be removed:', error),
  )
  clearPlaces(placeKey(attemptId))
}

/** At sign-out: only answers that the server does not have stay on the device, until their learner is back. */
export async function clearSent(): Promise<void> {
  clearPlaces(placeKey(''))
  for (const attemptId of await listStoredAttempts()) {
    const queues = await readQueues(attemptId)
    if (queues.some(({ unsent }) => Object.keys(unsent).length > 0)) continue
    await onQueues('readwrite', (store) => store.delete(ofAttempt(attemptId))).catch((error: unknown) =>
      console.warn('The stored answers could not be removed:', error),
    )
  }
}

/** When the account is deleted: no answer of any exam stays on the device. */
export async function clearEverything(): Promise<void> {
  clearPlaces(placeKey(''))
  try {
    await onQueues('readwrite', (store) => store.clear())
  } catch (error) {
    console.warn('The stored answers could not be removed:', error)
  }
}

let named: Promise<string> | null = null

/** The name of this page as a writer. A tab keeps it through reloads; a duplicated tab gets another one. */
export function nameOfPage(): Promise<string> {
  named ??= findName()
  return named
}

async function findName(): Promise<string> {
  const stored = readSession(PAGE_KEY)
  if (stored !== null && (await holdUntilClosed(pageLock(stored)))) return stored
  const fresh = crypto.randomUUID()
  storeSession(PAGE_KEY, fresh)
  rememberPage(fresh)
  await holdUntilClosed(pageLock(fresh))
  return fresh
}

const pageLock = (name: string) => `${PAGE_KEY}.${name}`

/** Also a page that is closed before it has stored an answer is known as one of this browser. */
function rememberPage(name: string): void {
  try {
    localStorage.setItem(PAGES_KEY, JSON.stringify([name, ...knownPages()].slice(0, MOST_PAGES)))
  } catch {
    // A full or blocked storage: another page asks before it takes the exam over.
  }
}

function knownPages(): readonly unknown[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(PAGES_KEY) ?? '[]')
    return Array.isArray(names) ? names : []
  } catch {
    return []
  }
}

/** Whether this page got the lock; the browser releases it when the page is closed. Always true in a browser without locks. */
function holdUntilClosed(name: string): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(true)
  return new Promise((resolve) => {
    navigator.locks
      .request(name, { signal: AbortSignal.timeout(RELEASE_MS) }, () => {
        resolve(true)
        return new Promise(() => undefined)
      })
      .catch(() => resolve(false))
  })
}

const openLock = (attemptId: string, writer: string) => `altocert.attempt.${attemptId}.${writer}`

/** Tells the other pages of this browser that an attempt is open here, until the returned function is called. */
export function announceOpen(attemptId: string, writer: string): () => void {
  if (!('locks' in navigator)) return () => undefined
  const controller = new AbortController()
  let close = () => controller.abort()
  const hold = () =>
    new Promise<void>((resolve) => {
      close = resolve
    })
  navigator.locks
    .request(openLock(attemptId, writer), { signal: controller.signal }, hold)
    // The page was closed before it got the lock.
    .catch(() => undefined)
  return () => close()
}

/** Whether a writer was a page of this browser that is closed now, so that its attempt can be taken over without asking. */
export async function isLeftBehind(attemptId: string, writer: string): Promise<boolean> {
  if (!('locks' in navigator)) return false
  const hasStored = (await readQueues(attemptId)).some((queue) => queue.writer === writer)
  if (hasStored) return !(await isOpenHere(attemptId, writer))
  return knownPages().includes(writer) && !(await isHeld(pageLock(writer)))
}

/** Whether a page of this browser has an attempt open as that writer. */
export async function isOpenHere(attemptId: string, writer: string): Promise<boolean> {
  if (!('locks' in navigator)) return true
  return isHeld(openLock(attemptId, writer))
}

async function isHeld(lock: string): Promise<boolean> {
  const { held = [], pending = [] } = await navigator.locks.query()
  return [...held, ...pending].some(({ name }) => name === lock)
}

const placeKey = (attemptId: string) => `altocert.place.${attemptId}`

/** The place of the question that this tab showed last; null if it showed none. */
export function readPlace(attempt: Parameters<typeof countQuestions>[0] & { readonly id: string }): number | null {
  const stored = readSession(placeKey(attempt.id))
  const place = Number(stored)
  const isPlace = stored !== null && Number.isInteger(place) && place >= 0 && place < countQuestions(attempt)
  return isPlace ? place : null
}

/** A reload returns to this place: the cookie lets the server render it. */
export function keepPlace(attemptId: string, place: number, writer: string): void {
  storeSession(placeKey(attemptId), String(place))
  document.cookie = shownExamCookie({ attemptId, place, writer }, isSecure())
}

const isSecure = () => location.protocol === 'https:'

function clearPlaces(prefix: string) {
  document.cookie = noShownExam(isSecure())
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  } catch (error) {
    console.warn('The places of this tab could not be removed:', error)
  }
}

function readSession(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

function storeSession(key: string, value: string) {
  try {
    sessionStorage.setItem(key, value)
  } catch (error) {
    console.warn('Nothing could be stored for this tab:', error)
  }
}
