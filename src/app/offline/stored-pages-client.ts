import { isPageOver } from '../../lib/page-end.ts'
import { isPrivate, OWNER_CACHE, type WorkerMessage } from './offline.ts'

/** Wait for the worker before a sign-out continues without it. */
const REPLY_MS = 3000

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
  for (const cache of await openCaches()) {
    const reply = await cache.match(path, { ignoreVary: true })
    if (reply !== undefined) return !isPageOver(reply.headers, Date.now())
  }
  return false
}

/** The caches whose pages the worker shows now: those of the signed-in user, or those of guests. */
async function openCaches(): Promise<Cache[]> {
  const isOwned = await caches.has(OWNER_CACHE)
  const names = (await caches.keys()).filter(
    (name) => name.startsWith('pages-') && name !== OWNER_CACHE && isPrivate(name) === isOwned,
  )
  return Promise.all(names.map((name) => caches.open(name)))
}

export type StoredPage = { readonly path: string; readonly title: string }

/** The pages that open offline, with their titles. */
export async function listStoredPages(): Promise<StoredPage[]> {
  if (!('caches' in window)) return []
  const pages: StoredPage[] = []
  for (const cache of await openCaches()) {
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
