import { timingSafeEqual, createHash } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isLoopbackHost } from './env.server.ts'
import { FORWARDED_HEADERS } from './http/http.server.ts'

export type Figure = {
  readonly name: string
  readonly kind: 'counter' | 'gauge'
  readonly help: string
  /** A value for each set of labels. */
  readonly values: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]
  /** Of several processes the largest value counts, not their sum. */
  readonly isLargest?: boolean
}

/** Request counts, event loop delay and memory of this process. */
export class Metrics {
  readonly #requests = [0, 0, 0, 0, 0, 0]
  readonly #timed = { count: 0, seconds: 0 }
  readonly #delay = monitorEventLoopDelay({ resolution: 20 })

  constructor() {
    this.#delay.enable()
  }

  /** Counts a reply that was not taken from the cache of pages, and how long it took. */
  countTimedReply(status: number, seconds: number): void {
    this.countReply(status)
    this.#timed.count += 1
    this.#timed.seconds += seconds
  }

  /** Counts a reply that was sent, by the class of its status. */
  countReply(status: number): void {
    const index = Math.floor(status / 100)
    this.#requests[index] = (this.#requests[index] ?? 0) + 1
  }

  figures(): Figure[] {
    const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)
    return [
      {
        name: 'altocert_requests_total',
        kind: 'counter',
        help: 'Replies by the class of their status.',
        values: this.#requests.flatMap((count, index) =>
          index === 0 ? [] : [[{ status: `${index}xx` }, count] as const],
        ),
      },
      {
        name: 'altocert_timed_requests_total',
        kind: 'counter',
        help: 'Replies that were not taken from the cache of pages, without streams.',
        values: [[{}, this.#timed.count]],
      },
      {
        name: 'altocert_request_seconds_total',
        kind: 'counter',
        help: 'How long these replies took together.',
        values: [[{}, this.#timed.seconds]],
      },
      {
        name: 'altocert_event_loop_delay_seconds',
        kind: 'gauge',
        help: 'How late the process was, since the previous scrape.',
        isLargest: true,
        values: [
          [{ quantile: '0.5' }, seconds(this.#delay.percentile(50))],
          [{ quantile: '0.99' }, seconds(this.#delay.percentile(99))],
          [{ quantile: '1' }, seconds(this.#delay.max)],
        ],
      },
      {
        name: 'altocert_memory_bytes',
        kind: 'gauge',
        help: 'Resident memory of the process.',
        values: [[{}, process.memoryUsage.rss()]],
      },
    ]
  }

  stop(): void {
    this.#delay.disable()
  }
}

/** The figures of several processes together. */
export function addFigures(processes: readonly (readonly Figure[])[]): Figure[] {
  const added = new Map<string, { figure: Figure; values: Map<string, Figure['values'][number]> }>()
  for (const figure of processes.flat()) {
    const entry = added.get(figure.name) ?? { figure, values: new Map<string, Figure['values'][number]>() }
    added.set(figure.name, entry)
    for (const [labels, value] of figure.values) {
      const key = JSON.stringify(labels)
      const before = entry.values.get(key)?.[1] ?? 0
      entry.values.set(key, [labels, figure.isLargest === true ? Math.max(before, value) : before + value])
    }
  }
  return [...added.values()].map(({ figure, values }) => ({ ...figure, values: [...values.values()] }))
}

/** The text format of Prometheus. */
export function metricsText(figures: readonly Figure[]): string {
  return figures
    .map(({ name, kind, help, values }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${kind}`,
        ...values.map(([labels, value]) => {
          const named = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
          return `${name}${named.length === 0 ? '' : `{${named.join(',')}}`} ${value === Number.POSITIVE_INFINITY ? '+Inf' : value}`
        }),
      ].join('\n'),
    )
    .join('\n')
    .concat('\n')
}

/** Allows requests with the bearer token, and requests from this machine that no proxy forwarded. */
export function maySeeMetrics(request: Request, socketAddress: string | undefined, token: string | undefined): boolean {
  const authorization = request.headers.get('authorization')
  if (token !== undefined && authorization !== null && isSame(authorization, `Bearer ${token}`)) return true
  const address = (socketAddress ?? '').replace(/^::ffff:/, '')
  return (
    isLoopbackHost(address) &&
    isLoopbackHost(new URL(request.url).hostname) &&
    FORWARDED_HEADERS.every((name) => !request.headers.has(name))
  )
}

function isSame(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}
