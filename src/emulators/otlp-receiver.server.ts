import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const Value = z
  .object({
    stringValue: z.string().optional(),
    intValue: z.union([z.number(), z.string()]).optional(),
    doubleValue: z.number().optional(),
  })
  .transform(({ stringValue, intValue, doubleValue }) => stringValue ?? doubleValue ?? Number(intValue))
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value])))
const Resource = z.object({ attributes: Attributes })
const Span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: Attributes,
  status: z.object({ code: z.number(), message: z.string().optional() }),
})
const Traces = z.object({
  resourceSpans: z.array(z.object({ resource: Resource, scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
})
const Points = z.object({ dataPoints: z.array(z.object({ attributes: Attributes, asDouble: z.number() })) })
const Metric = z.object({
  name: z.string(),
  sum: Points.extend({ isMonotonic: z.boolean(), aggregationTemporality: z.number() }).optional(),
  gauge: Points.optional(),
})
const Metrics = z.object({
  resourceMetrics: z.array(
    z.object({ resource: Resource, scopeMetrics: z.array(z.object({ metrics: z.array(Metric) })) }),
  ),
})

export type ReceivedSpan = z.infer<typeof Span> & { readonly resource: z.infer<typeof Attributes> }
export type ReceivedMetric = z.infer<typeof Metric> & { readonly resource: z.infer<typeof Attributes> }

/** A request as it came. */
type Received = { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: Buffer }

/**
 * A receiver of OpenTelemetry's traces and metrics by OTLP over HTTP, for tests, on a free port of this machine. It keeps what it is sent:
 * JSON by field, protobuf as bytes. Written from the specification of OTLP 1; no real collector was asked.
 */
export async function startOtlpReceiver() {
  const received: Received[] = []
  const spans: ReceivedSpan[] = []
  const metrics: ReceivedMetric[] = []
  const waiting = new Set<() => void>()

  function take({ path, headers, body }: Received): number {
    if (headers['content-type'] === 'application/x-protobuf') return 200
    if (headers['content-type'] !== 'application/json') return 415
    const json: unknown = JSON.parse(body.toString())
    if (path === '/v1/traces') spans.push(...spansIn(json))
    else if (path === '/v1/metrics') metrics.push(...metricsIn(json))
    else return 404
    return 200
  }

  const server = createServer(async (request, response) => {
    const body = Buffer.concat((await request.toArray()) as Buffer[])
    const one = { path: request.url ?? '', headers: request.headers, body }
    received.push(one)
    response.writeHead(take(one), { 'content-type': one.headers['content-type'] ?? 'text/plain' }).end()
    for (const look of waiting) look()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans,
    metrics,
    /** What `find` returns, once that is something. */
    until<Found>(find: () => Found | undefined | false): Promise<Found> {
      return new Promise((resolve) => {
        const look = () => {
          const found = find()
          if (found === undefined || found === false) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function spansIn(json: unknown): ReceivedSpan[] {
  return Traces.parse(json).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, resource: resource.attributes }))),
  )
}

function metricsIn(json: unknown): ReceivedMetric[] {
  return Metrics.parse(json).resourceMetrics.flatMap(({ resource, scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics.map((metric) => ({ ...metric, resource: resource.attributes }))),
  )
}
