import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Figure } from '../metrics.server.ts'

export type SpanStart = {
  readonly name: string
  readonly kind?: 'internal' | 'client' | 'consumer'
  /** Never personal data: no address, token, value of a query, or address with a secret in it. */
  readonly facts?: Readonly<Record<string, string | number>>
  /** It begins a trace of its own, whatever is under way. */
  readonly isRoot?: boolean
}

export type RequestFacts = {
  /** The pattern of the address, such as /course/:courseSlug. */
  readonly route?: string | undefined
  readonly requestId?: string
  /** The code of the failure that refused the request. */
  readonly failure?: string | undefined
}

/** Spans of what this process does (decision 0060). Null instead of this where OpenTelemetry is off, and then nothing of it runs. */
export type Tracing = {
  /** Serves a request within a span. `routeOf` finds the pattern of an address that nobody describes. */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    options: { routeOf(path: string): string | undefined; work(): void },
  ): void
  /** Adds to the span of the request that is being served. */
  describeRequest(facts: RequestFacts): void
  /** Runs `work` within a span. */
  within<Result>(start: SpanStart, work: () => Promise<Result>): Promise<Result>
  /** A span of what is under way; null outside of any span. Call the result at its end. */
  begin(start: SpanStart): ((error?: unknown) => void) | null
  /** The headers with which a call to others continues the trace (W3C Trace Context). */
  outgoingHeaders(): Readonly<Record<string, string>>
}

/** OpenTelemetry in this process. */
export type Telemetry = {
  readonly tracing: Tracing | null
  /** Sends these figures of this process from now on; whoever receives those of several processes adds them up. */
  sendFigures(list: () => Promise<readonly Figure[]>): void
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>
}

/** Runs `work`, within a span where OpenTelemetry is on. */
export function inSpan<Result>(
  tracing: Tracing | null,
  start: SpanStart,
  work: () => Promise<Result>,
): Promise<Result> {
  return tracing === null ? work() : tracing.within(start, work)
}
