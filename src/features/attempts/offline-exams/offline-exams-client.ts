import { renamed } from '../../../lib/former-names.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { CallFailed, clientOf } from '../../../platform/api-client.ts'
import type { offlineExamsApi } from './offline-exams-endpoints.server.ts'
import {
  endPractice,
  offlineExamTime,
  renewedOfflineExam,
  startPractice,
  type OfflineExamClock,
  type Practice,
} from './offline-exams.ts'
import type { OfflineAttempt, OfflineExam } from './offline-exams.schema.ts'

/*
 * Exams that an owner put on this device, and what was practised with them. Both lie in a database of their own, which signing
 * out empties; a pack whose access has ended, or that is somebody else's, is removed when it is met. Practice that is under way
 * lies with its pack. Where the pack is removed, it ends as it stands and becomes a result, so that no answer is lost.
 */

const call = clientOf<typeof offlineExamsApi>()
const DATABASE = 'altocert-packs'
const OFFLINE_EXAMS = 'packs'
const RESULTS = 'results'
/** Nothing that is tried again would change these; a session that has ended, or a network that is away, does. */
const REFUSED_FOR_GOOD = new Set([400, 403, 404, 409, 413])
type Store = typeof OFFLINE_EXAMS | typeof RESULTS

/** Packs that were kept by an earlier build have no practice. */
type StoredOfflineExam = {
  readonly offlineExam: OfflineExam
  readonly clock: OfflineExamClock
  readonly practice?: Practice
}
type Result = { readonly userId: string; readonly attempt: OfflineAttempt }

/** Earlier builds stored `pack` and `personId`. */
function storedOfflineExam(record: unknown): StoredOfflineExam | null {
  if (record === undefined) return null
  const stored = renamed(record, { pack: 'offlineExam' }) as StoredOfflineExam
  const offlineExam = renamed(stored.offlineExam, { personId: 'userId' }) as OfflineExam
  const questions = offlineExam.questions.map(
    (question) => renamed(question, FORMER_QUESTION) as OfflineExam['questions'][number],
  )
  return { ...stored, offlineExam: { ...offlineExam, questions } }
}

const FORMER_QUESTION = {
  answers: 'options',
  rightAnswerIds: 'rightOptionIds',
  suggestedAnswerIds: 'suggestedOptionIds',
  mostVotedAnswerIds: 'mostVotedOptionIds',
}

function storedResult(record: unknown): Result {
  return renamed(record, { personId: 'userId' }) as Result
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.addEventListener('upgradeneeded', () => {
      for (const name of [OFFLINE_EXAMS, RESULTS]) request.result.createObjectStore(name)
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
type Change = { readonly kept: StoredOfflineExam | null; readonly ended?: OfflineAttempt | null }

/** Reads and writes in one transaction, so that two tabs at once lose nothing. Gives what lies there then. */
async function changePack(
  examSlug: string,
  change: (kept: StoredOfflineExam | null) => Change | null,
): Promise<StoredOfflineExam | null> {
  const database = await open()
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction([OFFLINE_EXAMS, RESULTS], 'readwrite')
      const [offlineExams, results] = [transaction.objectStore(OFFLINE_EXAMS), transaction.objectStore(RESULTS)]
      let after: StoredOfflineExam | null = null
      const request = offlineExams.get(examSlug)
      request.addEventListener('success', () => {
        const before = storedOfflineExam(request.result)
        const changed = change(before)
        after = changed === null ? before : changed.kept
        if (changed === null) return
        if (changed.kept === null) offlineExams.delete(examSlug)
        else offlineExams.put(changed.kept, examSlug)
        const owner = before?.offlineExam.userId
        const { ended = null } = changed
        if (ended !== null && owner !== undefined)
          results.put({ userId: owner, attempt: ended } satisfies Result, ended.id)
      })
      transaction.addEventListener('complete', () => resolve(after))
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB stopped')))
    })
  } finally {
    database.close()
  }
}

/** @throws CallFailed when access does not run, or there is no network */
export async function storeOfflineExam(examSlug: string): Promise<OfflineExam> {
  const given = await call('GET', '/api/offline-exams/:examSlug', { params: { examSlug } })
  const serverMs = Date.parse(given.now)
  const clock: OfflineExamClock = { serverMs, deviceMs: Date.now(), seenMs: serverMs }
  const kept = await changePack(examSlug, (before) => {
    const offlineExam = before === null ? given : renewedOfflineExam(before.offlineExam, before.practice, given)
    return {
      kept:
        offlineExam === given || before === null ? { offlineExam: given, clock } : { ...before, offlineExam, clock },
    }
  })
  return kept?.offlineExam ?? given
}

export async function removeOfflineExam(examSlug: string): Promise<void> {
  await changePack(examSlug, removed)
}

function removed(kept: StoredOfflineExam | null): Change {
  return { kept: null, ended: kept === null ? null : endOf(kept) }
}

function endOf({ offlineExam, practice }: StoredOfflineExam): OfflineAttempt | null {
  return practice === undefined ? null : endPractice(offlineExam, practice)
}

/** Only while access runs, and remembering how late it is. */
function whileAccessRuns(kept: StoredOfflineExam | null): Change | null {
  if (kept === null) return null
  const nowMs = offlineExamTime(kept.clock, Date.now())
  if (!(nowMs < Date.parse(kept.offlineExam.accessUntil))) return removed(kept)
  return { kept: { ...kept, clock: { ...kept.clock, seenMs: nowMs } } }
}

/** The exam, if it is here and its access runs; it is removed when it does not. */
export async function readOfflineExam(examSlug: string): Promise<OfflineExam | null> {
  return (await changePack(examSlug, whileAccessRuns))?.offlineExam ?? null
}

/** The exam as `readPack` gives it, with the practice that is under way; where none is, one begins. */
export async function openPractice(
  examSlug: string,
): Promise<{ readonly offlineExam: OfflineExam; readonly practice: Practice } | null> {
  const fresh = { id: crypto.randomUUID(), now: new Date() }
  const kept = await changePack(examSlug, (before) => {
    const change = whileAccessRuns(before)
    if (change === null || change.kept === null) return change
    const { practice = startPractice(change.kept.offlineExam, fresh.id, fresh.now) } = change.kept
    return { kept: { ...change.kept, practice } }
  })
  return kept?.practice === undefined ? null : { offlineExam: kept.offlineExam, practice: kept.practice }
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
  const slugs = (await on(OFFLINE_EXAMS, 'readonly', (store) => store.getAllKeys())) as string[]
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
export async function sendResults(userId: string): Promise<string[]> {
  if (!(await hasAny())) return []
  const results = (await on<unknown[]>(RESULTS, 'readonly', (store) => store.getAll())).map(storedResult)
  const arrived: string[] = []
  for (const { attempt } of results.filter((one) => one.userId === userId)) {
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
export async function clearEverything(): Promise<void> {
  try {
    if (!(await hasAny())) return
    await on(OFFLINE_EXAMS, 'readwrite', (store) => store.clear())
    await on(RESULTS, 'readwrite', (store) => store.clear())
  } catch (error) {
    console.warn('What was kept on this device could not be removed:', error)
  }
}

/**
 * What is somebody else's goes. Where a session has only ended, the keys go, and what was practised waits for its owner to
 * sign in again.
 */
export async function clearOthers(userId: string | null): Promise<void> {
  if (!(await hasAny())) return
  const offlineExams = (await on<unknown[]>(OFFLINE_EXAMS, 'readonly', (store) => store.getAll())).flatMap(
    (record) => storedOfflineExam(record) ?? [],
  )
  for (const { offlineExam } of offlineExams)
    if (offlineExam.userId !== userId) await removeOfflineExam(offlineExam.examSlug)
  if (userId === null) return
  const results = (await on<unknown[]>(RESULTS, 'readonly', (store) => store.getAll())).map(storedResult)
  for (const result of results)
    if (result.userId !== userId) await on(RESULTS, 'readwrite', (store) => store.delete(result.attempt.id))
}

/** Once a day, where there is a network: access that was taken away removes the exam, access that was renewed keeps it longer. */
export async function renewOfflineExams(): Promise<void> {
  if (!(await hasAny())) return
  const kept = (await on<unknown[]>(OFFLINE_EXAMS, 'readonly', (store) => store.getAll())).flatMap(
    (record) => storedOfflineExam(record) ?? [],
  )
  for (const { offlineExam, clock } of kept) {
    if (offlineExamTime(clock, Date.now()) - clock.serverMs < DAY_MS) continue
    try {
      await storeOfflineExam(offlineExam.examSlug)
    } catch (error) {
      if (!(error instanceof CallFailed) || !REFUSED_FOR_GOOD.has(error.status)) return
      await removeOfflineExam(offlineExam.examSlug)
    }
  }
}

/** Most people never put an exam on a device: for them no database is made. */
async function hasAny(): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name === DATABASE)
}
