import { expect, test } from 'vitest'
import { BadEnvironment, listUnencrypted, readEnv } from '../env.server.ts'

const telemetryOf = (source: Record<string, string>) => readEnv(source).telemetry
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }

test('OpenTelemetry is on when an endpoint is set, and off for a signal that has none or is turned off', () => {
  expect(telemetryOf({})).toBeNull()
  expect(telemetryOf({ OTEL_SERVICE_NAME: 'shop' })).toBeNull()
  expect(telemetryOf({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeNull()
  expect(telemetryOf(endpoint)).toMatchObject({
    tracesUrl: 'http://127.0.0.1:4318/v1/traces',
    metricsUrl: 'http://127.0.0.1:4318/v1/metrics',
    protocol: 'http/protobuf',
    serviceName: 'altocert',
    sampler: 'parentbased_always_on',
  })
  expect(telemetryOf({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toMatchObject({ tracesUrl: null })
  expect(telemetryOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in' })).toMatchObject({
    tracesUrl: 'https://traces.example/in',
    metricsUrl: null,
  })
})

test('headers and attributes are lists of pairs, percent-decoded', () => {
  const read = telemetryOf({
    ...endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=b, x-team = shop ',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production',
  })
  expect(read?.headers).toEqual({ authorization: 'Bearer a=b', 'x-team': 'shop' })
  expect(read?.attributes).toEqual({ 'deployment.environment.name': 'production' })
})

test('what cannot be used stops the start with a sentence that names the variable', () => {
  const wrong = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_TRACES_SAMPLER: 'some',
    OTEL_TRACES_SAMPLER_ARG: '2',
    OTEL_METRIC_EXPORT_INTERVAL: 'soon',
  }
  let message = ''
  try {
    readEnv(wrong)
  } catch (error) {
    if (error instanceof BadEnvironment) ({ message } = error)
  }
  for (const name of Object.keys(wrong)) expect(message).toContain(`- ${name}: `)
  expect(message).not.toContain('collector')
})

test('an endpoint on another machine without TLS is warned of', () => {
  const listed = (url: string) => listUnencrypted(readEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: url }))
  expect(listed('http://collector.example:4318')).toEqual(['OTEL_EXPORTER_OTLP_ENDPOINT'])
  expect(listed('https://collector.example')).toEqual([])
  expect(listed('http://127.0.0.1:4318')).toEqual([])
})
