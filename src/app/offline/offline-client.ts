import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import type { WorkerMessage } from './offline.ts'
import { useSite } from '../layout/use-site.ts'

/** Tells the worker which page is shown and for which user, so that it can be stored. */
export function useStoredPages(): void {
  const { pathname, search } = useLocation()
  const userId = useSite().user?.id ?? null
  useEffect(() => {
    // On the first page the service worker may not be ready yet.
    if (!('serviceWorker' in navigator)) return
    let isGone = false
    void navigator.serviceWorker.ready.then(({ active }) => {
      if (isGone) return
      active?.postMessage({ kind: 'seen', path: pathname + search, user: userId } satisfies WorkerMessage)
    })
    return () => {
      isGone = true
    }
  }, [pathname, search, userId])
}

/** Whether the browser believes that it is online. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener)
      window.addEventListener('offline', listener)
      return () => {
        window.removeEventListener('online', listener)
        window.removeEventListener('offline', listener)
      }
    },
    () => navigator.onLine,
    () => true,
  )
}
