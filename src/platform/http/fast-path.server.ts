import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { UserId } from '../../lib/ids.ts'
import { holdsNul, JSON_HEADERS, withoutHalves } from './endpoint.server.ts'
import { FORWARDED_HEADERS, NOTHING_RUNS, type HttpOptions } from './http.server.ts'
import { baseHeaders } from './security-headers.server.ts'

const BODY_LIMIT_BYTES = 16 * 1024

/** A call that comes so often that it is answered before the framework, as long as nothing is the matter (decision 0008). */
export type ShortCall = {
  readonly method: 'PUT'
  /** Named groups are the parameters. What needs percent-decoding does not match. */
  readonly path: RegExp
  /** The reply of a call that succeeded, or null when there is anything to refuse or to explain: the endpoint does that. */
  answer(input: {
    readonly params: Readonly<Record<string, string>>
    readonly body: unknown
    readonly cookies: string | undefined
  }): Promise<{ readonly reply: unknown; readonly userId: UserId | null } | null>
}

/**
 * Answers a short call with what its endpoint would say, headers and log line included. Only success is answered here: every
 * other request goes the long way with the body that was read, so that there is one place that refuses. False: not taken.
 */
export function fastPath(
  call: ShortCall,
  { appUrl, isDemo, log }: Pick<HttpOptions, 'appUrl' | 'isDemo' | 'log'>,
  slowPath: RequestListener,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const ownHost = new URL(appUrl).host
  const fixedHeaders = {
    ...JSON_HEADERS,
    ...baseHeaders({ isHttps: appUrl.startsWith('https:') }),
    'content-security-policy': NOTHING_RUNS,
  }

  /** What the long way lets pass without a second look. */
  function isPlain({ headers }: IncomingMessage): boolean {
    return (
      headers.origin === appUrl &&
      (!isDemo || (headers.host === ownHost && FORWARDED_HEADERS.every((name) => headers[name] === undefined))) &&
      Number(headers['content-length'] ?? Infinity) <= BODY_LIMIT_BYTES
    )
  }

  async function answer(request: IncomingMessage, params: Record<string, string>, body: Buffer) {
    try {
      const value = parseJson(body)
      return value === undefined ? null : await call.answer({ params, body: value, cookies: request.headers.cookie })
    } catch (error) {
      log.warn({ err: error }, 'the short way failed, the long way is taken')
      return null
    }
  }

  return (request, response) => {
    if (request.method !== call.method || !isPlain(request)) return false
    const { url = '' } = request
    const params = call.path.exec(url)?.groups
    if (params === undefined) return false
    const startedAt = performance.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
      const answered = await answer(request, params, body)
      if (answered === null) {
        slowPath(Object.assign(request, { rawBody: body }), response)
        return
      }
      const requestId = randomUUID()
      const text = JSON.stringify(answered.reply)
      response.writeHead(200, { ...fixedHeaders, 'content-length': Buffer.byteLength(text), 'x-request-id': requestId })
      response.end(text)
      log.info(
        {
          requestId,
          method: call.method,
          path: url,
          status: 200,
          ms: Math.round(performance.now() - startedAt),
          user: answered.userId ?? undefined,
        },
        'request',
      )
    })
    return true
  }
}

function parseJson(body: Buffer): unknown {
  try {
    const text = body.toString('utf8')
    return holdsNul(text) ? undefined : JSON.parse(withoutHalves(text))
  } catch {
    return undefined
  }
}
