import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** Promise of issue and docs/operations.md: every request ends within this time, but for uploads, streams and downloads. */
export const LONGEST_MS = 10_000
/** When we stop waiting for a reply that will not come. */
const GIVE_UP_MS = 90_000

export type Reply = { readonly status: number; readonly text: string; readonly location: string | null }

/** Sends requests of users and remembers how they ended. */
export type Requests = {
  readonly statuses: ReadonlyMap<string, number>
  /** Requests that took too long, uploads excepted. */
  readonly slow: readonly { readonly what: string; readonly seconds: number; readonly load: number }[]
  /** What was answered with 500: a failure that has no sentence of its own. */
  readonly broken: ReadonlyMap<string, number>
  /** The statuses of the replies since `from` to requests of this kind, as '200: 3, 503: 1'. */
  summary(kind: RegExp, from: number): string
  count(): number
  /** Null when no reply came. */
  send(method: string, path: string, options?: SendOptions): Promise<Reply | null>
}

type SendOptions = {
  readonly cookie?: string
  readonly body?: object
  readonly form?: Readonly<Record<string, string>>
  readonly upload?: Uint8Array
}

export function createRequests(url: string): Requests {
  const statuses = new Map<string, number>()
  const slow: { what: string; seconds: number; load: number }[] = []
  const broken = new Map<string, number>()
  const all: { what: string; at: number; status: string }[] = []
  let count = 0
  return {
    statuses,
    slow,
    broken,
    count: () => count,
    summary(kind, from) {
      const counts = new Map<string, number>()
      for (const { what, at, status } of all)
        if (at >= from && kind.test(what)) counts.set(status, (counts.get(status) ?? 0) + 1)
      return [...counts].map(([status, number]) => `${status}: ${number}`).join(', ') || 'none'
    },
    async send(method, path, options = {}) {
      const startedAt = performance.now()
      count += 1
      const reply = await fetchReply(`${url}${path}`, url, method, options)
      const ms = performance.now() - startedAt
      const what = `${method} ${path.replaceAll(/[0-9a-f-]{30,}|cs_test_\w+|q-\S+/g, '…')}`
      if (ms > LONGEST_MS && options.upload === undefined) slow.push({ what, seconds: ms / 1000, load: loadOfACore() })
      const status = reply === null ? 'no reply' : String(reply.status)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      all.push({ what, at: performance.now(), status })
      if (status === '500') broken.set(what, (broken.get(what) ?? 0) + 1)
      return reply
    },
  }
}

/** Processes that want to run, for each core. */
function loadOfACore(): number {
  return loadavg()[0]! / availableParallelism()
}

async function fetchReply(address: string, origin: string, method: string, options: SendOptions) {
  const { cookie, body, form, upload } = options
  const headers = {
    origin,
    ...(cookie === undefined ? {} : { cookie }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  try {
    const reply = await fetch(address, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(GIVE_UP_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      ...(upload === undefined ? {} : { body: Buffer.from(upload) }),
    })
    return { status: reply.status, text: await reply.text(), location: reply.headers.get('location') }
  } catch {
    return null
  }
}

/** The body of a reply that succeeded; null for any other. */
export function successOf<Body>(reply: Reply | null): Body | null {
  return reply !== null && reply.status >= 200 && reply.status < 300 ? (JSON.parse(reply.text) as Body) : null
}

/** A pause between two actions of a user, or before the next try. */
export const pause = (ms: number): Promise<void> => wait(ms)
