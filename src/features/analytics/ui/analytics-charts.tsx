import { copy } from '../analytics.copy.ts'
import type { Period } from '../analytics.ts'
import type { Point } from '../analytics.schema.ts'
import { BarChart, bucketText } from './bar-chart.tsx'
import { dollars } from './figures.tsx'
import { Table } from './chart-table.tsx'

/** The charts of a period, each with its table. */
export function Charts({ points, unit }: { points: readonly Point[]; unit: Period['unit'] }) {
  const netOf = (point: Point) => point.grossCents - point.refundedCents
  const bars = (value: (point: Point) => number) => points.map((point) => ({ day: point.day, value: value(point) }))
  const when = copy[`column.${unit}`]
  const rows = (cells: (point: Point) => (string | number)[]) =>
    points.map((point) => ({ key: point.day, cells: [bucketText(point.day, unit), ...cells(point)] }))
  return (
    <div className="grid gap-x-12 gap-y-10 desktop:grid-cols-2">
      <BarChart name={copy['chart.net']} bars={bars(netOf)} unit={unit} format={dollars} isWhole={false}>
        <Table
          label={copy['chart.net']}
          head={[when, copy['column.gross'], copy['column.refunded'], copy['column.net']]}
          rows={rows((point) => [dollars(point.grossCents), dollars(point.refundedCents), dollars(netOf(point))])}
        />
      </BarChart>
      <BarChart name={copy['chart.orders']} bars={bars(({ orders }) => orders)} unit={unit} format={String}>
        <Table
          label={copy['chart.orders']}
          head={[when, copy['column.orders']]}
          rows={rows(({ orders }) => [orders])}
        />
      </BarChart>
      <BarChart
        name={copy['chart.learners']}
        bars={bars(({ learners }) => learners)}
        unit={unit}
        format={String}
        isSummed={false}
      >
        <Table
          label={copy['chart.learners']}
          head={[when, copy['column.learners']]}
          rows={rows(({ learners }) => [learners])}
        />
      </BarChart>
      <BarChart
        name={copy['chart.finished']}
        bars={bars(({ timed, practice }) => timed + practice)}
        unit={unit}
        format={String}
      >
        <Table
          label={copy['chart.finished']}
          head={[when, copy['column.timed'], copy['column.passed'], copy['column.practice']]}
          rows={rows(({ timed, passed, practice }) => [timed, passed, practice])}
        />
      </BarChart>
    </div>
  )
}
