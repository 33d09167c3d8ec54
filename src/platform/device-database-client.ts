/**
 * Opens an IndexedDB database with these stores on first use. After a failure, or after the database was closed or deleted, the next
 * call opens it again; no reload is needed.
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
    // Throws where the browser blocks IndexedDB.
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => {
      for (const store of stores) request.result.createObjectStore(store)
    })
    request.addEventListener('success', () => {
      request.result.addEventListener('close', handleClose)
      // It is being deleted, here or in another tab; the deletion, and who opens it next, would wait for this page to close.
      request.result.addEventListener('versionchange', () => {
        request.result.close()
        handleClose()
      })
      resolve(request.result)
    })
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB did not open')))
  })
}
