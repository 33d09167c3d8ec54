import { renamed } from '../../../lib/former-names.ts'
import { deviceDatabase } from '../../../platform/device-database-client.ts'
import { Edit, type Outbox } from './course-sync.schema.ts'

/*
 * Stores an admin's edits until the server has them. IndexedDB survives closing the browser, and its transactions cover all tabs.
 */

const DATABASE = 'altocert-catalogue'
const STORE = 'outbox'
const KEY = 'edits'
/** Edits that cannot be parsed are moved here instead of being deleted. */
const BROKEN_KEY = 'unreadable'

const open = deviceDatabase(DATABASE, [STORE])

export async function readOutbox(): Promise<Outbox> {
  return onOutbox('readonly', (_store, now) => now)
}

/** Changes the outbox in one transaction. The promise resolves when it is on the disk. */
export async function changeOutbox(make: (now: Outbox) => Outbox): Promise<Outbox> {
  return onOutbox('readwrite', (store, now) => {
    const next = make(now)
    store.put(next, KEY)
    return next
  })
}

/** Clears the outbox at sign-out, so that no typed data stays on the device. */
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
      const { edits, broken } = parse(request.result)
      if (broken.length > 0 && mode === 'readwrite') store.put(broken, BROKEN_KEY)
      result = act(store, edits)
      transaction.commit()
    })
    transaction.addEventListener('complete', () => resolve(result))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB stopped')))
  })
}

function parse(value: unknown): { edits: Edit[]; broken: unknown[] } {
  const stored: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  const parsed = stored.map((value) => ({ value, edit: Edit.safeParse(renamed(value, { trouble: 'syncProblem' })) }))
  const broken = parsed.flatMap(({ value, edit }) => (edit.success ? [] : [value]))
  if (broken.length > 0) console.warn('Edits of another version were moved aside:', broken)
  return { edits: parsed.flatMap(({ edit }) => (edit.success ? [edit.data] : [])), broken }
}
