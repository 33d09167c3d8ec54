import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { copy } from '../../attempts.copy.ts'
import { wholePercent } from '../../attempts.ts'
import type { AttemptSummary } from '../../attempts.schema.ts'

/** So many attempts are told apart on a phone; the table beside it has all of them. */
const MOST = 24
const HEIGHT = 190
const TOP = 22
const BOTTOM = 160
const LEFT = 44

/** The scores of finished attempts from the first to the last, with the score that passes. Nothing while there is only one. */
export function ScoreChart({
  attempts,
  passingScore,
}: {
  /** Newest first, as lists have them. */
  attempts: readonly AttemptSummary[]
  passingScore: number
}) {
  if (attempts.length < 2) return null
  const shown = attempts.slice(0, MOST).toReversed()
  const scores = shown.map(({ scorePercent }) => wholePercent(scorePercent ?? 0))
  const said = fill(copy[attempts.length > MOST ? 'history.chart.latest' : 'history.chart'], {
    n: shown.length,
    from: scores[0] ?? 0,
    to: scores.at(-1) ?? 0,
    best: Math.max(...scores),
  })
  return (
    <figure className="nums mt-4">
      {/* Text in a picture that is squeezed into a phone could not be read: each width has its own drawing. */}
      <Plot width={340} attempts={shown} passingScore={passingScore} className="tablet:hidden" />
      <Plot width={860} attempts={shown} passingScore={passingScore} className="hidden tablet:block" />
      <figcaption className="mt-2 text-sm text-soft">{said}</figcaption>
    </figure>
  )
}

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
  const right = width - 20
  const x = (place: number) => LEFT + 16 + (place / (attempts.length - 1)) * (right - LEFT - 16)
  const y = (percent: number) => BOTTOM - (percent / 100) * (BOTTOM - TOP)
  const points = attempts.map((attempt, place) => ({
    attempt,
    at: [x(place), y(attempt.scorePercent ?? 0)] as const,
  }))
  const [first, last] = [attempts[0], attempts.at(-1)]
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} ${HEIGHT}`} className={`w-full ${className}`}>
      {[0, 50, 100].map((percent) => (
        <g key={percent}>
          <line x1={LEFT} x2={width} y1={y(percent)} y2={y(percent)} className="stroke-line" />
          <text x={LEFT - 8} y={y(percent) + 4} fontSize="12" textAnchor="end" className="fill-soft">
            {percent} %
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
      <polyline
        points={points.map(({ at }) => at.join(',')).join(' ')}
        fill="none"
        strokeWidth="2"
        strokeLinejoin="round"
        className="stroke-accent"
      />
      {points.map(({ attempt, at: [cx, cy] }) => (
        // Passed is full, not passed is empty: told apart without colour.
        <circle
          key={attempt.id}
          cx={cx}
          cy={cy}
          r="5"
          strokeWidth="2"
          className={attempt.isPassed === true ? 'fill-accent stroke-accent' : 'fill-paper stroke-accent'}
        />
      ))}
      {[
        [points[0], points[1]],
        [points.at(-1), points.at(-2)],
      ].map(([point, neighbour]) =>
        point === undefined || neighbour === undefined ? null : (
          <text
            key={point.attempt.id}
            x={point.at[0]}
            y={labelAt(point.at[1], neighbour.at[1])}
            fontSize="13"
            fontWeight="600"
            textAnchor="middle"
            className="fill-ink"
          >
            {wholePercent(point.attempt.scorePercent ?? 0)} %
          </text>
        ),
      )}
      {first === undefined || last === undefined ? null : (
        <g fontSize="12" className="fill-soft">
          <text x={LEFT} y={HEIGHT - 8}>
            {formatDay(first.finishedAt ?? first.startedAt)}
          </text>
          <text x={width} y={HEIGHT - 8} textAnchor="end">
            {formatDay(last.finishedAt ?? last.startedAt)}
          </text>
        </g>
      )}
    </svg>
  )
}

/** A score's label stands where the line does not go: below it where the line rises, unless the axis is there. */
function labelAt(y: number, neighbourY: number): number {
  return neighbourY < y && y < BOTTOM - 14 ? y + 20 : y - 12
}
