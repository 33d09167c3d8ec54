import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { formatInstant, MINUTE_MS } from '../../../../lib/time.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { CheckIcon, CrossIcon } from '../../../../ui/icons.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { copy } from '../../attempts.copy.ts'
import { minutesWith, wholePercent } from '../../attempts.ts'
import type { AttemptResult, RegradeNote, ReviewView, ScaledScore } from '../../attempts.schema.ts'
import { counted } from '../../../../lib/text.ts'

/** The result of an attempt: passed or not, the score, the time, and how it was scored. */
export function ResultSummary({ review, isMainStep }: { review: ReviewView; isMainStep: boolean }) {
  const { result } = review
  const tone = result.isPassed ? 'text-good' : 'text-bad'
  const lateCount = review.questions.filter(({ isLate }) => isLate).length
  return (
    <section aria-label={copy['result.title']} className="mt-6 rounded-lg border border-line bg-surface p-6">
      <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-6">
        <div>
          <p className={`flex items-center gap-2 text-xl font-semibold ${tone}`}>
            {result.isPassed ? <CheckIcon /> : <CrossIcon />}
            {result.isPassed ? copy['result.passed'] : copy['result.failed']}
          </p>
          <p className="nums mt-1 text-3xl font-semibold">
            {fill(copy['result.score'], { score: `${wholePercent(result.scorePercent)}%` })}
          </p>
          <p className="nums mt-1 text-soft">
            {result.rightCount} of {result.questionCount} right, {result.passingScore}% to pass
          </p>
        </div>
        <div className="flex flex-wrap gap-3" data-print="off">
          <ButtonLink
            to={
              review.examSlug === null
                ? paths.mock(review.courseSlug)
                : paths.examMode(review.courseSlug, review.examSlug, review.mode)
            }
            look={isMainStep ? 'primary' : 'secondary'}
          >
            {copy[review.examSlug === null ? 'result.another' : 'result.again']}
          </ButtonLink>
          <ButtonLink to={paths.course(review.courseSlug)} look="secondary">
            {copy['result.course']}
          </ButtonLink>
        </div>
      </div>
      <ScoreLine result={result} />
      {result.scaled === null ? null : <Scaled scaled={result.scaled} />}
      <p className="nums mt-4 text-sm text-soft">
        {copy[`mode.${review.mode}`]}, {formatInstant(review.finishedAt)}, {minutesTaken(review)}
      </p>
      {review.extraTime === 'none' ? null : <p className="nums mt-1 text-sm text-soft">{extraTimeSaid(review)}</p>}
      {review.scoringPolicy === 'partial' ? (
        <p className="mt-1 text-sm text-soft">{copy['result.policy.partial']}</p>
      ) : null}
      {lateCount === 0 ? null : (
        <p className="nums mt-1 text-sm text-flag">{fill(copy['result.late'], { n: lateCount })}</p>
      )}
      {review.finishedBy === 'learner' ? null : (
        <p className="mt-1 text-sm text-soft">
          {review.finishedBy === 'deadline' ? copy['result.deadline'] : copy['result.merge']}
        </p>
      )}
      {review.regrades.map((note) => (
        <RegradeLine key={note.at} note={note} />
      ))}
    </section>
  )
}

function RegradeLine({ note: { at, reason, scorePercent, isPassed } }: { note: RegradeNote }) {
  const before = {
    score: `${wholePercent(scorePercent)}%`,
    outcome: copy[isPassed ? 'result.passed' : 'result.failed'],
  }
  return (
    <Notice tone="info" className="mt-4 max-w-read wrap-anywhere">
      <p>{fill(copy['result.regraded'], { at: formatInstant(at), reason })}</p>
      <p className="nums mt-1 text-soft">{fill(copy['result.regraded.before'], before)}</p>
    </Notice>
  )
}

function extraTimeSaid({ extraTime, timeLimitMinutes }: ReviewView): string {
  const minutes = timeLimitMinutes === null ? null : minutesWith(extraTime, timeLimitMinutes)
  if (minutes === null || timeLimitMinutes === null) return copy['result.extra-time.untimed']
  return fill(copy['result.extra-time'], { factor: extraTime, minutes, usual: timeLimitMinutes })
}

function minutesTaken({ startedAt, finishedAt }: ReviewView): string {
  const minutes = Math.max(1, Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / MINUTE_MS))
  if (minutes > 2 * 24 * 60) return `over ${Math.round(minutes / (24 * 60))} days`
  if (minutes > 180) return `over ${Math.round(minutes / 60)} hours`
  return counted(minutes, 'minute')
}

/** The score as a bar with its labelled pass mark. The text beside it has the same numbers. */
function ScoreLine({ result: { scorePercent, passingScore, isPassed } }: { result: AttemptResult }) {
  const mark = `${passingScore}%`
  const anchor = passingScore > 85 ? 'end' : passingScore < 15 ? 'start' : 'middle'
  return (
    <svg aria-hidden="true" className="mt-5 h-9 w-full">
      <rect y="5" width="100%" height="6" className="fill-sunken" />
      <rect y="5" width={`${scorePercent}%`} height="6" className={isPassed ? 'fill-good' : 'fill-bad'} />
      <line x1={mark} x2={mark} y1="0" y2="16" strokeWidth="2" className="stroke-ink" />
      <text x={mark} y="32" textAnchor={anchor} className="fill-soft text-xs">
        {fill(copy['result.pass-mark'], { n: passingScore })}
      </text>
    </svg>
  )
}

function Scaled({ scaled: { estimate, low, high, passMark } }: { scaled: ScaledScore }) {
  return (
    <div className="nums mt-5 border-t border-line pt-4">
      <p>
        <span className="font-semibold">{fill(copy['result.scaled'], { estimate })}</span>
        <span className="text-soft"> {fill(copy['result.scaled.range'], { low, high, passMark })}</span>
      </p>
      <p className="mt-1 max-w-read text-sm text-soft">{copy['result.scaled.about']}</p>
    </div>
  )
}
