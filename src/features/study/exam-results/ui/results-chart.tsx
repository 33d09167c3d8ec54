import { fill } from '../../../../lib/failure.ts'
import { copy } from '../exam-results.copy.ts'
import type { ResultGroup } from '../result-chart.ts'

/** The chart of forecasts against what happened, and its figures as a table. */
export function ResultsChart({ groups }: { groups: readonly ResultGroup[] }) {
  return (
    <figure className="mt-6">
      <figcaption className="text-lg font-semibold">{copy['results.chart']}</figcaption>
      <p className="mt-1 max-w-read text-sm text-soft">{copy['results.chart.about']}</p>
      <div className="mt-4 max-w-120 rounded-lg border border-line bg-surface p-3 tablet:p-5">
        <Plot groups={groups} />
      </div>
      <Figures groups={groups} />
    </figure>
  )
}

const SIZE = 360
const LEFT = 44
const BOTTOM = 44
const TOP = 34
const RIGHT = 24
const x = (percent: number) => LEFT + (percent / 100) * (SIZE - LEFT - RIGHT)
const y = (percent: number) => SIZE - BOTTOM - (percent / 100) * (SIZE - BOTTOM - TOP)

function Plot({ groups }: { groups: readonly ResultGroup[] }) {
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${SIZE} ${SIZE}`} className="nums block w-full">
      {[0, 25, 50, 75, 100].map((percent) => (
        <g key={percent} fontSize="12" className="fill-soft">
          <line x1={x(0)} x2={x(100)} y1={y(percent)} y2={y(percent)} className="stroke-line" />
          <line x1={x(percent)} x2={x(percent)} y1={y(0)} y2={y(100)} className="stroke-line" />
          <text x={LEFT - 8} y={y(percent) + 4} textAnchor="end">
            {percent}%
          </text>
          <text x={x(percent)} y={y(0) + 18} textAnchor="middle">
            {percent}%
          </text>
        </g>
      ))}
      <line
        x1={x(0)}
        y1={y(0)}
        x2={x(100)}
        y2={y(100)}
        strokeDasharray="5 4"
        strokeWidth="1.5"
        className="stroke-ink"
      />
      {groups.map((group) => (
        <g key={group.lowestPercent} strokeWidth="2" className="stroke-accent">
          <line x1={x(group.toldPercent)} x2={x(group.toldPercent)} y1={y(group.passedLow)} y2={y(group.passedHigh)} />
          {[group.passedLow, group.passedHigh].map((end) => (
            <line key={end} x1={x(group.toldPercent) - 6} x2={x(group.toldPercent) + 6} y1={y(end)} y2={y(end)} />
          ))}
          <circle cx={x(group.toldPercent)} cy={y(group.passedPercent)} r="5.5" className="fill-accent" />
        </g>
      ))}
      <text x={x(50)} y={SIZE - 4} fontSize="13" textAnchor="middle" className="fill-ink">
        {copy['results.x']}
      </text>
      <text x={0} y={14} fontSize="13" className="fill-ink">
        {copy['results.y']}
      </text>
    </svg>
  )
}

function Figures({ groups }: { groups: readonly ResultGroup[] }) {
  const heads = ['told', 'mean', 'count', 'passed', 'interval'] as const
  return (
    <div role="region" aria-label={copy['results.table']} tabIndex={0} className="mt-4 overflow-x-auto">
      <table aria-label={copy['results.table']} className="nums w-full max-w-read text-left text-sm">
        <thead>
          <tr className="border-b border-line-strong">
            {heads.map((head, place) => (
              <th
                key={head}
                scope="col"
                className={`py-2 pr-2 align-bottom font-semibold last:pr-0 sm:pr-4 sm:whitespace-nowrap ${place === 0 ? '' : 'text-right'}`}
              >
                {copy[`results.column.${head}`]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {groups.map((group) => (
            <tr key={group.lowestPercent}>
              <th scope="row" className="py-2 pr-2 sm:pr-4 font-normal whitespace-nowrap">
                {rangeOf(group.lowestPercent, group.highestPercent)}
              </th>
              <td className="py-2 pr-2 sm:pr-4 text-right">{Math.round(group.toldPercent)}%</td>
              <td className="py-2 pr-2 sm:pr-4 text-right">{group.count}</td>
              <td className="py-2 pr-2 sm:pr-4 text-right">{Math.round(group.passedPercent)}%</td>
              <td className="py-2 text-right whitespace-nowrap">{rangeOf(group.passedLow, group.passedHigh)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function rangeOf(low: number, high: number): string {
  return fill(copy['results.range'], { low: Math.round(low), high: Math.round(high) })
}
