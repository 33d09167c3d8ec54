/** Says in a reply for whom a page was made; a guest's page has none. */
export const USER_HEADER = 'x-altocert-person'
/** The page that is shown for one that was never seen. */
export const OFFLINE_PATH = '/offline'
/** Pages that are the same for everybody until they stand in a browser; they come with the worker. */
export const SHELL_PATHS: readonly string[] = [OFFLINE_PATH, '/offline/practice']
/** How long the network may take before a page that was seen is shown as it was. */
export const NETWORK_SECONDS = 3
export const MAX_STORED_PAGES = 60
export const STORED_PAGE_DAYS = 30

/** Why a page is of no use without the network; null where one that was seen before can be shown. */
export type NeedsNetwork = 'admin' | 'payment' | 'exam' | 'account'

const needs: readonly (readonly [RegExp, NeedsNetwork])[] = [
  [/^\/admin(\/|$)/, 'admin'],
  [/^\/payment-success(\/|$)/, 'payment'],
  [/^(\/course\/[^/]+)?\/exam\/[^/]+\/[^/]+$/, 'exam'],
  [/^\/course\/[^/]+\/drill(\/|$)/, 'exam'],
  // Their addresses hold one-use codes, and nothing can be done there.
  [/^\/(login|register|forgot-password|reset-password|verify-email|delete-account|redeem)(\/|$)/, 'account'],
]

export function needsNetwork(pathname: string): NeedsNetwork | null {
  const path = pageOf(pathname)
  return needs.find(([pattern]) => pattern.test(path))?.[1] ?? null
}

/** What the worker has to do with a request: a page, a page's data, or nothing. It looks at GETs of our own origin only. */
export function kindOf(request: { readonly method: string; readonly isNavigation: boolean; readonly url: URL }) {
  const { pathname } = request.url
  if (request.method !== 'GET' || /^\/(api|demo|assets)\//.test(pathname)) return 'other'
  if (pathname.endsWith('.data')) return 'data'
  return request.isNavigation && !/\.\w+$/.test(pathname) ? 'page' : 'other'
}

/** The path of the page whose data this is; a page's own path stays. */
export function pageOf(pathname: string): string {
  return pathname.replace(/^\/_root\.data$/, '/').replace(/\.data$/, '')
}

/** A page of another build asks for files that this worker does not have: it is shown, but never kept. */
export function isOfBuild(html: string, manifest: string): boolean {
  return html.includes(manifest)
}

export type PageCaches = { readonly guest: string; readonly own: string }

const PREFIX = 'pages-'

export function cachesOf(build: string): PageCaches {
  return { guest: `${PREFIX}guest-${build}`, own: `${PREFIX}own-${build}` }
}

/** Pages that an earlier build made. */
export function isOutdated(name: string, build: string): boolean {
  return name.startsWith(PREFIX) && !Object.values(cachesOf(build)).includes(name)
}

/** Caches that hold what only the signed-in person may see. */
export function isPrivate(name: string): boolean {
  return name.startsWith(`${PREFIX}own-`) || name === WHO_CACHE
}

/** Remembers for whom the kept pages are, over the worker's restarts. */
export const WHO_CACHE = 'pages-own-who'

/** What a page says to the worker. */
export type ToWorker =
  | { readonly kind: 'forget' }
  | { readonly kind: 'seen'; readonly path: string; readonly user: string | null }
  | { readonly kind: 'take-over'; readonly manifest: string }
