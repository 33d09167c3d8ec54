import { formatCalendarDay } from '../../../../lib/calendar-day.ts'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { formatDay } from '../../../../lib/time.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { DomainMap } from '../../progress-page/ui/domain-map.tsx'
import { MissedQuestions } from '../../ui/drill-result.tsx'
import { ReadinessFigure } from '../../readiness/readiness-figure.tsx'
import type { ExplanationSlot } from '../../ui/running-drill.tsx'
import type { ResultPage } from '../diagnostic-endpoints.server.ts'
import type { DiagnosticResultView } from '../diagnostic-result-queries.server.ts'
import { copy } from '../diagnostic.copy.ts'
import { widthWord } from '../width-word.ts'
import { AnsweredRight } from './answered-right.tsx'
import { StartForm } from './diagnostic-start.tsx'

/** The map of the domains, the first plan, readiness with its width, and what was missed. */
export function DiagnosticResult({
  data: { course, size, isGuest, result },
  renderExplanation,
}: {
  data: ResultPage
  renderExplanation: ExplanationSlot
}) {
  const { answered, estimate, finishedAt } = result
  const missed = answered.filter(({ answer }) => answer.isRight !== true)
  const right = answered.filter(({ answer }) => answer.isRight === true)
  return (
    <>
      <p className="nums mt-2 text-soft">
        {fill(copy['result.lead'], { right: right.length, n: answered.length, day: formatDay(finishedAt) })}
      </p>
      <div className="grid items-start gap-x-6 wide:grid-cols-2">
        <ReadinessFigure readiness={estimate} note={widthSentence(result, size)} />
        <div className="mt-6 min-w-0">
          <DomainMap domains={result.domains} passingPercent={result.passingPercent} />
        </div>
      </div>
      {size === 'full' ? (
        <FirstPlan slug={course.slug} result={result} />
      ) : (
        <Offer slug={course.slug} isGuest={isGuest} bankCount={result.bankCount} />
      )}
      <div className="mx-auto max-w-exam">
        {answered.some(({ revealed }) => revealed === null) ? (
          <Notice tone="info" className="mt-10">
            {copy['missed.withheld']}
          </Notice>
        ) : null}
        <MissedQuestions missed={missed} renderExplanation={renderExplanation} />
        <AnsweredRight right={right} renderExplanation={renderExplanation} />
        <Again slug={course.slug} result={result} />
      </div>
    </>
  )
}

/** How wide the estimate is, in numbers and in words. */
function widthSentence({ estimate, isBelowFloor }: DiagnosticResultView, size: string): string {
  if (estimate.kind === 'not-enough') return copy['result.too-few']
  const { lowPercent, highPercent } = estimate
  const width = Math.round(highPercent) - Math.round(lowPercent)
  const next = size === 'short' ? 'guest' : isBelowFloor ? 'before' : 'after'
  return fill(copy['result.width'], {
    width,
    word: copy[`width.${widthWord(width)}`],
    next: copy[`result.width.${next}`],
  })
}

function FirstPlan({ slug, result }: { slug: string; result: DiagnosticResultView }) {
  const { weakestName, examDate, estimate } = result
  const isUnknown = estimate.kind === 'not-enough'
  const isStrong = weakestName === null && !isUnknown
  return (
    <section
      aria-labelledby="plan-heading"
      className="mt-6 rounded-lg border border-accent bg-accent-soft p-5 tablet:p-6"
    >
      <h2 id="plan-heading" className="text-lg font-semibold">
        {copy['plan.title']}
      </h2>
      <p className="mt-1 max-w-read">
        {weakestName === null
          ? copy[isUnknown ? 'plan.unknown' : 'plan.strong']
          : fill(copy['plan.weakest'], { name: weakestName })}{' '}
        {dateSentence(examDate, isUnknown)}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <ButtonLink to={paths.plan(slug)}>{copy[examDate === null ? 'plan.set' : 'plan.see']}</ButtonLink>
        <ButtonLink to={isStrong ? paths.mock(slug) : paths.drill(slug)} look="secondary">
          {copy[isStrong ? 'plan.mock' : 'plan.drill']}
        </ButtonLink>
      </div>
    </section>
  )
}

function dateSentence(examDate: string | null, isUnknown: boolean): string {
  if (examDate === null) return copy['plan.date.none']
  return fill(copy[isUnknown ? 'plan.date.unknown' : 'plan.date'], { day: formatCalendarDay(examDate) })
}

function Offer({ slug, isGuest, bankCount }: { slug: string; isGuest: boolean; bankCount: number }) {
  const kept = encodeURIComponent(paths.diagnostic(slug))
  return (
    <section
      aria-labelledby="offer-heading"
      className="mt-6 rounded-lg border border-accent bg-accent-soft p-5 tablet:p-6"
    >
      <h2 id="offer-heading" className="text-lg font-semibold">
        {copy['offer.title']}
      </h2>
      <p className="nums mt-1 max-w-read">{fill(copy['offer.text'], { n: bankCount })}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        <ButtonLink to={paths.course(slug)}>{copy['offer.course']}</ButtonLink>
        {isGuest ? (
          <>
            <ButtonLink to={`${paths.register}?redirect=${kept}`} look="secondary">
              {copy['offer.register']}
            </ButtonLink>
            <ButtonLink to={`${paths.login}?redirect=${kept}`} look="quiet">
              {copy['offer.login']}
            </ButtonLink>
          </>
        ) : null}
      </div>
    </section>
  )
}

function Again({ slug, result: { finishedAt, againFrom, isSoon } }: { slug: string; result: DiagnosticResultView }) {
  return (
    <section aria-labelledby="again-heading" className="mt-10">
      <h2 id="again-heading" className="text-xl font-semibold">
        {copy['again.title']}
      </h2>
      <p className="nums mt-1 max-w-read text-soft">
        {fill(copy[isSoon ? 'again.soon' : 'again.late'], { day: formatDay(finishedAt), next: formatDay(againFrom) })}
      </p>
      <StartForm slug={slug} act={isSoon ? 'anew' : 'start'} look="secondary">
        {copy[isSoon ? 'again.button.soon' : 'again.button']}
      </StartForm>
    </section>
  )
}
