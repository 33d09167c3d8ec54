import { z } from 'zod'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const text = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional())
const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names, unset: Names[number]) =>
  z.preprocess((v) => (v === '' ? undefined : v), z.enum(names).default(unset as never))
const milliseconds = (unset: number) =>
  z.preprocess((v) => (v === '' ? undefined : v), z.coerce.number().int().min(1).max(3_600_000).default(unset))

/** The variables of OpenTelemetry's specification that the product reads. */
export const telemetryVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: text,
    about:
      'Where traces and metrics go by OTLP over HTTP, such as http://127.0.0.1:4318; OpenTelemetry is off when this and the two below are unset (docs/operations.md).',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    schema: text,
    about: 'The whole address for traces; OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces when unset.',
  },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: {
    schema: text,
    about: 'The whole address for metrics; OTEL_EXPORTER_OTLP_ENDPOINT with /v1/metrics when unset.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: text,
    about: 'Headers for both, such as authorization=Bearer%20secret, separated by commas.',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    schema: oneOf(['http/protobuf', 'http/json'], 'http/protobuf'),
    about: 'http/protobuf or http/json; http/protobuf when unset.',
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    schema: milliseconds(10_000),
    about: 'How long sending may take, in milliseconds; 10000 when unset.',
  },
  OTEL_TRACES_EXPORTER: { schema: oneOf(['otlp', 'none'], 'otlp'), about: 'none: no traces; otlp when unset.' },
  OTEL_METRICS_EXPORTER: { schema: oneOf(['otlp', 'none'], 'otlp'), about: 'none: no metrics; otlp when unset.' },
  OTEL_TRACES_SAMPLER: {
    schema: oneOf(SAMPLERS, 'parentbased_always_on'),
    about: `Which traces are sent: ${SAMPLERS.join(', ')}; parentbased_always_on when unset.`,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z.preprocess((v) => (v === '' ? undefined : v), z.coerce.number().min(0).max(1).default(1)),
    about: 'The share of traces for the samplers with traceidratio, from 0 to 1; 1 when unset.',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    schema: milliseconds(5_000),
    about: 'How often traces are sent, in milliseconds; 5000 when unset.',
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    schema: milliseconds(60_000),
    about: 'How often metrics are sent, in milliseconds; 60000 when unset.',
  },
  OTEL_SERVICE_NAME: { schema: text, about: 'The name of the service in traces and metrics; altocert when unset.' },
  OTEL_RESOURCE_ATTRIBUTES: {
    schema: text,
    about: 'What else to say of the service, such as deployment.environment.name=production, separated by commas.',
  },
  OTEL_SDK_DISABLED: { schema: oneOf(['true', 'false'], 'false'), about: 'true: OpenTelemetry is off.' },
} as const

export type TelemetrySettings = {
  /** Null when there are none to send. */
  readonly tracesUrl: string | null
  readonly metricsUrl: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly timeoutMs: number
  readonly sampler: (typeof SAMPLERS)[number]
  /** For samplers by ratio. */
  readonly share: number
  readonly tracesEachMs: number
  readonly metricsEachMs: number
  readonly serviceName: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Null when OpenTelemetry is off. Adds what is wrong to `problems`. `raw` has the parsed variables. */
export function readTelemetry(raw: Readonly<Record<string, unknown>>, problems: string[]): TelemetrySettings | null {
  const value = (name: keyof typeof telemetryVariables) => raw[name] as string | undefined
  if (value('OTEL_SDK_DISABLED') === 'true') return null
  const general = value('OTEL_EXPORTER_OTLP_ENDPOINT')
  const endpointOf = (signal: 'TRACES' | 'METRICS') => {
    if (value(`OTEL_${signal}_EXPORTER`) === 'none') return null
    const own = value(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)
    return own ?? (general === undefined ? null : `${general.replace(/\/$/, '')}/v1/${signal.toLowerCase()}`)
  }
  const [tracesUrl, metricsUrl] = [endpointOf('TRACES'), endpointOf('METRICS')]
  if (tracesUrl === null && metricsUrl === null) return null
  for (const name of [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  ] as const)
    if (!isAddress(value(name))) problems.push(`${name}: is not an http or https address`)
  const listOf = (name: 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_RESOURCE_ATTRIBUTES') => {
    const pairs = parsePairs(value(name) ?? '')
    if (pairs === null) problems.push(`${name}: is not like name=value,name=value`)
    return pairs ?? {}
  }
  return {
    tracesUrl,
    metricsUrl,
    headers: listOf('OTEL_EXPORTER_OTLP_HEADERS'),
    protocol: raw['OTEL_EXPORTER_OTLP_PROTOCOL'] as TelemetrySettings['protocol'],
    timeoutMs: raw['OTEL_EXPORTER_OTLP_TIMEOUT'] as number,
    sampler: raw['OTEL_TRACES_SAMPLER'] as TelemetrySettings['sampler'],
    share: raw['OTEL_TRACES_SAMPLER_ARG'] as number,
    tracesEachMs: raw['OTEL_BSP_SCHEDULE_DELAY'] as number,
    metricsEachMs: raw['OTEL_METRIC_EXPORT_INTERVAL'] as number,
    serviceName: value('OTEL_SERVICE_NAME') ?? 'altocert',
    attributes: listOf('OTEL_RESOURCE_ATTRIBUTES'),
  }
}

function isAddress(address: string | undefined): boolean {
  return address === undefined || /^https?:\/\/[^\s/]+\S*$/.test(address)
}

/** Values are percent-encoded, as in W3C Baggage. */
function parsePairs(list: string): Record<string, string> | null {
  const pairs = list.split(',').filter((pair) => pair.trim() !== '')
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? []
        if (name === undefined || value === undefined) throw new Error('no pair')
        return [name, decodeURIComponent(value.trim())]
      }),
    )
  } catch {
    return null
  }
}
