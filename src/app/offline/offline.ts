/** Reply header with the id of the user that a page was made for; absent for guests. */
export const USER_HEADER = 'x-altocert-person'
/** The page shown instead of one that is not stored. */
export const OFFLINE_PATH = '/offline'
/** Pages that are the same for everyone; the worker stores them when it is installed. */
export const APP_SHELL_PATHS: readonly string[] = [OFFLINE_PATH, '/offline/practice']
/** Wait for the network before a stored page is shown. */
export const NETWORK_SECONDS = 3
export const MAX_STORED_PAGES = 60
export const STORED_PAGE_DAYS = 30

/** Kinds of pages that are useless offline and never stored. */
type NeedsNetwork = 'admin' | 'payment' | 'exam' | 'account'

const needs: readonly (readonly [RegExp, NeedsNetwork])[] = [
  [/^\/admin(\/|$)/, 'admin'],
  [/^\/payment-success(\/|$)/, 'payment'],
  [/^(\/course\/[^/]+)?\/exam\/[^/]+\/[^/]+$/, 'exam'],
  [/^\/course\/[^/]+\/drill(\/|$)/, 'exam'],
  // Some of these addresses contain one-time codes, and none of these pages works offline.
  [
    /^\/(account|confirm-address|confirmed|login|register|forgot-password|reset-password|verify-email|delete-account|redeem|stop-reminders)(\/|$)/,
    'account',
  ],
]

/** Null for a page that can be stored and shown offline. */
export function needsNetwork(pathname: string): NeedsNetwork | null {
  const path = pageOf(pathname)
  return needs.find(([pattern]) => pattern.test(path))?.[1] ?? null
}

/** How the worker handles a GET of our own origin: as a page, as a page's data, or not at all. */
export function kindOf(request: { readonly method: string; readonly isNavigation: boolean; readonly url: URL }) {
  const { pathname } = request.url
  if (request.method !== 'GET' || /^\/(api|demo|assets)\//.test(pathname)) return 'other'
  if (pathname.endsWith('.data')) return 'data'
  return request.isNavigation && !/\.\w+$/.test(pathname) ? 'page' : 'other'
}

/** The page's path for a path of its data; other paths stay as they are. */
export function pageOf(pathname: string): string {
  return pathname.replace(/^\/_root\.data$/, '/').replace(/\.data$/, '')
}

/** A page of another build is shown but not stored: this worker lacks that build's files. */
export function isOfBuild(html: string, manifest: string): boolean {
  return html.includes(manifest)
}

type PageCaches = { readonly guest: string; readonly own: string }

const PREFIX = 'pages-'

export function cachesOf(build: string): PageCaches {
  return { guest: `${PREFIX}guest-${build}`, own: `${PREFIX}own-${build}` }
}

/** Whether a cache holds pages of another build. */
export function isOutdated(name: string, build: string): boolean {
  return name.startsWith(PREFIX) && !Object.values(cachesOf(build)).includes(name)
}

/** Whether a cache holds data that only the signed-in user may see. */
export function isPrivate(name: string): boolean {
  return name.startsWith(`${PREFIX}own-`) || name === OWNER_CACHE
}

/** Holds the id of the user that the stored pages are for, across restarts of the worker. */
export const OWNER_CACHE = 'pages-own-who'

/** A message from a page to the worker. */
export type WorkerMessage =
  | { readonly kind: 'forget' }
  | { readonly kind: 'seen'; readonly path: string; readonly user: string | null }
  | { readonly kind: 'take-over'; readonly manifest: string }
