import { ExpirationPlugin } from 'workbox-expiration'
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { NetworkFirst } from 'workbox-strategies'
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
  SHELL_PATHS,
  WHO_CACHE,
  type ToWorker,
} from './offline.ts'

/*
 * The service worker (decision 0012): files of this build from the cache; pages from the network first, and as they were seen
 * when there is none. Pages made for a signed-in person lie apart, and go as soon as somebody else, or nobody, is signed in.
 */

/** Written by scripts/build-worker.mjs. */
declare const FILES_OF_BUILD: { url: string; revision: string | null }[]
declare const BUILD_ID: string
declare const MANIFEST_OF_BUILD: string

type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void }
type Message = ExtendableEvent & { readonly data: ToWorker; readonly ports: readonly MessagePort[] }
/** What this file uses of its global scope; the types of the page's are loaded. */
type Scope = {
  addEventListener(kind: 'install' | 'activate', handle: (event: ExtendableEvent) => void): void
  addEventListener(kind: 'message', handle: (event: Message) => void): void
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void>; matchAll(options: object): Promise<readonly unknown[]> }
}
const worker = globalThis as unknown as Scope

const SHELL = `shell-${BUILD_ID}`
const names = cachesOf(BUILD_ID)

/** Counts what was forgotten, so that a reply that was under way is not kept after it. */
let forgotten = 0
let whoIsIt: Promise<string | null> | null = null

const limits = (cacheName: string) => ({
  cacheName,
  plugin: new ExpirationPlugin({
    maxEntries: MAX_STORED_PAGES,
    maxAgeSeconds: (STORED_PAGE_DAYS * DAY_MS) / SECOND_MS,
    purgeOnQuotaError: true,
  }),
})
const kept = { guest: pages(limits(names.guest), null), own: pages(limits(names.own), 'own') }

function pages({ cacheName, plugin }: ReturnType<typeof limits>, whose: 'own' | null) {
  const strategy = new NetworkFirst({
    cacheName,
    networkTimeoutSeconds: NETWORK_SECONDS,
    // The reply differs by cookie, and we keep the two kinds apart ourselves.
    matchOptions: { ignoreVary: true },
    plugins: [
      {
        requestWillFetch: async ({ request, state }) => {
          if (state !== undefined) state['forgotten'] = forgotten
          return request
        },
        cacheWillUpdate: async ({ response, state }) => {
          if (response.status !== 200 || response.type !== 'basic' || response.redirected) return null
          const user = response.headers.get(USER_HEADER)
          await meet(user)
          if (state?.['forgotten'] !== forgotten || (user === null) !== (whose === null)) return null
          const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
          return !isPage || isOfBuild(await response.clone().text(), MANIFEST_OF_BUILD) ? response : null
        },
      },
      plugin,
    ],
  })
  return { strategy, forget: () => plugin.deleteCacheAndMetadata() }
}

/** For whom a page was made just now: what was kept for somebody else goes. */
async function meet(user: string | null): Promise<void> {
  if ((await who()) === user) return
  await clearPrivate()
  if (user === null) return
  whoIsIt = Promise.resolve(user)
  await (await caches.open(WHO_CACHE)).put('/', new Response(user))
}

function who(): Promise<string | null> {
  whoIsIt ??= caches.match('/', { cacheName: WHO_CACHE }).then((reply) => reply?.text() ?? null)
  return whoIsIt
}

async function clearPrivate(): Promise<void> {
  forgotten += 1
  whoIsIt = Promise.resolve(null)
  await kept.own.forget()
  await caches.delete(WHO_CACHE)
}

async function pageFor(event: ExtendableEventLike, request: Request): Promise<Response> {
  const user = await who()
  const { strategy } = user === null ? kept.guest : kept.own
  return strategy.handle({ event: event as never, request })
}

type ExtendableEventLike = { waitUntil(work: Promise<unknown>): void }

precacheAndRoute(FILES_OF_BUILD)
cleanupOutdatedCaches()

registerRoute(
  ({ request, url, sameOrigin }) =>
    sameOrigin && kindOf({ method: request.method, isNavigation: request.mode === 'navigate', url }) === 'page',
  async ({ event, request, url }) => {
    if (SHELL_PATHS.includes(url.pathname)) return (await shellPage(url.pathname)) ?? fetch(request)
    try {
      return needsNetwork(url.pathname) === null ? await pageFor(event, request) : await fetch(request)
    } catch {
      const page = await shellPage(OFFLINE_PATH)
      if (page === undefined) return Response.error()
      return Response.redirect(`${OFFLINE_PATH}?from=${encodeURIComponent(url.pathname + url.search)}`)
    }
  },
)

// What is not there fails as it would without a worker: the page says that there is no network.
registerRoute(
  ({ request, url, sameOrigin }) =>
    sameOrigin &&
    needsNetwork(url.pathname) === null &&
    kindOf({ method: request.method, isNavigation: false, url }) === 'data',
  ({ event, request }) => pageFor(event, request),
)

function shellPage(path: string): Promise<Response | undefined> {
  return caches.match(path, { cacheName: SHELL, ignoreVary: true })
}

worker.addEventListener('install', (event) => event.waitUntil(Promise.all(SHELL_PATHS.map(keepShellPage))))

/** Without cookies: it is the same for everybody, and nothing private may lie in it. */
async function keepShellPage(path: string): Promise<void> {
  const reply = await fetch(path, { credentials: 'omit', cache: 'reload' })
  if (!reply.ok || !isOfBuild(await reply.clone().text(), MANIFEST_OF_BUILD))
    throw new Error('The offline page is of another build')
  await (await caches.open(SHELL)).put(path, reply)
}

worker.addEventListener('activate', (event) => event.waitUntil(takeOver()))

/** From the first visit on; what an earlier build kept would ask for files that are gone. */
async function takeOver(): Promise<void> {
  for (const name of await caches.keys())
    if ((isOutdated(name, BUILD_ID) && name !== WHO_CACHE) || (name.startsWith('shell-') && name !== SHELL))
      await caches.delete(name)
  await worker.clients.claim()
}

worker.addEventListener('message', (event) => {
  event.waitUntil(hear(event).then(() => event.ports[0]?.postMessage('done')))
})

async function hear(event: Message): Promise<void> {
  const { data } = event
  if (data.kind === 'forget') return clearPrivate()
  if (data.kind === 'seen') return keepSeen(event, data)
  // Only the page of this build is open: nothing that is shown needs the files of the one before.
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (windows.length === 1 && data.manifest === MANIFEST_OF_BUILD) await worker.skipWaiting()
}

/** A page that was shown without being asked of us: the first one, and those that only their data was fetched for. */
async function keepSeen(event: ExtendableEventLike, seen: { path: string; user: string | null }): Promise<void> {
  const url = new URL(seen.path, location.origin)
  if (url.origin !== location.origin || needsNetwork(url.pathname) !== null) return
  const request = new Request(url, { credentials: 'same-origin', headers: { accept: 'text/html' } })
  await meet(seen.user)
  const cacheName = seen.user === null ? names.guest : names.own
  if ((await caches.match(request, { cacheName, ignoreVary: true })) === undefined) await pageFor(event, request)
}
