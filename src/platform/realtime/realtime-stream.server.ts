import type { Context } from 'hono'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Env } from '../env.server.ts'
import { failureResponse, type HttpEnv } from '../http/endpoint.server.ts'
import { NOTHING_RUNS } from '../http/http.server.ts'
import { fail } from '../request-failures.ts'
import { baseHeaders } from '../http/security-headers.server.ts'
import type { Listeners } from './listeners.server.ts'
import { readSeen } from './realtime.ts'
import { networkOf, refusalSentence } from '../limits/rate-limits.ts'

/** How long a browser waits before it asks again, when its network has too many streams. */
const RETRY_SECONDS = 60

/**
 * GET /api/realtime. After the middleware of every request (Host, identity, log line) the listeners take over the connection, and
 * the framework is done with it.
 */
export function realtimeStream(
  listeners: Listeners,
  { appUrl, hstsSubdomains }: Pick<Env, 'appUrl' | 'hstsSubdomains'>,
) {
  const headers = {
    ...baseHeaders({ isHttps: appUrl.startsWith('https:'), withSubdomains: hstsSubdomains }),
    'content-security-policy': NOTHING_RUNS,
  }
  return (c: Context<HttpEnv>): Response => {
    const context = c.get('context')
    if (isForeign(c.req.raw, appUrl)) return failureResponse(fail('request.foreign-origin'), context)
    if (c.req.method !== 'GET') return c.body(null, 200, { 'content-type': 'text/event-stream; charset=utf-8' })
    const { outgoing } = c.env
    if (listeners.isFull || outgoing === undefined || !('shouldKeepAlive' in outgoing))
      return failureResponse(fail('realtime.full'), context)
    const network = networkOf(context.networkAddress)
    if (listeners.isFullFor(network))
      return failureResponse(
        fail('request.too-many', {
          sentence: refusalSentence('network', RETRY_SECONDS),
          facts: { retryAfterSeconds: RETRY_SECONDS },
        }),
        context,
      )
    listeners.add(outgoing, {
      user: context.user,
      network,
      // When the browser reconnects by itself, the header is newer than the number in the address.
      seen: readSeen(c.req.header('last-event-id') ?? c.req.query('seen')),
      headers: { ...headers, 'x-request-id': context.requestId },
    })
    return RESPONSE_ALREADY_SENT
  }
}

/** Other sites cannot read the stream, but could make their visitors hold connections open. */
function isForeign({ headers, url }: Request, appUrl: string): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  return (
    (origin !== null && origin !== appUrl && origin !== new URL(url).origin) ||
    site === 'cross-site' ||
    site === 'same-site'
  )
}
