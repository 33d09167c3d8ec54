import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { combineSaves, type Credentials } from '../../features/attempts/saving/save-batch-commands.server.ts'
import { directSave } from '../../features/attempts/saving/save-batch-endpoints.server.ts'
import { SESSION_COOKIE } from '../../features/accounts/sessions/session-cookie-queries.server.ts'
import type { HttpEnv } from '../../platform/http/endpoint.server.ts'
import { NOTHING_RUNS } from '../../platform/http/http.server.ts'
import { fastPath } from '../../platform/http/fast-path.server.ts'
import type { Metrics } from '../../platform/metrics.server.ts'
import { isPlainGuest } from './guest-pages.server.ts'
import type { ProcessCaches } from './process-caches.server.ts'
import type { Services } from './services.server.ts'

const STREAM_PATH = '/api/realtime'
/** Of so many addresses the patterns are known. */
const MOST_ADDRESSES = 1_000

type ListenerDeps = {
  readonly http: Hono<HttpEnv>
  readonly services: Services
  readonly caches: ProcessCaches
  readonly metrics: Metrics
  readonly securityHeaders: Readonly<Record<string, string>>
  readonly isStopping: () => boolean
  readonly readCredentials: (cookies: string | undefined) => Credentials
  /** The pattern of a page's address. */
  readonly routeOf: ((path: string) => string | undefined) | undefined
}

/** Answers cached guest pages, the Google emulator and saves of answers directly, everything else through Hono. */
export function createRequestListener(deps: ListenerDeps): RequestListener {
  const { http, services, caches, metrics, securityHeaders, isStopping, readCredentials } = deps
  const { env, log, clock, database, emulators, telemetry } = services
  const tracing = telemetry?.tracing ?? null
  const hono = getRequestListener(http.fetch)
  const tryFastPath = fastPath(
    directSave({ db: database.db, clock, save: combineSaves(database.pool, tracing !== null), readCredentials }),
    { appUrl: env.appUrl, isDemo: emulators.names.length > 0, headers: securityHeaders, log, tracing },
    (request, response) => void hono(request, response),
  )
  const ownHost = new URL(env.appUrl).host
  const guestRule = { sessionCookie: SESSION_COOKIE, demoHost: emulators.names.length > 0 ? ownHost : null }

  function tryCachedPage(request: IncomingMessage, response: ServerResponse): boolean {
    if (isStopping() || !caches.isCurrent() || request.method !== 'GET') return false
    return isPlainGuest(request, guestRule) && caches.pages.tryServe(request, response)
  }
  function tryGoogleEmulator(request: IncomingMessage, response: ServerResponse): boolean {
    const isForGoogle = request.url?.startsWith('/demo/google') === true && request.headers.host === ownHost
    if (emulators.googleListener === null || !isForGoogle) return false
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
    response.setHeader('content-security-policy', NOTHING_RUNS)
    emulators.googleListener(request, response)
    return true
  }
  const listener: RequestListener = (request, response) => {
    if (tryCachedPage(request, response)) return metrics.countReply(response.statusCode)
    const startedAt = performance.now()
    const isStream = request.url?.startsWith(STREAM_PATH) === true
    response.once('finish', () => {
      if (isStream) metrics.countReply(response.statusCode)
      else metrics.countTimedReply(response.statusCode, (performance.now() - startedAt) / 1000)
    })
    if (tryGoogleEmulator(request, response) || tryFastPath(request, response)) return
    void hono(request, response)
  }
  if (tracing === null) return listener
  const routeOf = remembering((path) => folderOf(path) ?? deps.routeOf?.(path))
  return (request, response) => {
    if (UNTRACED.test(request.url ?? '')) listener(request, response)
    else tracing.serve(request, response, { routeOf, work: () => listener(request, response) })
  }
}

/** A stream lasts for hours, and probes come all the time. */
const UNTRACED = new RegExp(`^(?:${STREAM_PATH}|/healthz|/readyz|/metrics)(?:[?/]|$)`)

/** Finding the pattern of an address costs thirty times as much as a cached page. */
function remembering(routeOf: (path: string) => string | undefined): (path: string) => string | undefined {
  const known = new LRUCache<string, { readonly route: string | undefined }>({ max: MOST_ADDRESSES })
  return (path) => {
    const found = known.get(path) ?? { route: routeOf(path) }
    known.set(path, found)
    return found.route
  }
}

/** What is served by folders is no page. */
function folderOf(path: string): string | undefined {
  const folder = /^\/(?:assets|pictures|demo)\//.exec(path)?.[0]
  return folder === undefined ? undefined : `${folder}*`
}
