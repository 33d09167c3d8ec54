import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { savesData, STORED_FOR_OFFLINE } from '../../platform/data-saving-client.ts'
import { isPageOver } from '../../lib/page-end.ts'
import { isPrivate, type WorkerMessage } from './offline.ts'
import { useSite } from '../layout/use-site.ts'

/** Wait for the worker before a sign-out continues without it. */
const REPLY_MS = 3000

/**
 * Registers the worker when the page is loaded and idle, so that it does not delay the first paint. The worker fetches the whole shop
 * ahead, so for somebody who saves data it waits until they keep an exam on the device.
 */
export function startWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  if (savesData()) return window.addEventListener(STORED_FOR_OFFLINE, () => void register(), { once: true })
  const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 1000))
  const start = () => idle(() => void register())
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}

async function register(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register('/service-worker.js')
    const manifest = (window as unknown as Record<string, { url?: string } | undefined>)['__reactRouterManifest']?.url
    if (manifest !== undefined)
      registration.waiting?.postMessage({ kind: 'take-over', manifest } satisfies WorkerMessage)
  } catch (error) {
    console.warn('Pages will not open offline:', error)
  }
}

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

/** Deletes the pages stored for the signed-in user. A failure is logged, so that it does not prevent a sign-out. */
export async function clearPrivatePages(): Promise<void> {
  if (!('serviceWorker' in navigator) || !('caches' in window)) return
  try {
    const registration = await navigator.serviceWorker.getRegistration()
    if (registration?.active) await send(registration.active, { kind: 'forget' })
    for (const name of await caches.keys()) if (isPrivate(name)) await caches.delete(name)
  } catch (error) {
    console.warn('Some stored pages could not be deleted:', error)
  }
}

/** Resolves when the worker has handled the message, at the latest after `REPLY_MS`. */
function send(worker: ServiceWorker, message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const timer = setTimeout(resolve, REPLY_MS)
    port1.addEventListener('message', () => {
      clearTimeout(timer)
      resolve()
    })
    port1.start()
    worker.postMessage(message, [port2])
  })
}

/** Whether a page opens offline. */
export async function isStored(path: string): Promise<boolean> {
  if (!('serviceWorker' in navigator) || navigator.serviceWorker.controller === null) return false
  const reply = await caches.match(path, { ignoreVary: true })
  return reply !== undefined && !isPageOver(reply.headers, Date.now())
}

export type StoredPage = { readonly path: string; readonly title: string }

/** The pages that open offline, with their titles. */
export async function listStoredPages(): Promise<StoredPage[]> {
  if (!('caches' in window)) return []
  const pages: StoredPage[] = []
  for (const name of await caches.keys()) {
    if (!name.startsWith('pages-')) continue
    const cache = await caches.open(name)
    for (const { url } of await cache.keys()) {
      const reply = await cache.match(url, { ignoreVary: true })
      if (reply?.headers.get('content-type')?.startsWith('text/html') !== true) continue
      if (isPageOver(reply.headers, Date.now())) continue
      // Not the whole page: the policy of this page would report the inline styles of that one.
      const [head = ''] = /<title\b[^]*?<\/title>/.exec(await reply.text()) ?? []
      const { title } = new DOMParser().parseFromString(head, 'text/html')
      const { pathname, search } = new URL(url)
      pages.push({ path: pathname + search, title: title.split(' | ')[0] || pathname })
    }
  }
  return pages
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
