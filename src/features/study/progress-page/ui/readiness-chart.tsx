import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { copy } from '../progress-page.copy.ts'
import { dayNumber, type ProgressView, type ReadinessPoint } from '../progress-view.ts'
import { ChartCard, DataTable, Drawings, Label, Mark, pathOf, Tick } from './chart-parts.tsx'
import { percentAxis } from './percent-axis.ts'
import { TimeAxis, timeScale } from './time-axis.tsx'

const HEIGHT = 260
const [TOP, BOTTOM, LEFT] = [16, 224, 44]

/** The expected score day by day with its intervals and the passing score. */
export function ReadinessChart({
  points,
  passingPercent,
  examDay,
}: Pick<ProgressView, 'points' | 'passingPercent'> & { readonly examDay: string | null }) {
  const [first, last] = [points[0], points.at(-1)]
  const percent = (value: number) => fill(copy['percent'], { n: Math.round(value) })
  const range = (low: number, high: number) => fill(copy['range'], { low: Math.round(low), high: Math.round(high) })
  if (first === undefined || last === undefined)
    return (
      <ChartCard id="readiness-heading" span="full" title={copy['readiness.title']} lead={copy['readiness.none']} />
    )
  const rounded = { mean: Math.round(last.mean), low: Math.round(last.low), high: Math.round(last.high) }
  return (
    <ChartCard
      id="readiness-heading"
      span="full"
      title={copy['readiness.title']}
      lead={
        <>
          {fill(copy['readiness.lead'], { ...rounded, passing: passingPercent })}{' '}
          {points.length < 2
            ? null
            : fill(copy['readiness.lead.from'], { day: formatDay(first.day), mean: Math.round(first.mean) })}
        </>
      }
      table={
        <DataTable
          head={[copy['readiness.day'], copy['readiness.expected'], copy['readiness.ours'], copy['readiness.real']]}
          rows={points
            .toReversed()
            .map(({ day, mean, low, high, realLow, realHigh }) => [
              formatDay(day),
              percent(mean),
              range(low, high),
              range(realLow, realHigh),
            ])}
        />
      }
    >
      <Drawings
        of="full"
        height={HEIGHT}
        renderAt={(width) => <Plot width={width} points={points} passingPercent={passingPercent} examDay={examDay} />}
      />
      <Legend />
    </ChartCard>
  )
}

function Plot({
  width,
  points,
  passingPercent,
  examDay,
}: {
  width: number
  points: readonly ReadinessPoint[]
  passingPercent: number
  examDay: string | null
}) {
  const days = points.map(({ day }) => day)
  const ahead = examDay !== null && isNear(examDay, days) ? examDay : null
  const right = width - (ahead === null ? 50 : 10)
  const scale = timeScale(ahead === null ? days : [...days, ahead], LEFT + 8, right)
  const least = Math.min(passingPercent, ...points.map(({ low, realLow }) => Math.min(low, realLow)))
  const { y, ticks } = percentAxis({ least, top: TOP, bottom: BOTTOM })
  const at = (value: (point: ReadinessPoint) => number) =>
    points.map((point) => [scale.x(point.day), y(value(point))] as const)
  const last = points.at(-1)!
  return (
    <>
      {ticks.map((percent) => (
        <Tick key={percent} y={y(percent)} x1={LEFT} x2={width} label={`${percent}%`} />
      ))}
      <path
        d={bandOf(
          at(({ realHigh }) => realHigh),
          at(({ realLow }) => realLow),
        )}
        className="fill-accent opacity-15"
      />
      <path
        d={bandOf(
          at(({ high }) => high),
          at(({ low }) => low),
        )}
        className="fill-accent opacity-25"
      />
      <path
        d={pathOf(at(({ mean }) => mean))}
        fill="none"
        strokeWidth="2.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        className="stroke-accent"
      />
      <Mark
        y={y(passingPercent)}
        x1={LEFT}
        x2={width}
        label={fill(copy['readiness.passing'], { passing: passingPercent })}
      />
      {ahead === null ? null : <ExamDay x={right} />}
      <Today x={scale.x(last.day)} y={y(last.mean)} percent={last.mean} isTight={right - scale.x(last.day) < 60} />
      <TimeAxis scale={scale} y={HEIGHT - 10} width={width} />
    </>
  )
}

/** Whether the exam is so near that the line until today keeps at least half of the drawing. */
function isNear(examDay: string, days: readonly string[]): boolean {
  const [first, last] = [dayNumber(days[0] ?? examDay), dayNumber(days.at(-1) ?? examDay)]
  const ahead = dayNumber(examDay) - last
  return ahead > 0 && ahead <= last - first
}

/** Where the line has to go. */
function ExamDay({ x }: { x: number }) {
  return (
    <>
      <line x1={x} x2={x} y1={TOP} y2={BOTTOM} strokeWidth="1.5" className="stroke-ink" />
      <Label x={x} y={TOP - 4} anchor="end">
        {copy['readiness.exam']}
      </Label>
    </>
  )
}

/** The newest estimate, with its number; above the line where the exam leaves no room beside it. */
function Today({ x, y, percent, isTight }: { x: number; y: number; percent: number; isTight: boolean }) {
  const at = isTight ? { x: x + 4, y: y - 14, anchor: 'end' as const } : { x: x + 11, y: y + 5 }
  return (
    <>
      <circle cx={x} cy={y} r="6" strokeWidth="2" className="fill-accent stroke-surface" />
      <Label {...at} size={15} isStrong>
        {Math.round(percent)}%
      </Label>
    </>
  )
}

type Line = readonly (readonly [number, number])[]

/** The path around all that lies between two lines. */
function bandOf(high: Line, low: Line): string {
  return `${pathOf([...widened(high), ...widened(low).toReversed()])}Z`
}

/** A single day is drawn a little wide, so that its interval can be seen. */
function widened(points: Line): (readonly [number, number])[] {
  const [only] = points
  if (points.length !== 1 || only === undefined) return [...points]
  return [
    [only[0] - 8, only[1]],
    [only[0] + 8, only[1]],
  ]
}

function Legend() {
  return (
    <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-xs text-soft">
      <li className="flex items-center gap-2">
        <span aria-hidden="true" className="h-0.5 w-5 rounded-full bg-accent" />
        {copy['readiness.legend.mean']}
      </li>
      <li className="flex items-center gap-2">
        <span aria-hidden="true" className="h-3 w-5 rounded-sm bg-accent opacity-35" />
        {copy['readiness.legend.band']}
      </li>
      <li className="flex items-center gap-2">
        <span aria-hidden="true" className="h-3 w-5 rounded-sm bg-accent opacity-15" />
        {copy['readiness.legend.real']}
      </li>
    </ul>
  )
}
