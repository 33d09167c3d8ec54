import type { Readiness } from '../study.schema.ts'

type Estimate = Extract<Readiness, { kind: 'estimate' }>

const HEIGHTS = { large: 28, small: 20 } as const

/** From 0 to 100 percent: both intervals, the expected score and the passing score. Sentences beside it say the same. */
export function ReadinessScale({ estimate, size }: { estimate: Estimate; size: keyof typeof HEIGHTS }) {
  const { expectedPercent, lowPercent, highPercent, passingPercent, realExam } = estimate
  const height = HEIGHTS[size]
  const middle = height / 2
  return (
    <svg aria-hidden="true" width="100%" height={height} className="block overflow-visible">
      <rect x="0" y={middle - 2} width="100%" height="4" rx="2" className="fill-sunken" />
      <rect
        x={`${realExam.lowPercent}%`}
        y={middle - 2}
        width={`${realExam.highPercent - realExam.lowPercent}%`}
        height="4"
        rx="2"
        className="fill-accent opacity-60"
      />
      <rect
        x={`${lowPercent}%`}
        y={middle - 5}
        width={`${highPercent - lowPercent}%`}
        height="10"
        rx="5"
        className="fill-accent opacity-35"
      />
      <line
        x1={`${passingPercent}%`}
        x2={`${passingPercent}%`}
        y1="0"
        y2={height}
        strokeWidth="2"
        className="stroke-ink"
      />
      <circle cx={`${expectedPercent}%`} cy={middle} r={size === 'large' ? 7 : 6} className="fill-accent" />
    </svg>
  )
}
