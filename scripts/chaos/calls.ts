/** What the clients saw of the server. */
export class CallRecord {
  count = 0
  failed = 0
  slowestMs = 0
  readonly slow: { readonly what: string; readonly seconds: number }[] = []
  /** Replies by request and status; 0 when no whole reply came. */
  readonly statuses = new Map<string, Map<number, number>>()
  /** Replies that say the request itself is wrong. */
  readonly refusals = new Map<string, number>()

  countReply(what: string, status: number): void {
    const counts = this.statuses.get(what) ?? new Map<number, number>()
    this.statuses.set(what, counts.set(status, (counts.get(status) ?? 0) + 1))
  }

  /** As '200: 3, 503: 1'. */
  summary(kind: RegExp): string {
    const sums = new Map<number, number>()
    for (const [what, counts] of this.statuses)
      if (kind.test(what)) for (const [status, count] of counts) sums.set(status, (sums.get(status) ?? 0) + count)
    return [...sums].map(([status, count]) => `${status === 0 ? 'no reply' : status}: ${count}`).join(', ') || 'none'
  }

  refuse(what: string): void {
    this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1)
  }
}

export type Reply = { readonly status: number; readonly text: string; readonly startedAt: number }

type Call = {
  readonly method?: string
  readonly cookie?: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly bytes?: Uint8Array
  /** Uploads, streams and downloads may take long. */
  readonly mayTakeLong?: boolean
}

/** Each request must end within this time. */
export const SLOW_MS = 10_000
/** For a request that never ends. */
const GIVE_UP_MS = 90_000

export type Caller = (path: string, call?: Call) => Promise<Reply | null>

/** Calls the shop and writes down how it went; null when no whole reply came. */
export function createCaller(url: string, record: CallRecord): Caller {
  return async (path, { method = 'GET', cookie, json, form, bytes, mayTakeLong = false } = {}) => {
    const startedAt = performance.now()
    record.count += 1
    const end = () => {
      const ms = performance.now() - startedAt
      if (mayTakeLong) return
      record.slowestMs = Math.max(record.slowestMs, ms)
      if (ms > SLOW_MS) record.slow.push({ what: `${method} ${generalized(path)}`, seconds: ms / 1000 })
    }
    try {
      const reply = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(GIVE_UP_MS),
        headers: {
          origin: url,
          ...(cookie === undefined ? {} : { cookie }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
        ...(bytes === undefined ? {} : { body: Buffer.from(bytes) }),
      })
      const text = await reply.text()
      end()
      record.countReply(`${method} ${generalized(path)}`, reply.status)
      if (reply.status >= 500) record.failed += 1
      else if (reply.status >= 400)
        record.refuse(`${method} ${generalized(path)}: ${reply.status} ${text.slice(0, 120).replaceAll('\n', ' ')}`)
      return { status: reply.status, text, startedAt }
    } catch {
      end()
      record.countReply(`${method} ${generalized(path)}`, 0)
      record.failed += 1
      return null
    }
  }
}

function generalized(path: string): string {
  return path
    .replace(/^https?:\/\/[^/]+/, '')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    .replaceAll(/answers\/.+|pay\/.+/g, '…')
    .replaceAll(/\?.*/g, '')
}
