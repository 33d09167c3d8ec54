import { DAY_MS } from '../../../../lib/time.ts'
import { CallFailed, clientOf } from '../../../../platform/client.ts'
import type { packsApi } from './api.server.ts'
import { packTime, type PackClock } from './rules.ts'
import type { OfflineAttempt, Pack } from './schema.ts'

/*
 * Exams that an owner put on this device, and what was practised with them. Both lie in a database of their own, which signing
 * out empties; a pack whose access has ended, or that is somebody else's, is removed when it is met.
 */

const call = clientOf<typeof packsApi>()
const DATABASE = 'altocert-packs'
const PACKS = 'packs'
const RESULTS = 'results'
/** Nothing that is tried again would change these; a session that has ended, or a network that is away, does. */
const REFUSED_FOR_GOOD = new Set([400, 403, 404, 409, 413])
type Store = typeof PACKS | typeof RESULTS

type KeptPack = { readonly pack: Pack; readonly clock: PackClock }
type Result = { readonly personId: string; readonly attempt: OfflineAttempt }

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.addEventListener('upgradeneeded', () => {
      for (const name of [PACKS, RESULTS]) request.result.createObjectStore(name)
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB did not open')))
  })
}

async function on<Reply>(
  name: Store,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Reply>,
): Promise<Reply> {
  const database = await open()
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode)
      const request = act(transaction.objectStore(name))
      transaction.addEventListener('complete', () => resolve(request.result))
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB stopped')))
    })
  } finally {
    database.close()
  }
}

/** @throws CallFailed when access does not run, or there is no network */
export async function keepPack(examSlug: string): Promise<Pack> {
  const pack = await call('GET', '/api/packs/:examSlug', { params: { examSlug } })
  const serverMs = Date.parse(pack.now)
  const kept: KeptPack = { pack, clock: { serverMs, deviceMs: Date.now(), seenMs: serverMs } }
  await on(PACKS, 'readwrite', (store) => store.put(kept, examSlug))
  return pack
}

export async function removePack(examSlug: string): Promise<void> {
  await on(PACKS, 'readwrite', (store) => store.delete(examSlug))
}

/** The exam, if it is here and its access runs; it is removed when it does not. Remembers how late it is. */
export async function readPack(examSlug: string): Promise<Pack | null> {
  const kept = (await on(PACKS, 'readonly', (store) => store.get(examSlug))) as KeptPack | undefined
  if (kept === undefined) return null
  const nowMs = packTime(kept.clock, Date.now())
  if (!(nowMs < Date.parse(kept.pack.accessUntil))) {
    await removePack(examSlug)
    return null
  }
  const clock = { ...kept.clock, seenMs: nowMs }
  await on(PACKS, 'readwrite', (store) => store.put({ ...kept, clock }, examSlug))
  return kept.pack
}

export async function keepResult(personId: string, attempt: OfflineAttempt): Promise<void> {
  await on(RESULTS, 'readwrite', (store) => store.put({ personId, attempt } satisfies Result, attempt.id))
}

/**
 * Sends what was practised offline by this person; what the server refuses for good is removed and logged. Says which
 * attempts have arrived.
 */
export async function sendResults(personId: string): Promise<string[]> {
  if (!(await hasAny())) return []
  const results = (await on(RESULTS, 'readonly', (store) => store.getAll())) as Result[]
  const arrived: string[] = []
  for (const { attempt } of results.filter((one) => one.personId === personId)) {
    try {
      await call('POST', '/api/offline-attempts', { body: attempt })
      arrived.push(attempt.id)
    } catch (error) {
      if (!(error instanceof CallFailed) || !REFUSED_FOR_GOOD.has(error.status)) break
      console.warn('What was practised offline was refused:', error)
    }
    await on(RESULTS, 'readwrite', (store) => store.delete(attempt.id))
  }
  return arrived
}

/** For signing out: no key, and nothing that was practised, stays on this device. */
export async function forgetEverything(): Promise<void> {
  try {
    if (!(await hasAny())) return
    await on(PACKS, 'readwrite', (store) => store.clear())
    await on(RESULTS, 'readwrite', (store) => store.clear())
  } catch (error) {
    console.warn('What was kept on this device could not be removed:', error)
  }
}

/**
 * What is somebody else's goes. Where a session has only ended, the keys go, and what was practised waits for its owner to
 * sign in again.
 */
export async function forgetOthers(personId: string | null): Promise<void> {
  if (!(await hasAny())) return
  const packs = (await on(PACKS, 'readonly', (store) => store.getAll())) as KeptPack[]
  for (const { pack } of packs) if (pack.personId !== personId) await removePack(pack.examSlug)
  if (personId === null) return
  const results = (await on(RESULTS, 'readonly', (store) => store.getAll())) as Result[]
  for (const result of results)
    if (result.personId !== personId) await on(RESULTS, 'readwrite', (store) => store.delete(result.attempt.id))
}

/** Once a day, where there is a network: access that was taken away removes the exam, access that was renewed keeps it longer. */
export async function renewPacks(): Promise<void> {
  if (!(await hasAny())) return
  const kept = (await on(PACKS, 'readonly', (store) => store.getAll())) as KeptPack[]
  for (const { pack, clock } of kept) {
    if (packTime(clock, Date.now()) - clock.serverMs < DAY_MS) continue
    try {
      await keepPack(pack.examSlug)
    } catch (error) {
      if (!(error instanceof CallFailed) || !REFUSED_FOR_GOOD.has(error.status)) return
      await removePack(pack.examSlug)
    }
  }
}

/** Most people never put an exam on a device: for them no database is made. */
async function hasAny(): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name === DATABASE)
}
