import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { isPrivate, type ToWorker } from './offline.ts'
import { useSite } from '../layout/use-site.ts'

const ANSWER_MS = 3000

/** Nothing of it competes with the first paint: the worker comes when the page is loaded and has nothing to do. */
export function startWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 1000))
  const start = () => idle(() => void register())
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}

async function register(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register('/service-worker.js')
    const manifest = (window as unknown as Record<string, { url?: string } | undefined>)['__reactRouterManifest']?.url
    if (manifest !== undefined) registration.waiting?.postMessage({ kind: 'take-over', manifest } satisfies ToWorker)
  } catch (error) {
    console.warn('Pages will not open offline:', error)
  }
}

/** Tells the worker which page is shown, for whom, so that it opens again without the network. */
export function useStoredPages(): void {
  const { pathname, search } = useLocation()
  const userId = useSite().user?.id ?? null
  useEffect(() => {
    // Outside: the service worker. It may still be on its way when the page is the first one.
    if (!('serviceWorker' in navigator)) return
    let isGone = false
    void navigator.serviceWorker.ready.then(({ active }) => {
      if (isGone) return
      active?.postMessage({ kind: 'seen', path: pathname + search, user: userId } satisfies ToWorker)
    })
    return () => {
      isGone = true
    }
  }, [pathname, search, userId])
}

/** Of what was kept for the person who is signed in, nothing is left when this settles. */
export async function clearPrivatePages(): Promise<void> {
  if (!('serviceWorker' in navigator) || !('caches' in window)) return
  try {
    const registration = await navigator.serviceWorker.getRegistration()
    if (registration?.active) await tell(registration.active, { kind: 'forget' })
    for (const name of await caches.keys()) if (isPrivate(name)) await caches.delete(name)
  } catch (error) {
    console.warn('Pages that were kept could not all be removed:', error)
  }
}

/** Settles when the worker has done it; a worker that does not answer keeps nobody from signing out. */
function tell(worker: ServiceWorker, message: ToWorker): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const timer = setTimeout(resolve, ANSWER_MS)
    port1.addEventListener('message', () => {
      clearTimeout(timer)
      resolve()
    })
    port1.start()
    worker.postMessage(message, [port2])
  })
}

/** Whether this page opens without the network. */
export async function isStored(path: string): Promise<boolean> {
  if (!('serviceWorker' in navigator) || navigator.serviceWorker.controller === null) return false
  return (await caches.match(path, { ignoreVary: true })) !== undefined
}

export type StoredPage = { readonly path: string; readonly title: string }

/** What opens without the network, by its title. */
export async function listStoredPages(): Promise<StoredPage[]> {
  if (!('caches' in window)) return []
  const pages: StoredPage[] = []
  for (const name of await caches.keys()) {
    if (!name.startsWith('pages-')) continue
    const cache = await caches.open(name)
    for (const { url } of await cache.keys()) {
      const reply = await cache.match(url, { ignoreVary: true })
      if (reply?.headers.get('content-type')?.startsWith('text/html') !== true) continue
      const { title } = new DOMParser().parseFromString(await reply.text(), 'text/html')
      const { pathname, search } = new URL(url)
      pages.push({ path: pathname + search, title: title.split(' | ')[0] || pathname })
    }
  }
  return pages
}

/** Whether the browser has a network, as far as it knows. */
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
