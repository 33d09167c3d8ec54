import { DAY_MS } from '../../../../lib/time.ts'
import { CallFailed, clientOf } from '../../../../platform/client.ts'
import type { packsApi } from './api.server.ts'
import { endPractice, packTime, renewedPack, startPractice, type PackClock, type Practice } from './rules.ts'
import type { OfflineAttempt, Pack } from './schema.ts'

/*
 * Exams that an owner put on this device, and what was practised with them. Both lie in a database of their own, which signing
 * out empties; a pack whose access has ended, or that is somebody else's, is removed when it is met. Practice that is under way
 * lies with its pack. Where the pack is removed, it ends as it stands and becomes a result, so that no answer is lost.
 */

const call = clientOf<typeof packsApi>()
const DATABASE = 'altocert-packs'
const PACKS = 'packs'
const RESULTS = 'results'
/** Nothing that is tried again would change these; a session that has ended, or a network that is away, does. */
const REFUSED_FOR_GOOD = new Set([400, 403, 404, 409, 413])
type Store = typeof PACKS | typeof RESULTS

/** Packs that were kept by an earlier build have no practice. */
type KeptPack = { readonly pack: Pack; readonly clock: PackClock; readonly practice?: Practice }
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

/** What is to lie on the device instead: another pack or none, and an attempt that has ended. */
type Change = { readonly kept: KeptPack | null; readonly ended?: OfflineAttempt | null }

/** Reads and writes in one transaction, so that two tabs at once lose nothing. Gives what lies there then. */
async function changePack(
  examSlug: string,
  change: (kept: KeptPack | null) => Change | null,
): Promise<KeptPack | null> {
  const database = await open()
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction([PACKS, RESULTS], 'readwrite')
      const [packs, results] = [transaction.objectStore(PACKS), transaction.objectStore(RESULTS)]
      let after: KeptPack | null = null
      const request = packs.get(examSlug)
      request.addEventListener('success', () => {
        const before = (request.result as KeptPack | undefined) ?? null
        const changed = change(before)
        after = changed === null ? before : changed.kept
        if (changed === null) return
        if (changed.kept === null) packs.delete(examSlug)
        else packs.put(changed.kept, examSlug)
        const owner = before?.pack.personId
        const { ended = null } = changed
        if (ended !== null && owner !== undefined)
          results.put({ personId: owner, attempt: ended } satisfies Result, ended.id)
      })
      transaction.addEventListener('complete', () => resolve(after))
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB stopped')))
    })
  } finally {
    database.close()
  }
}

/** @throws CallFailed when access does not run, or there is no network */
export async function keepPack(examSlug: string): Promise<Pack> {
  const given = await call('GET', '/api/packs/:examSlug', { params: { examSlug } })
  const serverMs = Date.parse(given.now)
  const clock: PackClock = { serverMs, deviceMs: Date.now(), seenMs: serverMs }
  const kept = await changePack(examSlug, (before) => {
    const pack = before === null ? given : renewedPack(before.pack, before.practice, given)
    return { kept: pack === given || before === null ? { pack: given, clock } : { ...before, pack, clock } }
  })
  return kept?.pack ?? given
}

export async function removePack(examSlug: string): Promise<void> {
  await changePack(examSlug, removed)
}

function removed(kept: KeptPack | null): Change {
  return { kept: null, ended: kept === null ? null : endOf(kept) }
}

function endOf({ pack, practice }: KeptPack): OfflineAttempt | null {
  return practice === undefined ? null : endPractice(pack, practice)
}

/** Only while access runs, and remembering how late it is. */
function whileAccessRuns(kept: KeptPack | null): Change | null {
  if (kept === null) return null
  const nowMs = packTime(kept.clock, Date.now())
  if (!(nowMs < Date.parse(kept.pack.accessUntil))) return removed(kept)
  return { kept: { ...kept, clock: { ...kept.clock, seenMs: nowMs } } }
}

/** The exam, if it is here and its access runs; it is removed when it does not. */
export async function readPack(examSlug: string): Promise<Pack | null> {
  return (await changePack(examSlug, whileAccessRuns))?.pack ?? null
}

/** The exam as `readPack` gives it, with the practice that is under way; where none is, one begins. */
export async function openPractice(
  examSlug: string,
): Promise<{ readonly pack: Pack; readonly practice: Practice } | null> {
  const fresh = { id: crypto.randomUUID(), now: new Date() }
  const kept = await changePack(examSlug, (before) => {
    const change = whileAccessRuns(before)
    if (change === null || change.kept === null) return change
    const { practice = startPractice(change.kept.pack, fresh.id, fresh.now) } = change.kept
    return { kept: { ...change.kept, practice } }
  })
  return kept?.practice === undefined ? null : { pack: kept.pack, practice: kept.practice }
}

/** Keeps a change of the practice with this id at once. False when it is under way no more: it was finished in another tab, or removed. */
export async function changePractice(
  examSlug: string,
  id: string,
  change: (practice: Practice) => Practice,
): Promise<boolean> {
  const kept = await changePack(examSlug, (before) =>
    before?.practice?.id === id ? { kept: { ...before, practice: change(before.practice) } } : null,
  )
  return kept?.practice?.id === id
}

/** Ends the practice with this id. Gives the attempt that it became, which is sent when there is a network; null as `changePractice` says false. */
export async function finishPractice(examSlug: string, id: string): Promise<OfflineAttempt | null> {
  const finishedAt = new Date().toISOString()
  let attempt: OfflineAttempt | null = null
  await changePack(examSlug, (before) => {
    if (before?.practice?.id !== id) return null
    const { practice: _, ...kept } = before
    const ended = endOf(before)
    if (ended !== null) attempt = { ...ended, finishedAt }
    return { kept, ended: attempt }
  })
  return attempt
}

/** For signing out, before the results are sent: what was practised comes along as it stands. */
export async function endPractices(): Promise<void> {
  if (!(await hasAny())) return
  const slugs = (await on(PACKS, 'readonly', (store) => store.getAllKeys())) as string[]
  for (const slug of slugs)
    await changePack(slug, (before) => {
      if (before === null) return null
      const { practice: _, ...kept } = before
      return { kept, ended: endOf(before) }
    })
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
