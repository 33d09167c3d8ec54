import { ValueType, type HrTime } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type MetricData, type MetricProducer } from '@opentelemetry/sdk-metrics'
import type { Figure } from '../metrics.server.ts'
import type { TelemetrySettings } from './telemetry-settings.ts'

/** The figures of /metrics, under the same names, as OpenTelemetry's SDK sends them. */
export function figuresOf(
  resource: Resource,
  list: () => Promise<readonly Figure[]>,
  protocol: TelemetrySettings['protocol'],
): MetricProducer {
  // JSON has no infinity: the figure is left out.
  const isSendable = ([, value]: Figure['values'][number]) => protocol !== 'http/json' || Number.isFinite(value)
  const startTime = millisToHrTime(Date.now())
  return {
    async collect() {
      const figures = await list()
      const endTime = millisToHrTime(Date.now())
      const metrics = figures.map((figure) =>
        dataOf({ ...figure, values: figure.values.filter(isSendable) }, { startTime, endTime }),
      )
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'altocert' }, metrics }] }, errors: [] }
    },
  }
}

function dataOf({ name, kind, help, values }: Figure, times: { startTime: HrTime; endTime: HrTime }): MetricData {
  const common = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPoints: values.map(([attributes, value]) => ({ ...times, attributes, value })),
  }
  return kind === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true }
    : { ...common, dataPointType: DataPointType.GAUGE }
}
