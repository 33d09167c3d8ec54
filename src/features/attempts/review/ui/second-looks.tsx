import { Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { formatClock, SECOND_MS } from '../../../../lib/time.ts'
import { copy } from '../../attempts.copy.ts'
import type { ReviewedQuestion, ReviewView } from '../../attempts.schema.ts'
import { secondLooks, slowestPlaces } from '../../scaled-score.ts'
import { useQuestionAddress } from './review-filter.tsx'
import { TimeChart } from './time-chart.tsx'

/** Links to the questions that deserve a second look; nothing if there are none. */
export function SecondLooks({ review }: { review: ReviewView }) {
  const { questions, budgetMs } = review
  const isTimed = questions.some(({ activeMs }) => activeMs > 0)
  const lists = [
    ...(['right-unsure', 'wrong-sure', 'over-budget'] as const).map((kind) => ({
      kind,
      places: questions.flatMap((one, place) => (secondLooks[kind](one, budgetMs) ? [place] : [])),
    })),
    { kind: 'slowest' as const, places: slowestPlaces(questions) },
  ].filter(({ places }) => places.length > 0)
  if (!isTimed && lists.length === 0) return null
  return (
    <section aria-labelledby="second-looks-heading" className="mt-12">
      <h2 id="second-looks-heading" className="text-xl font-semibold">
        {copy['looks.title']}
      </h2>
      {isTimed ? <Pace questions={questions} budgetMs={budgetMs} /> : null}
      {isTimed ? <TimeChart questions={questions} budgetMs={budgetMs} /> : null}
      <dl className="mt-4 divide-y divide-line border-y border-line">
        {lists.map(({ kind, places }) => (
          <div key={kind} className="grid gap-x-6 gap-y-2 py-3 tablet:grid-cols-[220px_1fr]">
            <dt>
              <span className="font-medium">{copy[`looks.${kind}`]}</span>
              <span className="block text-sm text-soft">{copy[`looks.${kind}.about`]}</span>
            </dt>
            <dd>
              <Places places={places} questions={questions} hasTime={kind === 'slowest'} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Places({
  places,
  questions,
  hasTime,
}: {
  places: readonly number[]
  questions: readonly ReviewedQuestion[]
  hasTime: boolean
}) {
  const addressOf = useQuestionAddress()
  return (
    <ul className="nums flex flex-wrap gap-1">
      {places.map((place) => {
        const time = clockOf(questions[place]?.activeMs ?? 0)
        return (
          <li key={place}>
            <Link
              to={addressOf(place + 1)}
              replace
              className="inline-flex min-h-9 min-w-9 items-center justify-center gap-2 rounded-md border border-line px-2 text-sm hover:border-accent"
            >
              <span>
                <span className="sr-only">Question </span>
                {place + 1}
              </span>
              {hasTime ? <span className="text-soft">{time}</span> : null}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** How long the questions took, compared with the time that the exam allows. */
function Pace({ questions, budgetMs }: { questions: readonly ReviewedQuestion[]; budgetMs: number | null }) {
  const total = questions.reduce((sum, { activeMs }) => sum + activeMs, 0)
  const seen = questions.filter(({ activeMs }) => activeMs > 0).length
  const said = fill(copy['looks.pace'], { total: clockOf(total), each: clockOf(total / Math.max(1, seen)) })
  return (
    <p className="nums mt-2 text-soft">
      {said} {budgetMs === null ? '' : fill(copy['looks.pace.budget'], { budget: clockOf(budgetMs) })}
    </p>
  )
}

export function clockOf(ms: number): string {
  return formatClock(Math.round(ms / SECOND_MS))
}
