import { Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { formatDay } from '../../../../lib/time.ts'
import { CheckIcon, CrossIcon } from '../../../../ui/icons.tsx'
import { copy } from '../../attempts.copy.ts'
import { wholePercent } from '../../attempts.ts'
import type { AttemptSummary } from '../../attempts.schema.ts'
import { ScoreChart } from './score-chart.tsx'

/** A learner's finished attempts at one exam: the scores as a chart, and a link to each review. */
export function AttemptHistory({
  attempts,
  passingScore,
  isGuest,
}: {
  attempts: readonly AttemptSummary[]
  passingScore: number
  isGuest: boolean
}) {
  return (
    <section id="attempts" aria-labelledby="attempts-heading" className="mt-12">
      <h2 id="attempts-heading" className="text-xl font-semibold">
        {copy['history.title']}
      </h2>
      <ScoreChart attempts={attempts} passingScore={passingScore} />
      <table className="nums mt-4 w-full text-left text-sm sm:text-base">
        <thead className="text-sm text-soft">
          <tr className="border-b border-line">
            {['Finished', 'Mode', 'Score', 'Result'].map((name) => (
              <th
                key={name}
                scope="col"
                className={`py-2 pr-3 font-medium ${name === 'Mode' ? 'hidden sm:table-cell' : ''}`}
              >
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">Review</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt) => (
            <Row key={attempt.id} attempt={attempt} isGuest={isGuest} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ attempt, isGuest }: { attempt: AttemptSummary; isGuest: boolean }) {
  const day = formatDay(attempt.finishedAt ?? attempt.startedAt)
  const mode = copy[`mode.${attempt.mode}`]
  const isPassed = attempt.isPassed === true
  return (
    <tr className="border-b border-line">
      <td className="py-2 pr-3 sm:whitespace-nowrap">
        {day}
        <span className="block text-sm text-soft sm:hidden">{mode}</span>
      </td>
      <td className="hidden py-2 pr-3 sm:table-cell">{mode}</td>
      <td className="py-2 pr-3 font-semibold whitespace-nowrap">{wholePercent(attempt.scorePercent ?? 0)}%</td>
      <td className={`py-2 pr-3 ${isPassed ? 'text-good' : 'text-bad'}`}>
        <span className="flex items-center gap-1.5 sm:whitespace-nowrap">
          {isPassed ? <CheckIcon /> : <CrossIcon />}
          {copy[isPassed ? 'result.passed' : 'result.failed']}
        </span>
      </td>
      <td className="py-2 text-right">
        <Link
          to={
            isGuest
              ? `${paths.examMode(attempt.courseSlug, attempt.examSlug, 'preview')}?attempt=${attempt.id}`
              : paths.examReview(attempt.id)
          }
          aria-label={fill(copy['history.of'], { day, mode })}
          className="inline-flex min-h-11 items-center font-medium text-accent hover:underline"
        >
          Review
        </Link>
      </td>
    </tr>
  )
}
