import { copy } from '../analytics.copy.ts'

const WIDTH = 240
const HEIGHT = 40

/** A line without axes that shows a trend; the analytics page has the numbers. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const span = high - low || 1
  const x = (place: number) => (place / Math.max(1, values.length - 1)) * (WIDTH - 6) + 3
  const y = (value: number) => HEIGHT - 4 - ((value - low) / span) * (HEIGHT - 8)
  return (
    <svg
      role="img"
      aria-label={copy['dashboard.spark']}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-10 w-full"
    >
      <line x1="0" x2={WIDTH} y1={y(0)} y2={y(0)} className="stroke-line" />
      <polyline
        points={values.map((value, place) => `${x(place)},${y(value)}`).join(' ')}
        fill="none"
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
        className="stroke-accent"
      />
    </svg>
  )
}
