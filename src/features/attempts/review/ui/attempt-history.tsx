import { Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { formatDay } from '../../../../lib/time.ts'
import { CheckIcon, CrossIcon } from '../../../../ui/icons.tsx'
import { Paging } from '../../../../ui/pagination.tsx'
import { copy } from '../../attempts.copy.ts'
import { HISTORY_PAGE, wholePercent } from '../../attempts.ts'
import type { AttemptsAtExam, AttemptSummary } from '../../attempts.schema.ts'
import { ScoreChart } from './score-chart.tsx'

/** A page of a learner's finished attempts at one exam with links to their reviews, and the latest scores as a chart. */
export function AttemptHistory({
  attempts: { finished, finishedCount, page },
  passingScore,
  isGuest,
  path,
}: {
  attempts: AttemptsAtExam
  passingScore: number
  isGuest: boolean
  /** The address of the exam. */
  path: string
}) {
  const isLast = page * HISTORY_PAGE >= finishedCount
  const pageAt = (number: number) => `${path}${number === 1 ? '' : `?page=${number}`}#attempts`
  return (
    <section id="attempts" aria-labelledby="attempts-heading" className="mt-12">
      <h2 id="attempts-heading" className="text-xl font-semibold">
        {copy['history.title']}
      </h2>
      {page > 1 ? null : <ScoreChart attempts={finished} isLatestOnly={!isLast} passingScore={passingScore} />}
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
          {finished.map((attempt) => (
            <Row key={attempt.id} attempt={attempt} isGuest={isGuest} />
          ))}
        </tbody>
      </table>
      <Paging
        label={copy['history.pages']}
        back={page === 1 ? null : { to: pageAt(page - 1), label: copy['history.newer'] }}
        on={isLast ? null : { to: pageAt(page + 1), label: copy['history.older'] }}
        status={fill(copy['history.page'], { page, pages: Math.ceil(finishedCount / HISTORY_PAGE) })}
        preventScrollReset
      />
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
            // Guests take exams only, never one that is drawn.
            isGuest && attempt.examSlug !== null
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
