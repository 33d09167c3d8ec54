import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { copy } from '../../attempts.copy.ts'
import { wholePercent } from '../../attempts.ts'
import type { AttemptSummary } from '../../attempts.schema.ts'

const HEIGHT = 190
const TOP = 22
const BOTTOM = 160
const LEFT = 44

/** The scores of finished attempts, oldest first, with the passing score. Hidden while there is only one attempt. */
export function ScoreChart({
  attempts,
  isLatestOnly,
  passingScore,
}: {
  /** Newest first. */
  attempts: readonly AttemptSummary[]
  /** Whether there are earlier ones. */
  isLatestOnly: boolean
  passingScore: number
}) {
  if (attempts.length < 2) return null
  const shown = attempts.toReversed()
  const scores = shown.map(({ scorePercent }) => wholePercent(scorePercent ?? 0))
  const summary = fill(copy[isLatestOnly ? 'history.chart.latest' : 'history.chart'], {
    n: shown.length,
    from: scores[0] ?? 0,
    to: scores.at(-1) ?? 0,
    best: Math.max(...scores),
  })
  return (
    <figure className="nums mt-4">
      {/* One drawing for each width: its text would be unreadable if a wide one were scaled down to a phone. */}
      <Plot width={340} attempts={shown} passingScore={passingScore} className="tablet:hidden" />
      <Plot width={860} attempts={shown} passingScore={passingScore} className="hidden tablet:block" />
      <figcaption className="mt-2 text-sm text-soft">{summary}</figcaption>
    </figure>
  )
}

/** Where the scores lie in a drawing of this width. */
function scaleOf(width: number, attempts: readonly AttemptSummary[]) {
  const right = width - 20
  const x = (place: number) => LEFT + 16 + (place / (attempts.length - 1)) * (right - LEFT - 16)
  const y = (percent: number) => BOTTOM - (percent / 100) * (BOTTOM - TOP)
  const points = attempts.map((attempt, place) => ({ attempt, x: x(place), y: y(attempt.scorePercent ?? 0) }))
  return { y, points }
}

type Point = ReturnType<typeof scaleOf>['points'][number]

function Plot({
  width,
  attempts,
  passingScore,
  className,
}: {
  width: number
  attempts: readonly AttemptSummary[]
  passingScore: number
  className: string
}) {
  const { y, points } = scaleOf(width, attempts)
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} ${HEIGHT}`} className={`w-full ${className}`}>
      {[0, 50, 100].map((percent) => (
        <g key={percent}>
          <line x1={LEFT} x2={width} y1={y(percent)} y2={y(percent)} className="stroke-line" />
          <text x={LEFT - 8} y={y(percent) + 4} fontSize="12" textAnchor="end" className="fill-soft">
            {percent}%
          </text>
        </g>
      ))}
      <line
        x1={LEFT}
        x2={width}
        y1={y(passingScore)}
        y2={y(passingScore)}
        strokeDasharray="5 4"
        className="stroke-ink"
      />
      <text x={LEFT + 2} y={y(passingScore) - 6} fontSize="12" className="fill-ink">
        {fill(copy['history.pass'], { percent: passingScore })}
      </text>
      <ScoreLine points={points} />
      <ScoreLabel point={points[0]} neighbour={points[1]} />
      <ScoreLabel point={points.at(-1)} neighbour={points.at(-2)} />
      <Days first={attempts[0]} last={attempts.at(-1)} width={width} />
    </svg>
  )
}

function ScoreLine({ points }: { points: readonly Point[] }) {
  return (
    <>
      <polyline
        points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
        fill="none"
        strokeWidth="2"
        strokeLinejoin="round"
        className="stroke-accent"
      />
      {points.map(({ attempt, x, y }) => (
        // Passed is filled, failed is hollow, so that they differ without color.
        <circle
          key={attempt.id}
          cx={x}
          cy={y}
          r="5"
          strokeWidth="2"
          className={attempt.isPassed === true ? 'fill-accent stroke-accent' : 'fill-paper stroke-accent'}
        />
      ))}
    </>
  )
}

function ScoreLabel({ point, neighbour }: { point: Point | undefined; neighbour: Point | undefined }) {
  if (point === undefined || neighbour === undefined) return null
  return (
    <text
      x={point.x}
      y={labelAt(point.y, neighbour.y)}
      fontSize="13"
      fontWeight="600"
      textAnchor="middle"
      className="fill-ink"
    >
      {wholePercent(point.attempt.scorePercent ?? 0)}%
    </text>
  )
}

type DaysProps = { first: AttemptSummary | undefined; last: AttemptSummary | undefined; width: number }

function Days({ first, last, width }: DaysProps) {
  if (first === undefined || last === undefined) return null
  return (
    <g fontSize="12" className="fill-soft">
      <text x={LEFT} y={HEIGHT - 8}>
        {formatDay(first.finishedAt ?? first.startedAt)}
      </text>
      <text x={width} y={HEIGHT - 8} textAnchor="end">
        {formatDay(last.finishedAt ?? last.startedAt)}
      </text>
    </g>
  )
}

/** Below the point when the line goes up from it, unless the axis is there; otherwise above. */
function labelAt(y: number, neighbourY: number): number {
  return neighbourY < y && y < BOTTOM - 14 ? y + 20 : y - 12
}
