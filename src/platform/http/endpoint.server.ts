import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { z } from 'zod'
import type { FailureReply, FieldProblem } from '../../lib/failure.ts'
import { withFormerNames } from '../../lib/former-names.ts'
import { NAMES_HEADER, TODAY } from '../build-id.ts'
import { LINES_TYPE } from '../json-lines.ts'
import { linesReply } from './lines-reply.server.ts'
import {
  readFromReplica,
  requireAdmin,
  requireConfirmation,
  requireUser,
  type RequestContext,
} from './request-context.server.ts'
import { toFailure } from './failure-reply.server.ts'
import type { CallLimit } from '../limits/rate-limits.ts'
import { copy } from '../platform.copy.ts'
import { fail } from '../request-failures.ts'
import { taggedReply } from './tagged-reply.server.ts'

const BODY_LIMIT_BYTES = 256 * 1024

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An API endpoint as data: the app mounts it, the role table tests it, the API description is generated from it. */
export type Endpoint = {
  readonly method: Method
  readonly path: string
  /** Earlier paths with the same parameters; they still answer. */
  readonly formerPaths?: readonly string[]
  /** Who may call it. A handler that serves owners only checks the owner itself and fails with 404. */
  readonly who: 'anyone' | 'signed-in' | 'admin'
  /** A call about money, roles, personal data or ways to sign in: the user signed in or confirmed it lately (`isConfirmed`). */
  readonly needsConfirmation?: boolean
  /** Replaces the usual sentence of `session.required`. */
  readonly guestSentence?: string
  readonly about: string
  /** How often a user and a network may call it, counted after authorizing and parsing. A search counts when it has a text. */
  readonly limit?: CallLimit
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Gives a body from an earlier build the current field names. */
  readonly upgradeBody?: (body: unknown) => unknown
  readonly reply: z.ZodType
  readonly bodyLimitBytes?: number
  /** The sentence of the failure when the body is larger than `bodyLimitBytes`. */
  readonly bodyLimitSentence?: string
  /** The body is a file of this content type, and the handler gets its bytes. Without it the body is JSON. */
  readonly bodyType?: string
  /** The handler replies with a file of this content type. Without it the reply is JSON. */
  readonly replyType?: string
  /** A signed call by a third party: the handler gets the raw text, and no Origin is required. */
  readonly isForeign?: boolean
  /**
   * It waits for a file that arrives or is made. Only then may it take longer than a request waits for the database
   * (wait-limit.server.ts). So may a call with `bodyType` or `replyType`.
   */
  readonly mayTakeLong?: true
  /** It waits for a third party, which may take longer, but not while the database is away. So does a call that `isForeign`. */
  readonly asksOthers?: true
  /**
   * The reply in parts, for a page that shows the first before the others have arrived: each has some of its fields, a later one
   * overrides an earlier one. They are sent as lines of JSON to who accepts `LINES_TYPE`; everybody else gets the reply as a whole.
   */
  readonly inParts?: (reply: never) => readonly object[]
  /** The reply has an ETag, and a matching If-None-Match gets 304. Never for data that must not be cached. */
  readonly isTagged?: boolean
  /** A GET whose handler reads by `context.reads`, which may be the replica, and changes nothing (decision 0048). */
  readonly reads?: 'replica'
  handle(input: { params: unknown; query: unknown; body: unknown }, context: RequestContext): Promise<unknown>
}

type Shape = z.ZodType | undefined
type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined
type Sent<S extends Shape> = S extends z.ZodType ? z.input<S> : undefined

/** An endpoint with its types, from which `clientOf` (api-client.ts) infers the typed client. */
export type TypedEndpoint<
  M extends Method = Method,
  Path extends string = string,
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends z.ZodType = z.ZodType,
> = Endpoint & {
  /** For types only: never set at run time. */
  readonly types?: { method: M; path: Path; params: Sent<P>; query: Sent<Q>; body: Sent<B>; reply: z.output<R> }
}

/** The reply of a call without a result. */
export const Done = z.object({ done: z.literal(true) })
export const done = { done: true as const }

/** Declares an endpoint and infers the types of its parts. The handler may return a Response of its own. */
export function endpoint<
  const M extends Method,
  const Path extends string,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  R extends z.ZodType = z.ZodType,
>(
  definition: Omit<Endpoint, 'handle' | 'method' | 'path' | 'params' | 'query' | 'body' | 'reply' | 'inParts'> & {
    method: M
    path: Path
    params?: P
    query?: Q
    body?: B
    reply: R
    inParts?: (reply: z.output<R>) => readonly object[]
    handle(
      input: { params: Parsed<P>; query: Parsed<Q>; body: Parsed<B> },
      context: RequestContext,
    ): Promise<z.input<R> | Response>
  },
): TypedEndpoint<M, Path, P, Q, B, R> {
  return definition as unknown as TypedEndpoint<M, Path, P, Q, B, R>
}

export type HttpEnv = { Bindings: Partial<HttpBindings>; Variables: { context: RequestContext } }

export function mountEndpoints(app: Hono<HttpEnv>, endpoints: readonly Endpoint[]) {
  for (const endpoint of endpoints)
    app.on([endpoint.method], [endpoint.path, ...(endpoint.formerPaths ?? [])], async (c) => {
      const context = c.get('context')
      try {
        const sent = { params: c.req.param(), query: c.req.query(), readBody: () => readBody(endpoint, c.req.raw) }
        const result = await runEndpoint(endpoint, sent, context)
        const reply = result instanceof Response ? result : await replyOf(endpoint, result ?? null, c.req.raw)
        return withHeaders(reply, context.replyHeaders)
      } catch (error) {
        return withHeaders(failureResponse(error, context), context.replyHeaders)
      }
    })
}

type SentCall = {
  readonly params: unknown
  readonly query: unknown
  readonly readBody: () => Promise<unknown>
}

/** Authorizes, parses, counts and handles a call, whether it came as JSON or from a form of a page (page-action.server.ts). */
export async function runEndpoint(endpoint: Endpoint, sent: SentCall, context: RequestContext): Promise<unknown> {
  if (mayTakeLong(endpoint)) context.wait.lift()
  if (endpoint.asksOthers === true || endpoint.isForeign === true) context.wait.endOnlyIfAway()
  authorize(endpoint, context)
  const params = endpoint.params === undefined ? undefined : parsePath(endpoint.params, sent.params)
  const query = endpoint.query === undefined ? undefined : parse(endpoint.query, sent.query)
  const body =
    endpoint.body === undefined ? undefined : parse(endpoint.body, await context.wait.without(sent.readBody()))
  await claimLimit(endpoint, query, context)
  if (endpoint.reads !== 'replica') return endpoint.handle({ params, query, body }, context)
  return readFromReplica(context, (onReplica) => endpoint.handle({ params, query, body }, onReplica))
}

function mayTakeLong({ mayTakeLong: isDeclared, bodyType, replyType }: Endpoint): boolean {
  return isDeclared ?? (bodyType !== undefined || replyType !== undefined)
}

function authorize({ who, guestSentence, needsConfirmation }: Endpoint, context: RequestContext): void {
  if (who === 'signed-in' && guestSentence !== undefined && context.user === null)
    throw fail('session.required', { sentence: guestSentence })
  if (who === 'signed-in') requireUser(context)
  if (who === 'admin') requireAdmin(context)
  if (needsConfirmation === true) requireConfirmation(context)
}

/** @throws Failure request.too-many */
async function claimLimit({ limit, body }: Endpoint, query: unknown, context: RequestContext): Promise<void> {
  if (limit === undefined || (limit === 'search' && (query as { search?: string }).search === '')) return
  try {
    await context.limits.claim(limit, context)
  } catch (error) {
    // The handler would have read the body. Unread bytes stay on the connection, so it must not be reused.
    if (body === undefined && context.request.body !== null) context.replyHeaders.set('connection', 'close')
    throw error
  }
}

export function failureResponse(
  error: unknown,
  context: Pick<RequestContext, 'log' | 'requestId' | 'refusal'>,
): Response {
  const failure = toFailure(error)
  context.refusal.code = failure.code
  if (failure.code === 'server.away') context.log.warn({ reason: reasonOf(failure.detail) }, 'the database is away')
  else if (failure.status >= 500) context.log.error({ err: error, code: failure.code }, 'request failed')
  else context.log.debug({ code: failure.code, detail: failure.detail }, 'request refused')
  const reply: FailureReply = {
    error: {
      code: failure.code,
      kind: failure.kind,
      message: failure.message,
      ...(failure.fields.length > 0 ? { fields: failure.fields } : {}),
      ...(Object.keys(failure.facts).length > 0 ? { facts: failure.facts } : {}),
      requestId: context.requestId,
    },
  }
  const response = jsonReply(reply, failure.status)
  const seconds = failure.facts['retryAfterSeconds']
  if (typeof seconds === 'number') response.headers.set('retry-after', String(seconds))
  return response
}

/** In short: while the database is away, each request logs one. */
function reasonOf(detail: unknown): string {
  return detail instanceof Error ? detail.message : String(detail)
}

export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } as const

/** Our own pages know the current field names; every other caller also gets the former ones. */
function replyOf({ isTagged, inParts }: Endpoint, result: unknown, request: Request): Response | Promise<Response> {
  const hasFormerNames = request.headers.get(NAMES_HEADER) !== TODAY
  if (inParts !== undefined && request.headers.get('accept')?.includes(LINES_TYPE) === true)
    return linesReply(
      inParts(result as never).map((part) => (hasFormerNames ? withFormerNames(part) : part)),
      request,
    )
  if (isTagged === true) return taggedReply(result, { request, hasFormerNames, headers: JSON_HEADERS })
  return jsonReply(hasFormerNames ? withFormerNames(result) : result)
}

function jsonReply(value: unknown, status = 200): Response {
  const text = JSON.stringify(value)
  // With the length known, the compression middleware leaves short replies alone.
  const headers = { ...JSON_HEADERS, 'content-length': String(Buffer.byteLength(text)) }
  return new Response(text, { status, headers })
}

/** The reply with more headers. A new Response only where they cannot be changed, as of a redirect: its body would be a slow stream. */
export function withHeaders(response: Response, headers: Headers): Response {
  const added = [...headers]
  const append = (reply: Response) => {
    for (const [name, value] of added) reply.headers.append(name, value)
    return reply
  }
  if (added.length === 0) return response
  try {
    return append(response)
  } catch {
    return append(new Response(response.body, response))
  }
}

function parsePath(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw fail('request.not-found')
  return parsed.data
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const fields = fieldProblems(parsed.error)
  throw fail('request.invalid', {
    fields,
    ...(fields[0] === undefined ? {} : { sentence: `${fields[0].field}: ${fields[0].message}` }),
  })
}

function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({
    field: issue.path.length === 0 ? 'body' : issue.path.join('.'),
    message: issue.message,
  }))
}

/** The body as the endpoint's schema reads it. */
async function readBody(endpoint: Endpoint, request: Request): Promise<unknown> {
  const bytes = await readBytes(request, endpoint)
  if (endpoint.bodyType !== undefined) return bytes
  const text = new TextDecoder().decode(bytes)
  if (endpoint.isForeign === true) return text
  let value: unknown
  try {
    value = text === '' ? {} : JSON.parse(withoutLoneSurrogates(text))
  } catch {
    throw fail('request.not-json')
  }
  if (holdsNul(text)) throw fail('request.invalid', { fields: [{ field: 'body', message: copy['request.nul'] }] })
  return endpoint.upgradeBody === undefined ? value : endpoint.upgradeBody(value)
}

/** PostgreSQL cannot store NUL in text. Only the escape `\u0000` counts: after an escaped backslash it is plain text. */
export function holdsNul(json: string): boolean {
  return json.includes('\\u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(json)
}

/** PostgreSQL rejects half a surrogate pair, which a text ends with that was cut inside an emoji. It becomes U+FFFD. */
export function withoutLoneSurrogates(json: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return json
  return json.replaceAll(PAIR_OR_ESCAPE, (escape) => (/^\\u[dD][89a-fA-F].{2}$/.test(escape) ? '\\ufffd' : escape))
}

const PAIR_OR_ESCAPE = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\./g

type BodyLimit = Pick<Endpoint, 'bodyLimitBytes' | 'bodyLimitSentence'>

/** Stops reading at the limit, whatever Content-Length says. */
export async function readBytes(
  request: Request,
  { bodyLimitBytes: limitBytes = BODY_LIMIT_BYTES, bodyLimitSentence: sentence }: BodyLimit = {},
): Promise<Uint8Array> {
  const tooLarge = () => fail('request.too-large', sentence === undefined ? {} : { sentence })
  const announced = request.headers.get('content-length')
  if (Number(announced ?? 0) > limitBytes) throw tooLarge()
  if (announced !== null && !request.headers.has('transfer-encoding')) {
    // The server reads no more than that. In one piece: as a stream of parts it costs more than all else in a small call.
    const bytes = await request.arrayBuffer().catch(rethrowAborted)
    if (bytes.byteLength > limitBytes) throw tooLarge()
    return new Uint8Array(bytes)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bodyOf(request)) {
    size += chunk.byteLength
    if (size > limitBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function rethrowAborted(error: unknown): never {
  throw fail('request.aborted', { detail: error })
}

/** The bytes of a body as they arrive. A client that leaves before its end is not our error; nobody receives the reply. */
export async function* bodyOf({ body }: Request): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const arriving = body as unknown as AsyncIterable<Uint8Array>
  const parts = arriving[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { value, done } = await parts.next().catch(rethrowAborted)
      if (done === true) return
      yield value
    }
  } finally {
    await parts.return?.()
  }
}
