import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { copy } from '../progress-page.copy.ts'
import type { PaceWeek, ProgressView } from '../progress-view.ts'
import { ChartCard, coordinate, DataTable, Drawings, Label, Mark, pathOf, Tick } from './chart-parts.tsx'
import { TimeAxis, timeScale } from './time-axis.tsx'

const HEIGHT = 190
const [TOP, BOTTOM, LEFT] = [18, 158, 44]

/** The mean time of an answer, week by week, beside the time that the real exam gives. */
export function PaceChart({ pace, examSeconds }: Pick<ProgressView, 'pace' | 'examSeconds'>) {
  const last = pace.at(-1)
  if (last === undefined)
    return <ChartCard id="pace-heading" span="third" title={copy['pace.title']} lead={copy['pace.none']} />
  return (
    <ChartCard
      id="pace-heading"
      span="third"
      title={copy['pace.title']}
      lead={
        examSeconds === null
          ? fill(copy['pace.lead'], { seconds: last.seconds })
          : fill(copy['pace.lead.exam'], { seconds: last.seconds, exam: examSeconds })
      }
      table={
        <DataTable
          head={[copy['pace.week'], copy['pace.seconds'], copy['pace.hours']]}
          rows={pace
            .toReversed()
            .map(({ week, seconds, hours }) => [formatDay(week), String(seconds), hours.toFixed(1)])}
        />
      }
    >
      <Drawings
        of="third"
        height={HEIGHT}
        renderAt={(width) => <Line width={width} pace={pace} examSeconds={examSeconds} />}
      />
    </ChartCard>
  )
}

function Line({ width, pace, examSeconds }: { width: number; pace: readonly PaceWeek[]; examSeconds: number | null }) {
  const right = width - 44
  const scale = timeScale(
    pace.map(({ week }) => week),
    LEFT + 8,
    right,
  )
  const most = 30 * Math.ceil(Math.max(30, (examSeconds ?? 0) * 1.1, ...pace.map(({ seconds }) => seconds)) / 30)
  const y = (seconds: number) => BOTTOM - (seconds / most) * (BOTTOM - TOP)
  const points = pace.map(({ week, seconds }) => [scale.x(week), y(seconds)] as const)
  const [lastX, lastY] = points.at(-1) ?? [0, 0]
  return (
    <>
      {[0, most / 2, most].map((seconds) => (
        <Tick key={seconds} y={y(seconds)} x1={LEFT} x2={width} label={`${Math.round(seconds)} s`} />
      ))}
      {examSeconds === null ? null : (
        <Mark
          y={y(examSeconds)}
          x1={LEFT}
          x2={width}
          label={fill(copy['pace.exam'], { exam: examSeconds })}
          end="right"
        />
      )}
      <path
        d={pathOf(points)}
        fill="none"
        strokeWidth="2.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        className="stroke-accent"
      />
      <circle cx={coordinate(lastX)} cy={coordinate(lastY)} r="5" className="fill-accent" />
      <Label x={lastX + 10} y={lastY + 5} size={13} isStrong>
        {pace.at(-1)?.seconds} s
      </Label>
      <TimeAxis scale={scale} y={HEIGHT - 8} width={width} />
    </>
  )
}
