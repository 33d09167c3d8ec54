import { AsyncResource } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Failure } from '../../lib/failure.ts'
import type { UserId } from '../../lib/ids.ts'
import { holdsNul, JSON_HEADERS, withoutLoneSurrogates } from './endpoint.server.ts'
import type { Tracing } from '../telemetry/tracing.server.ts'
import { FORWARDED_HEADERS, NOTHING_RUNS, type HttpOptions } from './http.server.ts'
import { WaitLimit } from './wait-limit.server.ts'

const BODY_LIMIT_BYTES = 16 * 1024

/** A frequent call whose success is answered before the framework runs (decision 0008). */
export type FastPathCall = {
  readonly method: 'PUT'
  /** The path as its endpoint has it. */
  readonly route: string
  /** Named groups are the parameters. A path that needs percent-decoding must not match. */
  readonly path: RegExp
  /** Returns the reply of a call that succeeded; null leaves every failure to the endpoint. */
  answer(input: {
    readonly params: Readonly<Record<string, string>>
    readonly body: unknown
    readonly cookies: string | undefined
  }): Promise<{ readonly reply: unknown; readonly userId: UserId | null } | null>
}

/**
 * Answers a call exactly as its endpoint would, headers and log line included. Only success is answered here. Every other request
 * goes on to `slowPath` with the body that was read, so that failures have one place. Returns false when it does not take the request.
 */
export function fastPath(
  call: FastPathCall,
  { appUrl, isDemo, headers, log, tracing }: Pick<HttpOptions, 'appUrl' | 'isDemo' | 'headers' | 'log' | 'tracing'>,
  slowPath: RequestListener,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const ownHost = new URL(appUrl).host
  const fixedHeaders = { ...JSON_HEADERS, ...headers, 'content-security-policy': NOTHING_RUNS }

  /** Whether the request passes every check of the slow path. */
  function isPlain({ headers: sent }: IncomingMessage): boolean {
    return (
      sent.origin === appUrl &&
      (!isDemo || (sent.host === ownHost && FORWARDED_HEADERS.every((name) => sent[name] === undefined))) &&
      Number(sent['content-length'] ?? Infinity) <= BODY_LIMIT_BYTES
    )
  }

  async function answer(request: IncomingMessage, params: Record<string, string>, body: Buffer) {
    try {
      const value = parseJson(body)
      if (value === undefined) return null
      return await new WaitLimit().within(() => call.answer({ params, body: value, cookies: request.headers.cookie }))
    } catch (error) {
      if (!(error instanceof Failure)) log.warn({ err: error }, 'the fast path failed; the endpoint answers')
      return null
    }
  }

  return (request, response) => {
    if (request.method !== call.method || !isPlain(request)) return false
    const { url = '' } = request
    const params = call.path.exec(url)?.groups
    if (params === undefined) return false
    const startedAt = performance.now()
    readBody(request, tracing, async (body) => {
      const arrivedAt = performance.now()
      const answered = await answer(request, params, body)
      if (answered === null) slowPath(Object.assign(request, { rawBody: body, arrivedAt }), response)
      else send(response, answered, { path: url, startedAt })
    })
    return true
  }

  function send(
    response: ServerResponse,
    { reply, userId }: { readonly reply: unknown; readonly userId: UserId | null },
    { path, startedAt }: { path: string; startedAt: number },
  ) {
    const requestId = randomUUID()
    tracing?.describeRequest({ route: call.route, requestId })
    const text = JSON.stringify(reply)
    response.writeHead(200, { ...fixedHeaders, 'content-length': Buffer.byteLength(text), 'x-request-id': requestId })
    response.end(text)
    const ms = Math.round(performance.now() - startedAt)
    log.info({ requestId, method: call.method, path, status: 200, ms, user: userId ?? undefined }, 'request')
  }
}

function readBody(request: IncomingMessage, tracing: Tracing | null, onRead: (body: Buffer) => unknown) {
  const chunks: Buffer[] = []
  const onEnd = () => onRead(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  // The events of a body come outside of the request's scope.
  request.on('end', tracing === null ? onEnd : AsyncResource.bind(onEnd))
}

function parseJson(body: Buffer): unknown {
  try {
    const text = body.toString('utf8')
    return holdsNul(text) ? undefined : JSON.parse(withoutLoneSurrogates(text))
  } catch {
    return undefined
  }
}
