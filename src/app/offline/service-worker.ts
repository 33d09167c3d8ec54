import { ExpirationPlugin } from 'workbox-expiration'
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { NetworkFirst } from 'workbox-strategies'
import { OFFLINE_IMAGES_CACHE } from '../../features/attempts/offline-exams/offline-images.ts'
import { isPageOver } from '../../lib/page-end.ts'
import { DAY_MS, SECOND_MS } from '../../lib/time.ts'
import {
  cachesOf,
  isOfBuild,
  isOutdated,
  STORED_PAGE_DAYS,
  MAX_STORED_PAGES,
  kindOf,
  needsNetwork,
  NETWORK_SECONDS,
  OFFLINE_PATH,
  USER_HEADER,
  APP_SHELL_PATHS,
  OWNER_CACHE,
  type WorkerMessage,
} from './offline.ts'
import { openNotice, showNotice, type NoticeScope } from './push-notice.ts'

/*
 * The service worker (decision 0012). Files of the build come from the cache; pages come from the network, or from the cache
 * when offline. Pages of a signed-in user have a cache of their own, which is deleted when the user changes or signs out.
 */

/** Written by scripts/build-worker.mjs. */
declare const FILES_OF_BUILD: { url: string; revision: string | null }[]
declare const BUILD_ID: string
/** The end of the names of both manifests: all pages, and those of the shop. */
declare const MANIFEST_OF_BUILD: string

type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void }
type Message = ExtendableEvent & { readonly data: WorkerMessage; readonly ports: readonly MessagePort[] }
type PushMessage = ExtendableEvent & { readonly data: { text(): string } | null }
type NoticeClick = ExtendableEvent & { readonly notification: { readonly data: unknown; close(): void } }
/** The parts of the worker's global scope that this file uses: TypeScript loads the types of a page instead. */
type Scope = Omit<NoticeScope, 'clients'> & {
  addEventListener(kind: 'install' | 'activate', handle: (event: ExtendableEvent) => void): void
  addEventListener(kind: 'message', handle: (event: Message) => void): void
  addEventListener(kind: 'push', handle: (event: PushMessage) => void): void
  addEventListener(kind: 'notificationclick', handle: (event: NoticeClick) => void): void
  skipWaiting(): Promise<void>
  readonly clients: NoticeScope['clients'] & { claim(): Promise<void> }
}
const worker = globalThis as unknown as Scope

const SHELL = `shell-${BUILD_ID}`
const names = cachesOf(BUILD_ID)

/** Number of deletions of private pages. A reply that was requested before the latest one is not stored. */
let deletions = 0
let owner: Promise<string | null> | null = null

const limits = (cacheName: string) => ({
  cacheName,
  plugin: new ExpirationPlugin({
    maxEntries: MAX_STORED_PAGES,
    maxAgeSeconds: (STORED_PAGE_DAYS * DAY_MS) / SECOND_MS,
    purgeOnQuotaError: true,
  }),
})
const stores = { guest: pages(limits(names.guest), null), own: pages(limits(names.own), 'own') }

function pages({ cacheName, plugin }: ReturnType<typeof limits>, whose: 'own' | null) {
  const strategy = new NetworkFirst({
    cacheName,
    networkTimeoutSeconds: NETWORK_SECONDS,
    // Replies vary by cookie; separate caches for guests and users take care of that.
    matchOptions: { ignoreVary: true },
    plugins: [
      {
        requestWillFetch: async ({ request, state }) => {
          if (state !== undefined) state['deletions'] = deletions
          return request
        },
        cacheWillUpdate: async ({ response, state }) => {
          if (response.status !== 200 || response.type !== 'basic' || response.redirected) return null
          const user = response.headers.get(USER_HEADER)
          // A reply that was requested before a sign-out must not bring its user back.
          if (state?.['deletions'] !== deletions) return null
          await setOwner(user)
          if (state['deletions'] !== deletions || (user === null) !== (whose === null)) return null
          const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
          return !isPage || isOfBuild(await response.clone().text(), MANIFEST_OF_BUILD) ? response : null
        },
        cachedResponseWillBeUsed: async ({ cachedResponse }) =>
          cachedResponse === undefined || isPageOver(cachedResponse.headers, Date.now()) ? null : cachedResponse,
      },
      plugin,
    ],
  })
  return { strategy, deleteAll: () => plugin.deleteCacheAndMetadata() }
}

/** Records the user of the latest page. Pages stored for another user are deleted. */
async function setOwner(user: string | null): Promise<void> {
  if ((await getOwner()) === user) return
  await clearPrivate()
  if (user === null) return
  owner = Promise.resolve(user)
  await (await caches.open(OWNER_CACHE)).put('/', new Response(user))
}

function getOwner(): Promise<string | null> {
  owner ??= caches.match('/', { cacheName: OWNER_CACHE }).then((reply) => reply?.text() ?? null)
  return owner
}

async function clearPrivate(): Promise<void> {
  deletions += 1
  owner = Promise.resolve(null)
  await stores.own.deleteAll()
  await caches.delete(OWNER_CACHE)
}

/** Deletes stored pages whose end has passed: reviews with answer keys, when access has ended. */
async function dropEnded(): Promise<void> {
  // Opening a cache would make it.
  if (!(await caches.has(names.own))) return
  const cache = await caches.open(names.own)
  for (const request of await cache.keys()) {
    const reply = await cache.match(request, { ignoreVary: true })
    if (reply !== undefined && isPageOver(reply.headers, Date.now())) await cache.delete(request, { ignoreVary: true })
  }
}

/** What is being fetched and stored, by address. */
const storing = new Map<string, Promise<void>>()

async function respondWithPage(event: ExtendableEventLike, request: Request): Promise<Response> {
  const user = await getOwner()
  const { strategy } = user === null ? stores.guest : stores.own
  const [reply, done] = strategy.handleAll({ event: event as never, request })
  const stored = done
    // The reply itself fails too.
    .catch(() => undefined)
    .then(() => {
      if (storing.get(request.url) === stored) storing.delete(request.url)
    })
  storing.set(request.url, stored)
  return reply
}

type ExtendableEventLike = { waitUntil(work: Promise<unknown>): void }

precacheAndRoute(FILES_OF_BUILD)
cleanupOutdatedCaches()

registerRoute(
  ({ request, url, sameOrigin }) =>
    sameOrigin && kindOf({ method: request.method, isNavigation: request.mode === 'navigate', url }) === 'page',
  async ({ event, request, url }) => {
    if (APP_SHELL_PATHS.includes(url.pathname)) return (await shellPage(url.pathname)) ?? fetch(request)
    try {
      return needsNetwork(url.pathname) === null ? await respondWithPage(event, request) : await fetch(request)
    } catch {
      const page = await shellPage(OFFLINE_PATH)
      if (page === undefined) return Response.error()
      return Response.redirect(`${OFFLINE_PATH}?from=${encodeURIComponent(url.pathname + url.search)}`)
    }
  },
)

// Data that is not stored fails as it would without a worker: the page shows that there is no network.
registerRoute(
  ({ request, url, sameOrigin }) =>
    sameOrigin &&
    needsNetwork(url.pathname) === null &&
    kindOf({ method: request.method, isNavigation: false, url }) === 'data',
  ({ event, request }) => respondWithPage(event, request),
)

// The images of exams that the learner keeps for offline practice; others come from the network.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/pictures/'),
  async ({ request }) =>
    (await caches.match(request.url, { cacheName: OFFLINE_IMAGES_CACHE, ignoreVary: true })) ?? fetch(request),
)

function shellPage(path: string): Promise<Response | undefined> {
  return caches.match(path, { cacheName: SHELL, ignoreVary: true })
}

worker.addEventListener('install', (event) => event.waitUntil(Promise.all(APP_SHELL_PATHS.map(storeShellPage))))

/** Fetched without cookies, so that the stored page holds no private data. */
async function storeShellPage(path: string): Promise<void> {
  const reply = await fetch(path, { credentials: 'omit', cache: 'reload' })
  if (!reply.ok || !isOfBuild(await reply.clone().text(), MANIFEST_OF_BUILD))
    throw new Error('The offline page is of another build')
  await (await caches.open(SHELL)).put(path, reply)
}

worker.addEventListener('activate', (event) => event.waitUntil(activate()))

/** Controls pages from the first visit on, and deletes pages of earlier builds, whose files no longer exist. */
async function activate(): Promise<void> {
  for (const name of await caches.keys())
    if ((isOutdated(name, BUILD_ID) && name !== OWNER_CACHE) || (name.startsWith('shell-') && name !== SHELL))
      await caches.delete(name)
  await worker.clients.claim()
}

worker.addEventListener('push', (event) => event.waitUntil(showNotice(worker, event.data?.text() ?? '')))

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openNotice(worker, event.notification.data))
})

worker.addEventListener('message', (event) => {
  event.waitUntil(handleMessage(event).then(() => event.ports[0]?.postMessage('done')))
})

async function handleMessage(event: Message): Promise<void> {
  const { data } = event
  if (data.kind === 'forget') return clearPrivate()
  if (data.kind === 'seen') return storeShownPage(event, data)
  // Only this page, of this build, is open, so no page needs the files of the previous build.
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (windows.length === 1 && data.manifest === `/assets/${MANIFEST_OF_BUILD}`) await worker.skipWaiting()
}

/** Stores a page that the worker did not serve: the first page of a visit, and pages that fetched only their data. */
async function storeShownPage(event: ExtendableEventLike, page: { path: string; user: string | null }): Promise<void> {
  const deletionsBefore = deletions
  await dropEnded()
  const url = new URL(page.path, location.origin)
  if (url.origin !== location.origin || needsNetwork(url.pathname) !== null) return
  const request = new Request(url, { credentials: 'same-origin', headers: { accept: 'text/html' } })
  // The page hears that it is shown before the worker has stored it: without waiting it would be fetched twice.
  await storing.get(request.url)
  // Its user has signed out meanwhile.
  if (deletions !== deletionsBefore && (await getOwner()) !== page.user) return
  await setOwner(page.user)
  const cacheName = page.user === null ? names.guest : names.own
  if ((await caches.match(request, { cacheName, ignoreVary: true })) === undefined)
    await respondWithPage(event, request)
}
