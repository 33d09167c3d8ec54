import type { IncomingMessage } from 'node:http'
import type { Handler } from 'hono'
import type { AppLoadContext } from 'react-router'
import {
  readBytes,
  runEndpoint,
  withHeaders,
  type Endpoint,
  type HttpEnv,
} from '../../platform/http/endpoint.server.ts'
import { FORWARDED_HEADERS, newNonce, NOTHING_RUNS } from '../../platform/http/http.server.ts'
import type { RunCall } from '../../platform/http/page-action.server.ts'
import { contextOfAnyGuest, type RequestContext } from '../../platform/http/request-context.server.ts'
import type { Listeners } from '../../platform/realtime/listeners.server.ts'
import { USER_HEADER } from '../offline/offline.ts'
import { cacheablePage, isSameForUsers, namesCookie, type CacheablePage } from './cacheable-pages.ts'
import { guestReader, userReader } from './page-readers.server.ts'
import { listCalls } from './api-description.server.ts'
import type { ProcessCaches } from './process-caches.server.ts'
import type { Services } from './services.server.ts'
import './load-context.ts'

/** Renders a page, or its data: React Router's request handler. */
export type RenderPage = ((request: Request, context: AppLoadContext) => Promise<Response>) & {
  /** The pattern of a page's address, such as /course/:courseSlug; undefined for no page. */
  routeOf?(path: string): string | undefined
}

type PageDeps = {
  readonly services: Services
  readonly caches: ProcessCaches
  readonly listeners: Listeners
  readonly endpoints: readonly Endpoint[]
  readonly securityHeaders: Readonly<Record<string, string>>
  readonly isStopping: () => boolean
  readonly renderPage: RenderPage
  /** The built file at the request's address, or null. */
  readonly findFile: (request: Request) => Response | null
  readonly build: string
}

/** Serves files and pages, and answers the forms of pages. A page that all guests see alike is rendered without their cookies and headers, and cached. */
export function servePages(deps: PageDeps): Handler<HttpEnv> {
  const { findFile, caches, isStopping } = deps
  return async (c) => {
    const context = c.get('context')
    if (c.req.method === 'POST') return answerForm(deps, context)
    const file = findFile(c.req.raw)
    if (file !== null) return file
    // The service worker stores a user's pages apart from those of guests.
    if (context.user !== null) context.replyHeaders.set(USER_HEADER, context.user.id)
    // Read before the page's data, so that a change during the rendering keeps the page out of the cache.
    const { version } = caches.pages
    const url = new URL(c.req.url)
    const path = url.pathname + url.search
    const page = context.user === null && c.req.method === 'GET' ? cacheablePage(url) : null
    const isForAllGuests = page !== null && !namesCookie(c.req.header('cookie'), page.unlessCookies)
    const mayBeCached = isForAllGuests && !isStopping() && caches.isCurrent()
    const cached = mayBeCached ? caches.pages.find(path, c.req.raw.headers) : null
    if (cached !== null) return withHeaders(cached, context.replyHeaders)
    const findLastGood = () => (isForAllGuests ? caches.pages.findLastGood(path, c.req.raw.headers) : null)
    // Changes may also be late while the database is there: then the page is rendered.
    const isAway = isForAllGuests && !caches.isCurrent() && !(await caches.isDatabaseUp())
    const lastGood = isAway ? findLastGood() : null
    if (lastGood !== null) return lastGood
    const pageContext = isForAllGuests ? contextOfAnyGuest(context, path) : context
    const response = await render(deps, pageContext, pageContext.request, isSameForUsers(url))
    if (context.refusal.code === 'server.away') return findLastGood() ?? response
    if (isForAllGuests && response.status < 500 && response.status !== 200) caches.pages.forget(path)
    if (isForAllGuests && response.status === 200)
      return cachePage(deps, c.req.raw, { path, version, cached: page }, response)
    // The browser must not cache a user's page. The service worker stores it on purpose and deletes it at sign-out.
    if (context.user !== null) response.headers.set('cache-control', 'no-store')
    else if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-cache')
    response.headers.append('vary', 'Cookie')
    return withHeaders(response, context.replyHeaders)
  }
}

async function cachePage(
  { caches, securityHeaders }: PageDeps,
  request: Request,
  { path, version, cached }: { path: string; version: number; cached: CacheablePage },
  response: Response,
): Promise<Response> {
  const html = await response.text()
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => name !== 'set-cookie' && name !== 'cache-control'),
  )
  // A page has a content security policy of its own, which replaces this one; a page's data has none.
  const page = {
    ...cached,
    html,
    headers: { ...securityHeaders, 'content-security-policy': NOTHING_RUNS, ...headers },
  }
  await caches.pages.keep(path, version, page)
  // If the catalogue has changed meanwhile, the page is not cached here, and no cache in front of the shop may store it.
  const uncached = { ...headers, vary: 'Accept-Encoding, Cookie', 'cache-control': 'private, no-cache' }
  return caches.pages.find(path, request.headers) ?? new Response(html, { headers: uncached })
}

/**
 * Answers a form that is posted without scripts. Its Origin was checked before. The framework expects the address to have the
 * same origin, which a proxy may have changed.
 */
async function answerForm(deps: PageDeps, context: RequestContext): Promise<Response> {
  const { method, url } = context.request
  const { pathname, search } = new URL(url)
  const headers = new Headers(context.request.headers)
  // A page that sends no referrer names the origin 'null'. Where an address is open to other sites, anything may be named.
  const origin = headers.get('origin')
  const isNamed = origin !== null && /^https?:/.test(origin) && URL.canParse(origin)
  if (!isNamed) headers.delete('origin')
  const address = new URL(isNamed ? origin : context.appUrl)
  // Set, and not resolved: a path that begins with two slashes would name another host.
  address.pathname = pathname
  address.search = search
  const body = Buffer.from(await context.wait.without(readBytes(context.request)))
  const request = new Request(address, { method, headers, body })
  const response = await render(deps, context, request, false)
  response.headers.set('cache-control', 'no-store')
  return withHeaders(response, context.replyHeaders)
}

function render(deps: PageDeps, context: RequestContext, request: Request, isSameForUsers: boolean): Promise<Response> {
  const { renderPage, services, caches, listeners, endpoints, build } = deps
  const { user } = context
  const reader =
    user === null
      ? guestReader(caches.rendered, request)
      : userReader(caches.rendered, { request, user, isSameForUsers })
  return renderPage(request, {
    request: context,
    site: services.site,
    nonce: newNonce(),
    paymentPage: services.env.paymentPage,
    backups: services.env.backups,
    ...reader,
    changesSeen: listeners.newest,
    build,
    runCall: callRunner(endpoints, context),
    listCalls: () => listCalls(endpoints, services.env.limits),
  })
}

/** Runs the calls of the API that a page's form asks for. */
function callRunner(endpoints: readonly Endpoint[], context: RequestContext): RunCall {
  return async (method, path, { params, query, body }) => {
    const endpoint = endpoints.find((one) => one.method === method && one.path === path)
    if (endpoint === undefined) throw new Error(`there is no call ${method} ${path}`)
    return runEndpoint(endpoint, { params, query, readBody: () => Promise.resolve(body ?? {}) }, context)
  }
}

/**
 * Whether a cached page may answer before any check: no session and, where emulators run, our own host and nothing forwarded.
 * Other requests pass every check.
 */
export function isPlainGuest(
  { headers }: IncomingMessage,
  { sessionCookie, demoHost }: { sessionCookie: string; demoHost: string | null },
): boolean {
  if (demoHost !== null && (headers.host !== demoHost || FORWARDED_HEADERS.some((name) => headers[name] !== undefined)))
    return false
  return headers.cookie === undefined || !headers.cookie.includes(sessionCookie)
}
