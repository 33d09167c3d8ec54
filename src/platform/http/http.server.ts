import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { Hono, type Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Db } from '../../db/open.server.ts'
import type { GuestId } from '../../lib/ids.ts'
import type { User } from '../../lib/user.ts'
import type { CachedQueries } from '../cache/cached-queries.server.ts'
import type { Clock } from '../clock.server.ts'
import type { RequestContext, RequestReplica } from './request-context.server.ts'
import { failureResponse, type HttpEnv } from './endpoint.server.ts'
import { BUILD_HEADER } from '../build-id.ts'
import { isLoopbackHost } from '../env.server.ts'
import { fail } from '../request-failures.ts'
import type { RateLimits } from '../limits/rate-limits-commands.server.ts'
import { loggedPath, type Log } from '../log.server.ts'
import type { Tracing } from '../telemetry/tracing.server.ts'
import { WaitLimit } from './wait-limit.server.ts'
import { networkAddress } from './network-address.server.ts'

export type HttpOptions = {
  readonly appUrl: string
  /** True while emulators are in use: only loopback hosts are served, and forwarded headers are refused. */
  readonly isDemo: boolean
  readonly trusted: BlockList | null
  readonly log: Log
  /** Null where OpenTelemetry is off. */
  readonly tracing: Tracing | null
  readonly clock: Clock
  readonly db: Db
  /** The replica for a request with this Cookie header; null without one. */
  replicaFor(cookies: string | undefined): RequestReplica | null
  readonly cachedQueries: CachedQueries
  readonly limits: RateLimits
  /** Headers of every reply (security-headers.server.ts). */
  readonly headers: Readonly<Record<string, string>>
  readonly isReady: () => boolean
  /** Whether the database answers, and was not lost since then, a time of `performance.now()`. */
  readonly wasDatabaseUpSince: (time: number) => Promise<boolean>
  /** The build of the pages that are served; empty without one. */
  readonly build: string
  /** The page for a browser that opens an address, or posts a form, while the database is away. */
  readonly awayPage: (isPosted: boolean) => Response
  /** `cookies` are Set-Cookie headers for the reply. */
  identify(request: Request): Promise<{ user: User | null; guestId: GuestId | null; cookies: readonly string[] }>
  /** Paths of third parties that post without an Origin (the payment gateway's webhook). */
  readonly foreignPaths: readonly string[]
}

/** The middleware of every request: id, log line, headers, Host and Origin checks, and the user's identity. */
export function createHttp(options: HttpOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.use(async (c, next) => {
    const startedAt = performance.now()
    const context = createContext(c, options)
    const url = new URL(c.req.url)
    c.set('context', context)
    options.tracing?.describeRequest({ route: endpointRoute(c), requestId: context.requestId })
    try {
      checkHost(c.req.raw, url, options)
      checkOrigin(c.req.raw, url, options)
      if (c.req.url.includes('%00')) throw fail('request.not-found')
      await context.wait.within(async () => {
        if (!isPublicFile(url.pathname)) {
          const { cookies, ...identity } = await options.identify(c.req.raw)
          Object.assign(context, identity)
          for (const cookie of cookies) context.replyHeaders.append('set-cookie', cookie)
        }
        await next()
      })
    } catch (error) {
      c.res = failureResponse(error, context)
    }
    if (context.refusal.code === 'server.away' && c.res.status === 503 && isPageLoad(c.req.raw)) {
      // Without it, the headers of the former reply would be added to the page.
      c.res = undefined
      c.res = options.awayPage(c.req.method === 'POST')
    }
    const { headers } = mutable(c)
    for (const [name, value] of Object.entries(options.headers)) if (!headers.has(name)) headers.set(name, value)
    if (!headers.has('content-security-policy')) headers.set('content-security-policy', NOTHING_RUNS)
    headers.set('x-request-id', context.requestId)
    if (options.build !== '' && url.pathname.startsWith('/api/')) headers.set(BUILD_HEADER, options.build)
    options.tracing?.describeRequest({ failure: context.refusal.code })
    logRequest(c, url.pathname, context, performance.now() - startedAt)
  })

  app.get('/healthz', (c) => (options.isReady() ? c.json({ status: 'ok' }) : c.json({ status: 'stopping' }, 503)))
  app.onError((error, c) => failureResponse(error, c.get('context')))
  return app
}

/** A request that has waited before, on the fast path. At the limit it has no time left here, and is told so. */
type ArrivedRequest = IncomingMessage & { readonly arrivedAt?: number }

function createContext(c: Context<HttpEnv>, options: HttpOptions): RequestContext {
  const { log, clock, db, cachedQueries, limits, appUrl, trusted } = options
  const requestId = randomUUID()
  const incoming = c.env?.incoming as ArrivedRequest | undefined
  const socketAddress = incoming?.socket?.remoteAddress
  return {
    requestId,
    log: log.child({ requestId }),
    clock,
    db,
    reads: db,
    // A page that answers a write shows its effect.
    replica: c.req.method === 'GET' ? options.replicaFor(c.req.header('cookie')) : null,
    cachedQueries,
    limits,
    wait: new WaitLimit(
      incoming?.arrivedAt === undefined ? 0 : performance.now() - incoming.arrivedAt,
      options.wasDatabaseUpSince,
    ),
    appUrl,
    user: null,
    guestId: null,
    networkAddress: networkAddress(socketAddress, c.req.header('x-forwarded-for') ?? null, trusted),
    request: c.req.raw,
    replyHeaders: new Headers(),
    refusal: { code: undefined },
  }
}

function logRequest(
  c: Context<HttpEnv>,
  path: string,
  { log, user, refusal: { code }, networkAddress }: RequestContext,
  ms: number,
) {
  const { status } = c.res
  const isRefused = status >= 400 || code !== undefined
  log.info(
    {
      method: c.req.method,
      path: loggedPath(path),
      status,
      ms: Math.round(ms),
      user: user?.id,
      ...(isRefused ? { code, networkAddress } : {}),
    },
    'request',
  )
}

/** The path of the endpoint that matches, such as /api/orders/:orderId; undefined for pages and files, which one handler serves. */
function endpointRoute(c: Context<HttpEnv>): string | undefined {
  return matchedRoutes(c).find(({ path }) => path !== '*' && path !== '/*')?.path
}

/** Whether a browser opens an address. Scripts ask for any type. */
function isPageLoad({ headers }: Request): boolean {
  return headers.get('accept')?.includes('text/html') === true
}

/** The content security policy of replies that are no page. */
export const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'"

/** The reply with mutable headers: those of a redirect or of a fetched reply are immutable. */
function mutable(c: Context<HttpEnv>): Response {
  try {
    c.res.headers.delete('x-request-id')
  } catch {
    c.res = new Response(c.res.body, c.res)
  }
  return c.res
}

/** A nonce for our own inline scripts, new for each rendering. */
export function newNonce(): string {
  return randomBytes(16).toString('base64url')
}

function isPublicFile(path: string): boolean {
  return path.startsWith('/assets/') || path.startsWith('/pictures/') || path === '/healthz' || path === '/readyz'
}

/** Headers that only a proxy may set. */
export const FORWARDED_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const

function checkHost(request: Request, url: URL, options: HttpOptions) {
  if (!options.isDemo) return
  if (!isLoopbackHost(url.hostname)) throw fail('request.foreign-host')
  for (const name of FORWARDED_HEADERS)
    if (request.headers.has(name)) throw fail('request.foreign-host', { detail: name })
}

function checkOrigin(request: Request, url: URL, options: HttpOptions) {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
  if (options.foreignPaths.some((path) => url.pathname.startsWith(path))) return
  const origin = request.headers.get('origin')
  const isOwn = origin === options.appUrl || (options.isDemo && origin === url.origin)
  // Browsers send an Origin with every post. Without one it is a script that plays the buyer or turns a switch of an emulator.
  const isScript =
    origin === null && request.headers.get('sec-fetch-site') === null && url.pathname.startsWith('/demo/')
  if (!isOwn && !(options.isDemo && isScript)) throw fail('request.foreign-origin', { detail: origin })
}
