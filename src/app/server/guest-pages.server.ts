import type { IncomingMessage } from 'node:http'
import type { Handler } from 'hono'
import type { AppLoadContext } from 'react-router'
import type { CachedPages } from '../../platform/cache/cached-pages.server.ts'
import type { RenderedPages } from '../../platform/cache/rendered-pages.server.ts'
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
import type { LimitNumbers } from '../../platform/limits/rate-limits.ts'
import type { Listeners } from '../../platform/realtime/listeners.server.ts'
import type { SiteFacts } from '../app.schema.ts'
import { USER_HEADER } from '../offline/offline.ts'
import { cacheablePage, isSameForUsers, namesCookie, type CacheablePage } from './cacheable-pages.ts'
import { guestReader, userReader, type Reader } from './page-readers.server.ts'
import { listCalls } from './api-description.server.ts'
import './load-context.ts'

/** Renders a page, or its data: React Router's request handler. */
export type RenderPage = (request: Request, context: AppLoadContext) => Promise<Response>

type PageDeps = {
  readonly renderPage: RenderPage
  /** The built file at the request's address, or null. */
  readonly findFile: (request: Request) => Response | null
  readonly cachedPages: CachedPages
  readonly renderedPages: RenderedPages
  /** Whether the process receives changes; nothing is served from the cache while it does not. */
  readonly isCurrent: () => boolean
  readonly listeners: Listeners
  readonly site: SiteFacts
  readonly build: string
  readonly securityHeaders: Readonly<Record<string, string>>
  readonly endpoints: readonly Endpoint[]
  readonly limits: LimitNumbers
}

/** Serves files and pages, and answers the forms of pages. A page that all guests see alike is rendered without their cookies and headers, and cached. */
export function servePages(deps: PageDeps): Handler<HttpEnv> {
  const { renderPage, findFile, cachedPages, renderedPages, isCurrent, listeners, site, build, endpoints, limits } =
    deps
  // A page brings a policy of its own; a page's data does not.
  const securityHeaders = { ...deps.securityHeaders, 'content-security-policy': NOTHING_RUNS }

  async function cachePage(
    request: Request,
    { path, version, cached }: { path: string; version: number; cached: CacheablePage },
    response: Response,
  ): Promise<Response> {
    const html = await response.text()
    const headers = Object.fromEntries(
      [...response.headers].filter(([name]) => name !== 'set-cookie' && name !== 'cache-control'),
    )
    const page = { ...cached, html, headers: { ...securityHeaders, ...headers } }
    await cachedPages.keep(path, version, page)
    // Not kept when the catalogue has changed meanwhile: then no cache in front of the shop may keep it either.
    const uncached = { ...headers, vary: 'Accept-Encoding, Cookie', 'cache-control': 'private, no-cache' }
    return cachedPages.find(path, request.headers) ?? new Response(html, { headers: uncached })
  }

  const render = (request: Request, context: RequestContext, reader: Reader) =>
    renderPage(request, {
      request: context,
      site,
      nonce: newNonce(),
      ...reader,
      changesSeen: listeners.newest,
      build,
      runCall: callRunner(endpoints, context),
      listCalls: () => listCalls(endpoints, limits),
    })

  /** A form of a page that no script answers. Its Origin is ours; the framework expects it in the address, which a proxy may change. */
  async function answerForm(context: RequestContext): Promise<Response> {
    const { method, headers, url } = context.request
    const { pathname, search } = new URL(url)
    const address = new URL(pathname + search, headers.get('origin') ?? context.appUrl)
    const body = Buffer.from(await readBytes(context.request))
    const request = new Request(address, { method, headers, body })
    const { user } = context
    const reader =
      user === null
        ? guestReader(renderedPages, request)
        : userReader(renderedPages, { request, user, isSameForUsers: false })
    const response = await render(request, context, reader)
    response.headers.set('cache-control', 'no-store')
    return withHeaders(response, context.replyHeaders)
  }

  return async (c) => {
    const context = c.get('context')
    if (c.req.method === 'POST') return answerForm(context)
    const file = findFile(c.req.raw)
    if (file !== null) return file
    // The service worker stores a user's pages apart from those of guests.
    if (context.user !== null) context.replyHeaders.set(USER_HEADER, context.user.id)
    // Before the page's data is read, as the newest change is: a change during the rendering keeps the page out of the cache.
    const { version } = cachedPages
    const url = new URL(c.req.url)
    const path = url.pathname + url.search
    const page = context.user === null && c.req.method === 'GET' ? cacheablePage(url) : null
    const isForAllGuests = page !== null && !namesCookie(c.req.header('cookie'), page.unlessCookies)
    const cached = isForAllGuests && isCurrent() ? cachedPages.find(path, c.req.raw.headers) : null
    if (cached !== null) return withHeaders(cached, context.replyHeaders)
    const pageContext = isForAllGuests ? contextOfAnyGuest(context, path) : context
    const { user } = context
    const { request } = pageContext
    const reader =
      user === null
        ? guestReader(renderedPages, request)
        : userReader(renderedPages, { request, user, isSameForUsers: isSameForUsers(url) })
    const response = await render(request, pageContext, reader)
    if (isForAllGuests && response.status === 200)
      return cachePage(c.req.raw, { path, version, cached: page }, response)
    // A page of a user stays in no cache of the browser. The service worker stores it on purpose, until the sign-out.
    if (context.user !== null) response.headers.set('cache-control', 'no-store')
    else if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-cache')
    response.headers.append('vary', 'Cookie')
    return withHeaders(response, context.replyHeaders)
  }
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
