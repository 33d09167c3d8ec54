import type { TypedEndpoint } from './http/endpoint.server.ts'
import type { FailureKind, FailureReply, FieldProblem } from '../lib/failure.ts'
import { failureToast, networkCause, networkCauses } from './network-causes.ts'
import { LINES_TYPE } from './json-lines.ts'
import { readLines } from './json-lines-client.ts'
import { BUILD_HEADER, BUILD_META, NAMES_HEADER, TODAY } from './build-id.ts'
import { copy } from './platform.copy.ts'

/** A call that failed. The message is for users; it is empty when the reply did not come from our server. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly code: string
  readonly kind: FailureKind
  readonly status: number
  readonly fields: readonly FieldProblem[]
  readonly facts: Readonly<Record<string, unknown>>

  constructor(status: number, failure: FailureReply['error']) {
    super(failure.message)
    this.status = status
    this.code = failure.code
    this.kind = failure.kind
    this.fields = failure.fields ?? []
    this.facts = failure.facts ?? {}
  }

  problemOf(field: string): string | undefined {
    return this.fields.find((problem) => problem.field === field)?.message
  }
}

/** The endpoints of a feature's API: what its `…Api()` returns. */
export type Calls<Api extends (...deps: never[]) => readonly TypedEndpoint[]> = NonNullable<
  ReturnType<Api>[number]['types']
>
type Part<Name extends string, Value> = undefined extends Value
  ? { readonly [K in Name]?: Value }
  : { readonly [K in Name]: Value }
/** What a call sends. */
export type CallInput<Call extends { params: unknown; query: unknown; body: unknown }> = Part<
  'params',
  Call['params']
> &
  Part<'query', Call['query']> &
  Part<'body', Call['body']>
type ClientInput<Call extends { params: unknown; query: unknown; body: unknown }> = CallInput<Call> & {
  /** Aborts the call after this time. Only for calls that may be sent again. */
  readonly timeoutMs?: number
  /** Aborts the call, which then throws the signal's reason; for example for suggestions while typing. */
  readonly signal?: AbortSignal
  /** The browser sends it even if the page closes meanwhile. */
  readonly isPassing?: boolean
}
/** A call whose reply the server may send in parts (`inParts` of its endpoint). */
type WithParts<Reply> = {
  /** Gets the first part before the others have arrived. Not called where the reply comes as a whole. */
  readonly onFirstPart?: (part: Reply) => void
}

/** The typed client of a feature's API: `const call = clientOf<typeof catalogueApi>()`. Only types of the server reach the browser. */
export function clientOf<Api extends (...deps: never[]) => readonly TypedEndpoint[]>() {
  return <
    M extends Calls<Api>['method'],
    Path extends Extract<Calls<Api>, { method: M }>['path'],
    Call extends Extract<Calls<Api>, { method: M; path: Path }>,
  >(
    method: M,
    path: Path,
    ...[input]: object extends ClientInput<Call>
      ? [input?: ClientInput<Call> & WithParts<Call['reply']>]
      : [input: ClientInput<Call> & WithParts<Call['reply']>]
  ): Promise<Call['reply']> => {
    const { params, query, body, ...options } = (input ?? {}) as CallOptions & {
      params?: Texts
      query?: Texts
      body?: unknown
    }
    return call(method, withQuery(withParams(path, params ?? {}), query ?? {}), body, options)
  }
}

type Texts = Readonly<Record<string, string | number | boolean | undefined>>

function withParams(path: string, params: Texts): string {
  return path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params[name])))
}

function withQuery(path: string, query: Texts): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`
}

/** Retries for a GET without a well-formed response. */
export const QUERY_RETRIES = 1
/** No response at all, and the statuses of a proxy that could not reach the server. */
const LOST_STATUSES = [0, 502, 503, 504]

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type CallOptions = {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly isPassing?: boolean
  readonly onFirstPart?: (part: never) => void
}

type AskConfirmation = () => Promise<boolean>
let ask: AskConfirmation | null = null
let asking: Promise<boolean> | null = null

/** Sets how a page asks the user to confirm who they are. Returns a function that removes it. */
export function onConfirmationNeeded(askUser: AskConfirmation): () => void {
  ask = askUser
  return () => {
    if (ask === askUser) ask = null
  }
}

/** Asks the user to confirm who they are, once for all calls that wait for it. False when the user cancels. */
export async function askConfirmation(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = null
  })
  return asking
}

/** Calls our own API. A call that needs a confirmation asks for it and is sent once more. @throws CallFailed */
async function call<Reply>(method: Method, path: string, body: unknown, options: CallOptions): Promise<Reply> {
  try {
    return await callWithRetries(method, path, body, options)
  } catch (error) {
    const isRefused = error instanceof CallFailed && error.code === 'confirmation.required'
    if (!isRefused || !(await askConfirmation())) throw error
    return callWithRetries(method, path, body, options)
  }
}

/** A GET that the network or a proxy lost is retried, unless the caller set a timeout and decides itself. */
async function callWithRetries<Reply>(
  method: Method,
  path: string,
  body: unknown,
  options: CallOptions,
): Promise<Reply> {
  for (let retries = method === 'GET' && options.timeoutMs === undefined ? QUERY_RETRIES : 0; ; retries -= 1) {
    try {
      return await callOnce(method, path, body, options)
    } catch (error) {
      const isLost = error instanceof CallFailed && LOST_STATUSES.includes(error.status) && navigator.onLine
      if (retries === 0 || !isLost) throw error
    }
  }
}

/** @throws CallFailed, with OFFLINE or NETWORK_ERROR when no response came; the reason of the signal when it aborted */
async function callOnce<Reply>(method: Method, path: string, body: unknown, options: CallOptions): Promise<Reply> {
  const { timeoutMs, signal, isPassing = false, onFirstPart } = options
  let response: Response
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      keepalive: isPassing,
      signal: signal ?? (timeoutMs ? AbortSignal.timeout(timeoutMs) : null),
      ...bodyOf(body, onFirstPart === undefined ? {} : { accept: `${LINES_TYPE}, application/json` }),
    })
  } catch {
    signal?.throwIfAborted()
    throw unanswered()
  }
  noticeBuild(response.headers.get(BUILD_HEADER))
  if (onFirstPart !== undefined && response.body !== null && response.headers.get('content-type') === LINES_TYPE)
    return readLines(response.body, onFirstPart as (part: object) => void).catch(() => {
      throw unanswered()
    }) as Promise<Reply>
  const value: unknown = await response.json().catch(() => signal?.throwIfAborted() ?? null)
  if (response.ok) return value as Reply
  // A response without a failure comes from something in front of our server, such as a proxy: it has no message for users.
  const failure = (value as FailureReply | null)?.error ?? { code: 'reply.foreign', kind: 'other', message: '' }
  throw new CallFailed(response.status, failure)
}

/** Files are sent as they are, everything else as JSON. */
function bodyOf(body: unknown, accepted: { accept?: string }): Pick<RequestInit, 'body' | 'headers'> {
  const headers = { [NAMES_HEADER]: TODAY, ...accepted }
  if (body === undefined) return { headers }
  return body instanceof Uint8Array
    ? { body: body as Uint8Array<ArrayBuffer>, headers: { ...headers, 'content-type': 'application/octet-stream' } }
    : { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
}

/** No response, or one that broke off. */
function unanswered(): CallFailed {
  const { kind, code, sentence } = networkCauses[networkCause(navigator.onLine)]
  return new CallFailed(0, { kind, code, message: sentence })
}

let isOutdated = false
const oldListeners = new Set<() => void>()

/** Whether this page is from another build than the server. */
export const isOldPage = () => isOutdated

export function onOldPage(listener: () => void): () => void {
  oldListeners.add(listener)
  return () => {
    oldListeners.delete(listener)
  }
}

function noticeBuild(served: string | null) {
  const own = document.querySelector<HTMLMetaElement>(`meta[name="${BUILD_META}"]`)?.content
  if (isOutdated || served === null || !own || own === served) return
  isOutdated = true
  for (const listener of oldListeners) listener()
}

/** The toast for anything that was thrown: `toast(...toastOf(error))`. */
export function toastOf(error: unknown): readonly ['error' | 'warning', string, string] {
  if (error instanceof CallFailed && error.status === 429) return ['warning', copy['limit.title'], messageOf(error)]
  if (error instanceof CallFailed) return failureToast({ kind: error.kind, message: messageOf(error) })
  // A TypeError: a part of the page could not be loaded. The message of the browser mentions the fetch.
  return failureToast({
    kind: error instanceof TypeError ? 'network' : 'other',
    message: error instanceof Error && error.message !== '' ? error.message : copy['server.broken'],
  })
}

/** The message for users about anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof CallFailed && error.message !== '' ? error.message : copy['server.broken']
}
