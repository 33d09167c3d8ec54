import { renamed } from '../../../lib/former-names.ts'
import { deviceDatabase } from '../../../platform/device-database-client.ts'
import { Edit, type Outbox } from './course-sync.schema.ts'

/*
 * Where an admin's changes lie until the server has them: IndexedDB, which survives a closed browser and is read and written
 * in one step, whichever tab does it.
 */

const DATABASE = 'altocert-catalogue'
const STORE = 'outbox'
const KEY = 'edits'
/** What could not be read is put aside, never thrown away. */
const BROKEN_KEY = 'unreadable'

const open = deviceDatabase(DATABASE, [STORE])

export async function readOutbox(): Promise<Outbox> {
  return onOutbox('readonly', (_store, now) => now)
}

/** Changes the list in one transaction; settles when it is on the disk. */
export async function changeOutbox(make: (now: Outbox) => Outbox): Promise<Outbox> {
  return onOutbox('readwrite', (store, now) => {
    const next = make(now)
    store.put(next, KEY)
    return next
  })
}

/** For signing out: nothing that an admin typed stays on the device. */
export async function clearOutbox(): Promise<void> {
  await onOutbox('readwrite', (store) => {
    store.clear()
    return []
  })
}

async function onOutbox(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore, now: Outbox) => Outbox,
): Promise<Outbox> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode, { durability: 'strict' })
    const store = transaction.objectStore(STORE)
    const request: IDBRequest<unknown> = store.get(KEY)
    let result: Outbox = []
    request.addEventListener('success', () => {
      const { edits, broken } = sort(request.result)
      if (broken.length > 0 && mode === 'readwrite') store.put(broken, BROKEN_KEY)
      result = act(store, edits)
      transaction.commit()
    })
    transaction.addEventListener('complete', () => resolve(result))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB stopped')))
  })
}

function sort(value: unknown): { edits: Edit[]; broken: unknown[] } {
  const kept: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  const parsed = kept.map((one) => ({ one, edit: Edit.safeParse(renamed(one, { trouble: 'syncProblem' })) }))
  const broken = parsed.flatMap(({ one, edit }) => (edit.success ? [] : [one]))
  if (broken.length > 0) console.warn('Changes of another version were put aside:', broken)
  return { edits: parsed.flatMap(({ edit }) => (edit.success ? [edit.data] : [])), broken }
}
