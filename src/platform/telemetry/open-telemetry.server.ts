import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator, type ExportResult } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import { isLoopbackHost } from '../env.server.ts'
import { isTrusted } from '../http/network-address.server.ts'
import type { Log } from '../log.server.ts'
import { figuresOf } from './sent-figures.server.ts'
import type { RequestFacts, SpanStart, Telemetry, Tracing } from './tracing.server.ts'
import type { TelemetrySettings } from './telemetry-settings.ts'

/** What the end of a process may wait for. */
const CLOSE_MS = 2_000

type Options = { readonly log: Log; readonly version: string; readonly trusted: BlockList | null }

/**
 * Sends traces and metrics. This file is loaded only where that is on, and with it the packages of OpenTelemetry. Nothing is registered
 * globally: a second application in the same process has its own.
 */
export async function startTelemetry(settings: TelemetrySettings, options: Options): Promise<Telemetry> {
  const { log } = options
  const resource = resourceFromAttributes({
    'service.version': options.version,
    'service.instance.id': randomUUID(),
    ...settings.attributes,
    'service.name': settings.serviceName,
  })
  const { createSpanExporter, createMetricExporter } = await exportersOf(settings)
  const closers: (() => Promise<unknown>)[] = []
  let tracing: Tracing | null = null
  if (settings.tracesUrl !== null) {
    const exporter = noting(createSpanExporter(settings.tracesUrl), log, 'traces')
    const processor = new BatchSpanProcessor({
      exporter,
      scheduledDelayMillis: settings.tracesEachMs,
      exportTimeoutMillis: settings.timeoutMs,
    })
    const provider = new TracerProvider({ resource, sampler: samplerOf(settings), spanProcessors: [processor] })
    closers.push(() => provider.shutdown())
    tracing = new SdkTracing(provider.getTracer('altocert'), options.trusted)
  }
  return {
    tracing,
    sendFigures(list) {
      if (settings.metricsUrl === null) return
      const reader = new PeriodicExportingMetricReader({
        exporter: noting(createMetricExporter(settings.metricsUrl), log, 'metrics'),
        exportIntervalMillis: settings.metricsEachMs,
        exportTimeoutMillis: Math.min(settings.timeoutMs, settings.metricsEachMs),
      })
      reader.setMetricProducer(figuresOf(resource, list, settings.protocol))
      closers.push(() => reader.shutdown())
    },
    async close() {
      const limit = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS))
      await Promise.race([limit, Promise.allSettled(closers.map((close) => close()))])
    },
  }
}

async function exportersOf({ protocol, headers, timeoutMs }: TelemetrySettings) {
  const [traces, metrics] =
    protocol === 'http/json'
      ? await Promise.all([
          import('@opentelemetry/exporter-trace-otlp-http'),
          import('@opentelemetry/exporter-metrics-otlp-http'),
        ])
      : await Promise.all([
          import('@opentelemetry/exporter-trace-otlp-proto'),
          import('@opentelemetry/exporter-metrics-otlp-proto'),
        ])
  const common = { headers: { ...headers }, timeoutMillis: timeoutMs }
  return {
    createSpanExporter: (url: string): SpanExporter => new traces.OTLPTraceExporter({ ...common, url }),
    createMetricExporter: (url: string): PushMetricExporter => new metrics.OTLPMetricExporter({ ...common, url }),
  }
}

type Exporter<Item> = { export(items: Item, done: (result: ExportResult) => void): void }

/** Says once in the log that sending fails, and once that it works again. */
function noting<Item, Of extends Exporter<Item>>(exporter: Of & Exporter<Item>, log: Log, what: string): Of {
  const send = exporter.export.bind(exporter)
  let isFailing = false
  exporter.export = (items, done) =>
    send(items, (result) => {
      const hasFailed = result.code !== ExportResultCode.SUCCESS
      if (hasFailed && !isFailing)
        log.warn({ reason: result.error?.message }, `${what} could not be sent by OpenTelemetry, and are dropped`)
      if (!hasFailed && isFailing) log.info({}, `${what} are sent by OpenTelemetry again`)
      isFailing = hasFailed
      done(result)
    })
  return exporter
}

function samplerOf({ sampler, share }: TelemetrySettings): Sampler {
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(share)
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

/** What is under way: its span in its context, and the request that it belongs to. */
type Scope = { readonly context: Context; readonly request: ServedRequest | null; isOver: boolean }
type ServedRequest = { readonly span: Span; readonly method: string; route: string | undefined }

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

class SdkTracing implements Tracing {
  readonly #tracer: Tracer
  readonly #trusted: BlockList | null
  readonly #propagator = new W3CTraceContextPropagator()
  readonly #scopes = new AsyncLocalStorage<Scope>()

  constructor(tracer: Tracer, trusted: BlockList | null) {
    this.#tracer = tracer
    this.#trusted = trusted
  }

  serve(request: IncomingMessage, response: ServerResponse, { routeOf, work }: Parameters<Tracing['serve']>[2]): void {
    const method = METHODS.has(request.method ?? '') ? request.method! : '_OTHER'
    const parent = isFromTrusted(request, this.#trusted)
      ? this.#propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
      : ROOT_CONTEXT
    const attributes = { 'http.request.method': method }
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent)
    const served: ServedRequest = { span, method, route: undefined }
    const scope: Scope = { context: trace.setSpan(parent, span), request: served, isOver: false }
    response.once('close', () => {
      scope.isOver = true
      endRequest(served, { status: response.statusCode, isWhole: response.writableFinished, request, routeOf })
    })
    this.#scopes.run(scope, work)
  }

  describeRequest(facts: RequestFacts): void {
    const request = this.#scopes.getStore()?.request
    if (request !== null && request !== undefined) describe(request, facts)
  }

  async within<Result>(start: SpanStart, work: () => Promise<Result>): Promise<Result> {
    const above = start.isRoot === true ? null : this.#current()
    const parent = above?.context ?? ROOT_CONTEXT
    const span = this.#start(start, parent)
    const scope: Scope = { context: trace.setSpan(parent, span), request: above?.request ?? null, isOver: false }
    try {
      return await this.#scopes.run(scope, work)
    } catch (error) {
      fail(span, error)
      throw error
    } finally {
      scope.isOver = true
      span.end()
    }
  }

  begin(start: SpanStart): ((error?: unknown) => void) | null {
    const above = this.#current()
    if (above === null) return null
    const span = this.#start(start, above.context)
    return (error) => {
      if (error !== undefined) fail(span, error)
      span.end()
    }
  }

  outgoingHeaders(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {}
    const above = this.#current()
    if (above !== null) this.#propagator.inject(above.context, headers, defaultTextMapSetter)
    return headers
  }

  /** Timers and the like go on in the scope in which they began, long after its end. */
  #current(): Scope | null {
    const scope = this.#scopes.getStore()
    return scope === undefined || scope.isOver ? null : scope
  }

  #start({ name, kind = 'internal', facts = {} }: SpanStart, parent: Context): Span {
    return this.#tracer.startSpan(name, { kind: KINDS[kind], attributes: facts }, parent)
  }
}

/** Whoever may say where a request comes from may say which trace it belongs to; others could make us record what they like. */
function isFromTrusted({ socket }: IncomingMessage, trusted: BlockList | null): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return isLoopbackHost(address) || (trusted !== null && isTrusted(address, trusted))
}

function describe(request: ServedRequest, { route, requestId, failure }: RequestFacts): void {
  if (route !== undefined) request.route = route
  if (requestId !== undefined) request.span.setAttribute('altocert.request_id', requestId)
  if (failure !== undefined) request.span.setAttribute('altocert.failure', failure)
}

type EndedRequest = {
  readonly status: number
  /** Whether the whole reply was written. */
  readonly isWhole: boolean
  readonly request: IncomingMessage
  readonly routeOf: (path: string) => string | undefined
}

function endRequest({ span, method, route }: ServedRequest, { status, isWhole, request, routeOf }: EndedRequest): void {
  if (!span.isRecording()) return
  const found = route ?? routeOf(pathOf(request.url ?? '/'))
  if (found !== undefined) {
    span.setAttribute('http.route', found)
    span.updateName(`${method} ${found}`)
  }
  span.setAttribute('http.response.status_code', status)
  if (!isWhole) span.setAttribute('error.type', 'aborted')
  else if (status >= 500) {
    span.setAttribute('error.type', String(status))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

const pathOf = (url: string) => url.replace(/[?#].*$/s, '')

/** The kind of an error, and not its message, which may hold what somebody has entered. */
function fail(span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  const kind = typeof code === 'string' ? code : typeof name === 'string' ? name : 'error'
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
