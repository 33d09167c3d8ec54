import { onTestFinished, vi } from 'vitest'

type Rows = Map<string, { key: unknown; value: unknown }>

/**
 * As much of IndexedDB as our clients use, in memory. Requests succeed in the order in which they were made; a transaction is complete
 * when none is left. Returns the rows of a store by the names of database and store.
 */
export function useDeviceDatabases(): (database: string, store: string) => unknown[] {
  const databases = new Map<string, Map<string, Rows>>()
  vi.stubGlobal('indexedDB', {
    databases: () => Promise.resolve([...databases.keys()].map((name) => ({ name }))),
    open: (name: string) => openRequest(databases, name),
  })
  vi.stubGlobal('IDBKeyRange', { bound: ([first]: unknown[]) => ({ first }) })
  onTestFinished(() => void vi.unstubAllGlobals())
  return (database, store) => [...(databases.get(database)?.get(store)?.values() ?? [])].map(({ value }) => value)
}

function openRequest(databases: Map<string, Map<string, Rows>>, name: string) {
  const isNew = !databases.has(name)
  const stores = databases.get(name) ?? new Map<string, Rows>()
  databases.set(name, stores)
  const result = Object.assign(new EventTarget(), {
    createObjectStore: (store: string) => stores.set(store, new Map()),
    transaction: () => transactionOn(stores),
    close: () => undefined,
  })
  const request = Object.assign(new EventTarget(), { result })
  queueMicrotask(() => {
    if (isNew) request.dispatchEvent(new Event('upgradeneeded'))
    request.dispatchEvent(new Event('success'))
  })
  return request
}

function transactionOn(stores: Map<string, Rows>) {
  let pending = 0
  const transaction = new EventTarget()
  const answered = (run: () => unknown) => {
    const request = Object.assign(new EventTarget(), { result: undefined as unknown })
    pending += 1
    queueMicrotask(() => {
      request.result = structuredClone(run())
      request.dispatchEvent(new Event('success'))
      pending -= 1
      if (pending === 0) transaction.dispatchEvent(new Event('complete'))
    })
    return request
  }
  const objectStore = (name: string) => {
    const rows = stores.get(name)!
    const within = (range: unknown) =>
      [...rows.values()].filter(({ key }) => {
        const first = (range as { first?: unknown } | undefined)?.first
        return first === undefined || (Array.isArray(key) && key[0] === first)
      })
    return {
      get: (key: unknown) => answered(() => rows.get(JSON.stringify(key))?.value),
      getAll: (range?: unknown) => answered(() => within(range).map(({ value }) => value)),
      getAllKeys: () => answered(() => within(undefined).map(({ key }) => key)),
      put: (value: unknown, key: unknown) =>
        answered(() => void rows.set(JSON.stringify(key), { key, value: structuredClone(value) })),
      delete: (key: unknown) => answered(() => void rows.delete(JSON.stringify(key))),
      clear: () => answered(() => rows.clear()),
    }
  }
  return Object.assign(transaction, { objectStore, commit: () => undefined })
}
