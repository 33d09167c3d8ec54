import { deviceDatabase } from '../../../platform/device-database-client.ts'
import type { Queue } from './answer-queue.ts'

/*
 * What an exam page keeps on the device: the answers that the server has not acknowledged, and the page's own name. It lies
 * in IndexedDB, which survives a reload, a crash and a closed tab; without it an exam goes on, and only says so in the log.
 */

const DATABASE = 'altocert'
const QUEUES = 'answer-queues'
const PAGE_KEY = 'altocert.page'
/** How long a page that is being reloaded may take to let go of its name. */
const LET_GO_MS = 1000

const open = deviceDatabase(DATABASE, [QUEUES])

/** One transaction on the queues; settles when it is on the disk. */
async function onQueues<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(QUEUES, mode, { durability: 'strict' })
    const request = act(transaction.objectStore(QUEUES))
    // Without this the commit would wait for an event that a page which is going away does not hear any more.
    transaction.commit()
    transaction.addEventListener('complete', () => resolve(request.result))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB stopped')))
  })
}

const ofAttempt = (attemptId: string) => IDBKeyRange.bound([attemptId], [attemptId, []])

/** The queues of an attempt on this device: this page's, and those of pages that were closed or crashed. */
export async function readQueues(attemptId: string): Promise<Queue[]> {
  try {
    const kept: unknown[] = await onQueues('readonly', (store) => store.getAll(ofAttempt(attemptId)))
    return kept.filter(isQueue)
  } catch (error) {
    console.warn('What was kept on this device could not be read:', error)
    return []
  }
}

/** The attempts that something is kept of. */
export async function listStoredAttempts(): Promise<string[]> {
  try {
    const keys = await onQueues('readonly', (store) => store.getAllKeys())
    return [...new Set(keys.map((key) => (Array.isArray(key) ? String(key[0]) : '')))]
  } catch (error) {
    console.warn('What was kept on this device could not be read:', error)
    return []
  }
}

export function storeQueue(attemptId: string, queue: Queue): void {
  onQueues('readwrite', (store) => store.put(queue, [attemptId, queue.writer])).catch((error: unknown) =>
    console.warn('The answer could not be kept on this device:', error),
  )
}

export function clearQueues(attemptId: string): void {
  onQueues('readwrite', (store) => store.delete(ofAttempt(attemptId))).catch((error: unknown) =>
    console.warn('What was kept on this device could not be removed:', error),
  )
  clearPlaces(placeKey(attemptId))
}

/** For signing out: nothing of anybody's exams stays on the device. */
export async function clearEverything(): Promise<void> {
  clearPlaces(placeKey(''))
  try {
    await onQueues('readwrite', (store) => store.clear())
  } catch (error) {
    console.warn('What was kept on this device could not be removed:', error)
  }
}

function isQueue(value: unknown): value is Queue {
  if (typeof value !== 'object' || value === null) return false
  const { writer, seq, unsent } = value as Partial<Queue>
  return typeof writer === 'string' && typeof seq === 'number' && typeof unsent === 'object' && unsent !== null
}

let named: Promise<string> | null = null

/** This page's name as a writer. A tab keeps it through reloads; a tab that was copied gets one of its own. */
export function nameOfPage(): Promise<string> {
  named ??= findName()
  return named
}

async function findName(): Promise<string> {
  const kept = readSession(PAGE_KEY)
  if (kept !== null && (await holdUntilClosed(`${PAGE_KEY}.${kept}`))) return kept
  const fresh = crypto.randomUUID()
  storeCheckoutSession(PAGE_KEY, fresh)
  await holdUntilClosed(`${PAGE_KEY}.${fresh}`)
  return fresh
}

/** Whether this page has the lock, which the browser takes back when the page is gone. Without locks nobody contests it. */
function holdUntilClosed(name: string): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(true)
  return new Promise((resolve) => {
    navigator.locks
      .request(name, { signal: AbortSignal.timeout(LET_GO_MS) }, () => {
        resolve(true)
        return new Promise(() => undefined)
      })
      .catch(() => resolve(false))
  })
}

const openLock = (attemptId: string, writer: string) => `altocert.attempt.${attemptId}.${writer}`

/** Says to the other pages of this browser that an attempt is open here, until the function given back is called. */
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
    // Closed before it was its turn.
    .catch(() => undefined)
  return () => close()
}

/** Whether a writer was a page of this browser that is not open any more: nobody is there who could mind. */
export async function isLeftBehind(attemptId: string, writer: string): Promise<boolean> {
  if (!('locks' in navigator)) return false
  const isOfThisDevice = (await readQueues(attemptId)).some((queue) => queue.writer === writer)
  return isOfThisDevice && !(await isOpenHere(attemptId, writer))
}

/** Whether a page of this browser has an attempt open as that writer. */
export async function isOpenHere(attemptId: string, writer: string): Promise<boolean> {
  if (!('locks' in navigator)) return true
  const { held = [], pending = [] } = await navigator.locks.query()
  return [...held, ...pending].some(({ name }) => name === openLock(attemptId, writer))
}

const placeKey = (attemptId: string) => `altocert.place.${attemptId}`

/** The place of the question that was looked at last, so that a reload comes back to it. */
export function readPlace(attempt: { readonly id: string; readonly questions: readonly unknown[] }): number {
  const place = Number(readSession(placeKey(attempt.id)) ?? 0)
  return Number.isInteger(place) && place >= 0 && place < attempt.questions.length ? place : 0
}

export function keepPlace(attempt: { readonly id: string }, place: number): void {
  storeCheckoutSession(placeKey(attempt.id), String(place))
}

function clearPlaces(prefix: string) {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  } catch (error) {
    console.warn('What was kept for this tab could not be removed:', error)
  }
}

function readSession(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

function storeCheckoutSession(key: string, value: string) {
  try {
    sessionStorage.setItem(key, value)
  } catch (error) {
    console.warn('This browser keeps nothing for the tab:', error)
  }
}
