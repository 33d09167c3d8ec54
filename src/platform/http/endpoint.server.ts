import { createHash } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { z } from 'zod'
import type { FailureReply, FieldProblem } from '../../lib/failure.ts'
import { withFormerNames } from '../../lib/former-names.ts'
import { NAMES_HEADER, TODAY } from '../build-id.ts'
import { requireAdmin, requireUser, type RequestContext } from './request-context.server.ts'
import { toFailure } from './failure-reply.server.ts'
import { copy } from '../platform.copy.ts'
import { fail } from '../request-failures.ts'

const BODY_LIMIT_BYTES = 256 * 1024

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One call of the API as data: the shell mounts it, the role table walks it, the API's description is made from it. */
export type Endpoint = {
  readonly method: Method
  readonly path: string
  /** Where the call was served before, with the parameters of today's path; it still answers there. */
  readonly formerPaths?: readonly string[]
  /** The gate. 'owner' calls decide in the handler whose row it is, and refuse with 404. */
  readonly who: 'anyone' | 'signed-in' | 'admin'
  /** What a guest is told at the gate instead of the usual sentence. */
  readonly guestSentence?: string
  readonly about: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Puts a body that an earlier build sends under today's names. */
  readonly upgradeBody?: (body: unknown) => unknown
  readonly reply: z.ZodType
  readonly bodyLimitBytes?: number
  /** What is said when the body is longer than that. */
  readonly bodyLimitSentence?: string
  /** The body is a file of this type and reaches the handler as its bytes; without it the body is JSON. */
  readonly bodyType?: string
  /** The handler replies with a file of this type; without it the reply is JSON. */
  readonly replyType?: string
  /** A third party's signed call: the body arrives unparsed and no Origin is asked for. */
  readonly isForeign?: boolean
  /** The reply carries an ETag, and whoever has it already gets a 304. Never for what must not lie in a cache. */
  readonly isTagged?: boolean
  handle(input: { params: unknown; query: unknown; body: unknown }, context: RequestContext): Promise<unknown>
}

type Shape = z.ZodType | undefined
type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined
type Sent<S extends Shape> = S extends z.ZodType ? z.input<S> : undefined

/** An endpoint that knows its types, for the client that is inferred from it (`clientOf` in `client.ts`). */
export type TypedEndpoint<
  M extends Method = Method,
  Path extends string = string,
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends z.ZodType = z.ZodType,
> = Endpoint & {
  /** Types only: nothing has this at run time. */
  readonly types?: { method: M; path: Path; params: Sent<P>; query: Sent<Q>; body: Sent<B>; reply: z.output<R> }
}

/** The reply of a call that says no more than that it is done. */
export const Done = z.object({ done: z.literal(true) })
export const done = { done: true as const }

/** Declares a call with the types of its parts inferred. A handler may return a Response of its own. */
export function endpoint<
  const M extends Method,
  const Path extends string,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  R extends z.ZodType = z.ZodType,
>(
  definition: Omit<Endpoint, 'handle' | 'method' | 'path' | 'params' | 'query' | 'body' | 'reply'> & {
    method: M
    path: Path
    params?: P
    query?: Q
    body?: B
    reply: R
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
  for (const one of endpoints)
    app.on([one.method], [one.path, ...(one.formerPaths ?? [])], async (c) => {
      const context = c.get('context')
      try {
        if (one.who === 'signed-in' && one.guestSentence !== undefined && context.user === null)
          throw fail('session.required', { sentence: one.guestSentence })
        if (one.who === 'signed-in') requireUser(context)
        if (one.who === 'admin') requireAdmin(context)
        const params = one.params === undefined ? undefined : parsePath(one.params, c.req.param())
        const query = one.query === undefined ? undefined : parse(one.query, c.req.query())
        const body = await readBody(one, c.req.raw)
        const result = await one.handle({ params, query, body }, context)
        return withHeaders(
          result instanceof Response ? result : replyOf(one, namedFor(c.req.raw, result ?? null), c.req.raw),
          context.replyHeaders,
        )
      } catch (error) {
        return withHeaders(failureResponse(error, context), context.replyHeaders)
      }
    })
}

export function failureResponse(error: unknown, context: Pick<RequestContext, 'log' | 'requestId'>): Response {
  const failure = toFailure(error)
  if (failure.status >= 500) context.log.error({ err: error, code: failure.code }, 'request failed')
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
  return jsonReply(reply, failure.status)
}

export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } as const

function replyOf(one: Endpoint, value: unknown, request: Request): Response {
  return one.isTagged === true ? taggedReply(value, request) : jsonReply(value)
}

/** The tag is of the very bytes, so that it can't say that something is unchanged which is not. */
function taggedReply(value: unknown, request: Request): Response {
  const text = JSON.stringify(value)
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  const headers = { ...JSON_HEADERS, 'cache-control': 'private, no-cache', vary: 'Cookie', etag }
  const known = request.headers.get('if-none-match')?.split(',') ?? []
  // A compressed reply's tag comes back as a weak one.
  if (known.some((tag) => tag.trim().replace(/^W\//, '') === etag)) return new Response(null, { status: 304, headers })
  return new Response(text, { headers: { ...headers, 'content-length': String(Buffer.byteLength(text)) } })
}

function jsonReply(value: unknown, status = 200): Response {
  const text = JSON.stringify(value)
  // A reply whose length says that it is short is not compressed.
  const headers = { ...JSON_HEADERS, 'content-length': String(Buffer.byteLength(text)) }
  return new Response(text, { status, headers })
}

export function withHeaders(response: Response, headers: Headers): Response {
  if ([...headers.keys()].length === 0) return response
  const reply = new Response(response.body, response)
  headers.forEach((value, name) => reply.headers.append(name, value))
  return reply
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

export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({
    field: issue.path.length === 0 ? 'body' : issue.path.join('.'),
    message: issue.message,
  }))
}

async function readBody(one: Endpoint, request: Request): Promise<unknown> {
  if (one.body === undefined) return undefined
  const bytes = await readBytes(request, one)
  if (one.bodyType !== undefined) return parse(one.body, bytes)
  const text = new TextDecoder().decode(bytes)
  if (one.isForeign === true) return parse(one.body, text)
  let value: unknown
  try {
    value = text === '' ? {} : JSON.parse(withoutHalves(text))
  } catch {
    throw fail('request.not-json')
  }
  if (holdsNul(text)) throw fail('request.invalid', { fields: [{ field: 'body', message: copy['request.nul'] }] })
  return parse(one.body, one.upgradeBody === undefined ? value : one.upgradeBody(value))
}

/** Our own pages know today's names; every other caller also gets those that a field had before. */
function namedFor(request: Request, value: unknown): unknown {
  return request.headers.get(NAMES_HEADER) === TODAY ? value : withFormerNames(value)
}

/** PostgreSQL has no text with this character, and nobody types it. What says so in letters, with a stroke of its own, may. */
export function holdsNul(json: string): boolean {
  return json.includes('\\u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(json)
}

/** Half an emoji, which a text that was cut off ends with, is no text for PostgreSQL: the sign for "unreadable" stands for it. */
export function withoutHalves(json: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return json
  return json.replaceAll(PAIR_OR_ESCAPE, (escape) => (/^\\u[dD][89a-fA-F].{2}$/.test(escape) ? '\\ufffd' : escape))
}

const PAIR_OR_ESCAPE = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\./g

/** Stops reading at the limit, whatever Content-Length says. */
async function readBytes(request: Request, one: Endpoint): Promise<Uint8Array> {
  const limitBytes = one.bodyLimitBytes ?? BODY_LIMIT_BYTES
  const { bodyLimitSentence: sentence } = one
  const tooLarge = () => fail('request.too-large', sentence === undefined ? {} : { sentence })
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge()
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > limitBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
