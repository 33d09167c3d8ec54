import { fill } from '../../../../lib/failure.ts'
import { formatClock, SECOND_MS } from '../../../../lib/time.ts'
import { copy } from '../../attempts.copy.ts'
import type { ReviewedQuestion } from '../../attempts.schema.ts'

const HEIGHT = 56
const BAR = 10
const GAP = 4

/** A bar for each question in order, and the budget as a line. The questions and the lists show the same numbers as text. */
export function TimeChart({
  questions,
  budgetMs,
}: {
  questions: readonly ReviewedQuestion[]
  budgetMs: number | null
}) {
  const highest = Math.max(budgetMs === null ? 0 : budgetMs * 1.25, ...questions.map(({ activeMs }) => activeMs))
  const heightOf = (ms: number) => (ms / highest) * HEIGHT
  const width = questions.length * (BAR + GAP) - GAP
  return (
    <figure className="mt-4" aria-label={copy['looks.chart']}>
      <svg aria-hidden="true" viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" className="h-16 w-full">
        {questions.map(({ question, activeMs }, place) => (
          <rect
            key={question.id}
            x={place * (BAR + GAP)}
            y={HEIGHT - heightOf(activeMs)}
            width={BAR}
            height={heightOf(activeMs)}
            className={budgetMs !== null && activeMs > budgetMs ? 'fill-flag' : 'fill-line-strong'}
          />
        ))}
        <line x1="0" x2={width} y1={HEIGHT} y2={HEIGHT} className="stroke-line" vectorEffect="non-scaling-stroke" />
        {budgetMs === null ? null : (
          <line
            x1="0"
            x2={width}
            y1={HEIGHT - heightOf(budgetMs)}
            y2={HEIGHT - heightOf(budgetMs)}
            className="stroke-ink"
            strokeDasharray="4 3"
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      <figcaption className="nums mt-1 flex flex-wrap justify-between gap-x-6 text-sm text-soft">
        <span>{copy['looks.chart']}</span>
        {budgetMs === null ? null : (
          <span className="flex items-center gap-2">
            <svg aria-hidden="true" viewBox="0 0 20 2" className="h-0.5 w-5">
              <line x1="0" x2="20" y1="1" y2="1" strokeWidth="2" strokeDasharray="4 3" className="stroke-ink" />
            </svg>
            {fill(copy['looks.chart.budget'], { budget: formatClock(Math.round(budgetMs / SECOND_MS)) })}
          </span>
        )}
      </figcaption>
    </figure>
  )
}
