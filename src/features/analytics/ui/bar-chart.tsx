import type { ReactNode } from 'react'
import { fill } from '../../../lib/failure.ts'
import { formatDay } from '../../../lib/time.ts'
import { copy } from '../analytics.copy.ts'
import { ticksOf, type Period } from '../analytics.ts'

const HEIGHT = 200
const TOP = 14
const BOTTOM = 168
const AXIS_WIDTH_MIN = 64
/** Width of a digit at the font size of the chart. */
const LETTER = 7.5

type Bar = { readonly day: string; readonly value: number }

/** A figure over a period: bars, a sentence with the highest value and the sum, and a table with all values. */
export function BarChart({
  name,
  bars,
  unit,
  format,
  isWhole = true,
  isSummed = true,
  children,
}: {
  name: string
  bars: readonly Bar[]
  unit: Period['unit']
  format: (value: number) => string
  /** Whether the values are whole numbers. */
  isWhole?: boolean
  /** Whether a sum makes sense; learners who were active on two days would count twice. */
  isSummed?: boolean
  /** The table with all values. */
  children: ReactNode
}) {
  const most = bars.reduce((best, bar) => (bar.value > best.value ? bar : best), bars[0] ?? { day: '', value: 0 })
  const all = bars.reduce((sum, { value }) => sum + value, 0)
  const summary = bars.every(({ value }) => value === 0)
    ? copy['chart.nothing']
    : fill(copy[isSummed ? 'chart.said' : 'chart.said.most'], {
        most: format(most.value),
        at: bucketText(most.day, unit),
        all: format(all),
      })
  const drawn = { bars, unit, format, isWhole }
  return (
    <figure className="nums min-w-0">
      <h3 className="font-semibold">{name}</h3>
      {/* One drawing for each width, because scaled-down text would be unreadable on a phone. */}
      <Plot width={340} {...drawn} className="tablet:hidden" />
      <Plot width={740} {...drawn} className="hidden tablet:block desktop:hidden" />
      <Plot width={480} {...drawn} className="hidden desktop:block" />
      <figcaption className="mt-1 text-sm text-soft">{summary}</figcaption>
      <details className="mt-1">
        <summary
          aria-label={fill(copy['chart.table.of'], { chart: name })}
          className="inline-flex min-h-8 cursor-pointer items-center text-sm font-semibold text-accent underline underline-offset-2"
        >
          {copy['chart.table']}
        </summary>
        <div className="mt-2 overflow-x-auto">{children}</div>
      </details>
    </figure>
  )
}

function Plot({
  width,
  bars,
  unit,
  format,
  isWhole,
  className,
}: {
  width: number
  bars: readonly Bar[]
  unit: Period['unit']
  format: (value: number) => string
  isWhole: boolean
  className: string
}) {
  const ticks = ticksOf(
    bars.map(({ value }) => value),
    isWhole,
  )
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const y = (value: number) => BOTTOM - ((value - low) / (high - low || 1)) * (BOTTOM - TOP)
  const left = Math.max(AXIS_WIDTH_MIN, ...ticks.map((tick) => format(tick).length * LETTER + 8))
  const room = (width - left) / Math.max(1, bars.length)
  const [first, last] = [bars[0], bars.at(-1)]
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} ${HEIGHT}`} className={`mt-3 w-full ${className}`}>
      {ticks.map((tick) => (
        <GridLine key={tick} tick={tick} text={format(tick)} left={left} right={width} y={y(tick)} />
      ))}
      {bars.map(({ day, value }, place) => (
        <rect
          key={day}
          x={left + place * room + room * 0.12}
          width={room * 0.76}
          y={Math.min(y(value), y(0))}
          height={Math.abs(y(value) - y(0))}
          className={value < 0 ? 'fill-flag' : 'fill-accent'}
        >
          <title>{`${bucketText(day, unit)}: ${format(value)}`}</title>
        </rect>
      ))}
      {first === undefined || last === undefined ? null : (
        <g fontSize="12" className="fill-soft">
          <text x={left} y={HEIGHT - 10}>
            {bucketText(first.day, unit)}
          </text>
          {bars.length < 2 ? null : (
            <text x={width} y={HEIGHT - 10} textAnchor="end">
              {bucketText(last.day, unit)}
            </text>
          )}
        </g>
      )}
    </svg>
  )
}

function GridLine({
  tick,
  text,
  left,
  right,
  y,
}: {
  tick: number
  text: string
  left: number
  right: number
  y: number
}) {
  return (
    <g>
      <line x1={left} x2={right} y1={y} y2={y} className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'} />
      <text x={left - 8} y={y + 4} fontSize="12" textAnchor="end" className="fill-soft">
        {text}
      </text>
    </g>
  )
}

/** '21 Nov 2026', or 'Nov 2026' when a point is a month. */
export function bucketText(day: string, unit: Period['unit']): string {
  const text = formatDay(day)
  return unit === 'day' ? text : text.split(' ').slice(1).join(' ')
}
