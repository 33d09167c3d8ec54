/**
 * A database of this browser with its stores, opened when it is first needed. When it could not be opened, or was closed by the
 * browser, whoever needs it next tries again: no reload is needed for it.
 */
export function deviceDatabase(name: string, stores: readonly string[]): () => Promise<IDBDatabase> {
  let opened: Promise<IDBDatabase> | null = null
  const forget = () => {
    opened = null
  }
  return () => {
    opened ??= openDatabase(name, stores, forget).catch((error: unknown) => {
      forget()
      throw error
    })
    return opened
  }
}

function openDatabase(name: string, stores: readonly string[], handleClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Throws where the browser blocks it.
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => {
      for (const store of stores) request.result.createObjectStore(store)
    })
    request.addEventListener('success', () => {
      request.result.addEventListener('close', handleClose)
      resolve(request.result)
    })
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB did not open')))
  })
}
