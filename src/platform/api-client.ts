import type { TypedEndpoint } from './http/endpoint.server.ts'
import type { FailureKind, FailureReply, FieldProblem } from '../lib/failure.ts'
import { causes, failureToast, networkCause } from './error-causes.ts'
import { BUILD_HEADER, BUILD_META, NAMES_HEADER, TODAY } from './build-id.ts'
import { copy } from './platform.copy.ts'

/** A call that did not work, in the words a person can read; without any where it was not our server that answered. */
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
    return this.fields.find((one) => one.field === field)?.message
  }
}

/** The calls of a room's API: what its `…Api()` returns. */
type Calls<Api extends (...given: never[]) => readonly TypedEndpoint[]> = NonNullable<ReturnType<Api>[number]['types']>
type Part<Name extends string, Value> = undefined extends Value
  ? { readonly [K in Name]?: Value }
  : { readonly [K in Name]: Value }
type CallInput<Call extends { params: unknown; query: unknown; body: unknown }> = Part<'params', Call['params']> &
  Part<'query', Call['query']> &
  Part<'body', Call['body']> & {
    /** Gives up waiting for a reply after this: only for what may be sent again. */
    readonly timeoutMs?: number
    /** Whoever asks gives up with this, and is told its reason: for what is asked with every key. */
    readonly signal?: AbortSignal
    /** The browser delivers it also when the page is gone by then. */
    readonly isPassing?: boolean
  }

/** The typed client of a room: `const call = clientOf<typeof catalogueApi>()`. Nothing of the server but its types reaches the browser. */
export function clientOf<Api extends (...given: never[]) => readonly TypedEndpoint[]>() {
  return <
    M extends Calls<Api>['method'],
    Path extends Extract<Calls<Api>, { method: M }>['path'],
    Call extends Extract<Calls<Api>, { method: M; path: Path }>,
  >(
    method: M,
    path: Path,
    ...given: object extends CallInput<Call> ? [given?: CallInput<Call>] : [given: CallInput<Call>]
  ): Promise<Call['reply']> => {
    const { params, query, body, ...how } = (given[0] ?? {}) as How & {
      params?: Texts
      query?: Texts
      body?: unknown
    }
    return call(method, withQuery(withParams(path, params ?? {}), query ?? {}), body, how)
  }
}

type Texts = Readonly<Record<string, string | number | boolean | undefined>>

function withParams(path: string, params: Texts): string {
  return path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params[name])))
}

function withQuery(path: string, query: Texts): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

/** Spec 9: so often a query is asked again when no answer of ours came. */
export const QUERY_RETRIES = 1
const NOT_OURS = [0, 502, 503, 504]

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type How = { readonly timeoutMs?: number; readonly signal?: AbortSignal; readonly isPassing?: boolean }

/**
 * A call of our own API. What only asks is asked again where the network, or something before the server, lost it; who sets a
 * limit decides that alone.
 */
async function call<Reply>(method: Method, path: string, body?: unknown, how: How = {}): Promise<Reply> {
  for (let again = method === 'GET' && how.timeoutMs === undefined ? QUERY_RETRIES : 0; ; again -= 1) {
    try {
      return await callOnce(method, path, body, how)
    } catch (error) {
      const isLost = error instanceof CallFailed && NOT_OURS.includes(error.status) && navigator.onLine
      if (again === 0 || !isLost) throw error
    }
  }
}

/**
 * With a limit it gives up waiting for a reply: only for what may be sent again.
 * @throws CallFailed, with OFFLINE or NETWORK_ERROR when no answer came; the reason of a signal that gave up
 */
async function callOnce<Reply>(method: Method, path: string, body: unknown, how: How): Promise<Reply> {
  const { timeoutMs, signal, isPassing = false } = how
  let response: Response
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      keepalive: isPassing,
      signal: signal ?? (timeoutMs ? AbortSignal.timeout(timeoutMs) : null),
      ...bodyOf(body),
    })
  } catch {
    signal?.throwIfAborted()
    const { kind, code, sentence } = causes[networkCause(navigator.onLine)]
    throw new CallFailed(0, { kind, code, message: sentence })
  }
  noticeBuild(response.headers.get(BUILD_HEADER))
  const value: unknown = await response.json().catch(() => signal?.throwIfAborted() ?? null)
  if (response.ok) return value as Reply
  // Without one it was not our server that answered, but something before it, such as a proxy: that says nothing to people.
  const failure = (value as FailureReply | null)?.error ?? { code: 'reply.foreign', kind: 'other', message: '' }
  throw new CallFailed(response.status, failure)
}

/** A file goes as it is, everything else as JSON. */
function bodyOf(body: unknown): Pick<RequestInit, 'body' | 'headers'> {
  const names = { [NAMES_HEADER]: TODAY }
  if (body === undefined) return { headers: names }
  return body instanceof Uint8Array
    ? { body: body as Uint8Array<ArrayBuffer>, headers: { ...names, 'content-type': 'application/octet-stream' } }
    : { body: JSON.stringify(body), headers: { ...names, 'content-type': 'application/json' } }
}

let isOld = false
const oldListeners = new Set<() => void>()

/** Whether the server has another build than this page was made with. */
export const isOldPage = () => isOld

export function onOldPage(listener: () => void): () => void {
  oldListeners.add(listener)
  return () => {
    oldListeners.delete(listener)
  }
}

function noticeBuild(served: string | null) {
  const own = document.querySelector<HTMLMetaElement>(`meta[name="${BUILD_META}"]`)?.content
  if (isOld || served === null || !own || own === served) return
  isOld = true
  for (const listener of oldListeners) listener()
}

/** Anything that was thrown, as a toast says it: `toast(...toastOf(error))`. */
export function toastOf(error: unknown) {
  if (error instanceof CallFailed) return failureToast({ kind: error.kind, message: messageOf(error) })
  // A part of the page that could not be loaded: the browser's own words name the fetch.
  return failureToast({
    kind: error instanceof TypeError ? 'network' : 'other',
    message: error instanceof Error && error.message !== '' ? error.message : copy['server.broken'],
  })
}

/** What to tell somebody about anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof CallFailed && error.message !== '' ? error.message : copy['server.broken']
}
