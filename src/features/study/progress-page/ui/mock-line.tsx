import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { copy } from '../progress-page.copy.ts'
import type { MockResult, ProgressView } from '../progress-view.ts'
import { ChartCard, DataTable, Drawings, Label, Mark, pathOf, Tick } from './chart-parts.tsx'
import { percentAxis } from './percent-axis.ts'

const [TOP, LEFT] = [14, 44]
/** High on wide screens, where the domains and their list stand beside it. */
const heightAt = (width: number) => (width === 540 ? 360 : 250)

/** Timed exams as circles on a line, filled where passed. */
export function MockLine({ mocks, passingPercent }: Pick<ProgressView, 'mocks' | 'passingPercent'>) {
  const last = mocks.at(-1)
  if (last === undefined)
    return <ChartCard id="mocks-heading" span="half" title={copy['mocks.title']} lead={copy['mocks.none']} />
  const passed = mocks.filter(({ isPassed }) => isPassed).length
  return (
    <ChartCard
      id="mocks-heading"
      span="half"
      title={copy['mocks.title']}
      lead={fill(copy['mocks.lead'], { passed, n: mocks.length, last: Math.floor(last.percent) })}
      table={
        <DataTable
          head={[copy['mocks.exam'], copy['readiness.day'], copy['mocks.score'], copy['mocks.result']]}
          rows={mocks
            .toReversed()
            .map(({ title, day, percent, isPassed }) => [
              title,
              formatDay(day),
              fill(copy['percent'], { n: Math.floor(percent) }),
              copy[isPassed ? 'mocks.passed' : 'mocks.failed'],
            ])}
        />
      }
    >
      <Drawings
        of="half"
        height={heightAt}
        renderAt={(width) => <Line width={width} mocks={mocks} passingPercent={passingPercent} />}
      />
    </ChartCard>
  )
}

function Line({
  width,
  mocks,
  passingPercent,
}: {
  width: number
  mocks: readonly MockResult[]
  passingPercent: number
}) {
  const [left, right] = [LEFT + 16, width - 46]
  const x = (place: number) =>
    mocks.length === 1 ? (left + right) / 2 : left + (place / (mocks.length - 1)) * (right - left)
  const height = heightAt(width)
  const least = Math.min(passingPercent, ...mocks.map(({ percent }) => percent))
  const { y, ticks } = percentAxis({ least, top: TOP, bottom: height - 34 })
  const points = mocks.map(({ percent }, place) => [x(place), y(percent)] as const)
  const [lastX, lastY] = points.at(-1) ?? [0, 0]
  return (
    <>
      {ticks.map((percent) => (
        <Tick key={percent} y={y(percent)} x1={LEFT} x2={width} label={`${percent}%`} />
      ))}
      <Mark
        y={y(passingPercent)}
        x1={LEFT}
        x2={width}
        label={fill(copy['readiness.passing'], { passing: passingPercent })}
      />
      <path d={pathOf(points)} fill="none" strokeWidth="2" strokeLinejoin="round" className="stroke-accent" />
      {mocks.map(({ day, isPassed }, place) => (
        // Passed is filled, failed is hollow, so that they differ without color.
        <circle
          key={`${day} ${x(place)}`}
          cx={x(place)}
          cy={y(mocks[place]?.percent ?? 0)}
          r="4.5"
          strokeWidth="2"
          className={isPassed ? 'fill-accent stroke-accent' : 'fill-surface stroke-accent'}
        />
      ))}
      <Label x={lastX + 11} y={lastY + 5} size={13} isStrong>
        {Math.floor(mocks.at(-1)?.percent ?? 0)}%
      </Label>
      <text x={LEFT} y={height - 8} fontSize="12" className="fill-soft">
        {formatDay(mocks[0]?.day ?? '')}
      </text>
      {mocks.length === 1 ? null : (
        <text x={width} y={height - 8} fontSize="12" textAnchor="end" className="fill-soft">
          {formatDay(mocks.at(-1)?.day ?? '')}
        </text>
      )}
    </>
  )
}
