import { randomBytes, randomUUID } from 'node:crypto'
import type { BlockList } from 'node:net'
import { Hono, type Context } from 'hono'
import type { Db } from '../../db/open.server.ts'
import type { GuestId } from '../../lib/ids.ts'
import type { User } from '../../lib/user.ts'
import type { CachedQueries } from '../cache/cached-queries.server.ts'
import type { Clock } from '../clock.server.ts'
import type { RequestContext } from './request-context.server.ts'
import { failureResponse, type HttpEnv } from './endpoint.server.ts'
import { BUILD_HEADER } from '../build-id.ts'
import { isLoopbackHost } from '../env.server.ts'
import { fail } from '../request-failures.ts'
import type { RateLimits } from '../limits/rate-limits-commands.server.ts'
import { loggedPath, type Log } from '../log.server.ts'
import { networkAddress } from './network-address.server.ts'

export type HttpOptions = {
  readonly appUrl: string
  /** True while emulators are in use: only loopback hosts are served, and forwarded headers are refused. */
  readonly isDemo: boolean
  readonly trusted: BlockList | null
  readonly log: Log
  readonly clock: Clock
  readonly db: Db
  readonly cachedQueries: CachedQueries
  readonly limits: RateLimits
  /** Headers of every reply (security-headers.server.ts). */
  readonly headers: Readonly<Record<string, string>>
  readonly isReady: () => boolean
  /** The build of the pages that are served; empty without one. */
  readonly build: string
  /** `cookies` are Set-Cookie headers for the reply. */
  identify(request: Request): Promise<{ user: User | null; guestId: GuestId | null; cookies: readonly string[] }>
  /** Paths of third parties that post without an Origin (the payment gateway's webhook). */
  readonly foreignPaths: readonly string[]
}

/** The middleware of every request: id, log line, headers, Host and Origin checks, and the user's identity. */
export function createHttp(options: HttpOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const headers = Object.entries(options.headers)

  app.use(async (c, next) => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    const log = options.log.child({ requestId })
    const url = new URL(c.req.url)
    const socketAddress = c.env?.incoming?.socket?.remoteAddress
    const context: RequestContext = {
      requestId,
      log,
      clock: options.clock,
      db: options.db,
      cachedQueries: options.cachedQueries,
      limits: options.limits,
      appUrl: options.appUrl,
      user: null,
      guestId: null,
      networkAddress: networkAddress(socketAddress, c.req.header('x-forwarded-for') ?? null, options.trusted),
      request: c.req.raw,
      replyHeaders: new Headers(),
      refusal: { code: undefined },
    }
    c.set('context', context)
    try {
      checkHost(c.req.raw, url, options)
      checkOrigin(c.req.raw, url, options)
      if (c.req.url.includes('%00')) throw fail('request.not-found')
      if (!isPublicFile(url.pathname)) {
        const { cookies, ...identity } = await options.identify(c.req.raw)
        Object.assign(context, identity)
        for (const cookie of cookies) context.replyHeaders.append('set-cookie', cookie)
      }
      await next()
    } catch (error) {
      c.res = failureResponse(error, context)
    }
    const { headers: sent } = mutable(c)
    for (const [name, value] of headers) if (!sent.has(name)) sent.set(name, value)
    if (!sent.has('content-security-policy')) sent.set('content-security-policy', NOTHING_RUNS)
    sent.set('x-request-id', requestId)
    if (options.build !== '' && url.pathname.startsWith('/api/')) sent.set(BUILD_HEADER, options.build)
    const { status } = c.res
    const { code } = context.refusal
    const isRefused = status >= 400 || code !== undefined
    log.info(
      {
        method: c.req.method,
        path: loggedPath(url.pathname),
        status,
        ms: Math.round(performance.now() - startedAt),
        user: context.user?.id,
        ...(isRefused ? { code, networkAddress: context.networkAddress } : {}),
      },
      'request',
    )
  })

  app.get('/healthz', (c) => (options.isReady() ? c.json({ status: 'ok' }) : c.json({ status: 'stopping' }, 503)))
  app.onError((error, c) => failureResponse(error, c.get('context')))
  return app
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
