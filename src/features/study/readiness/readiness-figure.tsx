import { fill } from '../../../lib/failure.ts'
import { copy } from '../study.copy.ts'
import type { Readiness } from '../study.schema.ts'
import { ReadinessScale } from '../ui/readiness-scale.tsx'

type Estimate = Extract<Readiness, { kind: 'estimate' }>

/** The expected score with its interval and the passing score, or the data that is missing for an estimate. */
export function ReadinessFigure({
  readiness,
  note,
}: {
  readiness: Readiness
  /** What else to say of the estimate. */
  note?: string
}) {
  return (
    <section
      aria-labelledby="readiness-heading"
      className="nums mt-6 rounded-lg border border-line bg-surface p-5 tablet:p-6"
    >
      <h2 id="readiness-heading" className="text-lg font-semibold">
        {copy['readiness.title']}
      </h2>
      {readiness.kind === 'estimate' ? <Estimated estimate={readiness} /> : <NotEnough {...readiness} />}
      {note === undefined ? null : <p className="mt-4 max-w-read border-t border-line pt-4">{note}</p>}
    </section>
  )
}

function Estimated({ estimate }: { estimate: Estimate }) {
  const { expectedPercent, passingPercent, realExam, answered } = estimate
  const chance = chanceText(realExam.passChance)
  return (
    <>
      <p className="mt-2 text-3xl font-semibold">
        {fill(copy['readiness.expected'], { expected: Math.round(expectedPercent) })}
      </p>
      <p className="mt-2 max-w-read">{fill(copy['readiness.estimate'], roundedInterval(estimate))}</p>
      <p className="mt-2 max-w-read">
        {fill(copy['readiness.real'], { ...roundedInterval(realExam), passing: passingPercent, chance })}{' '}
        {realExam.resultCount === 0
          ? copy['readiness.real.none']
          : fill(copy['readiness.real.some'], { n: realExam.resultCount })}
      </p>
      <Scale estimate={estimate} />
      <details className="mt-4 text-sm text-soft">
        <summary className="min-h-6 font-medium hover:text-ink">{copy['readiness.how']}</summary>
        <p className="mt-2 max-w-read">{fill(copy['readiness.how.text'], { n: answered })}</p>
      </details>
    </>
  )
}

function roundedInterval({ lowPercent, highPercent }: Pick<Estimate, 'lowPercent' | 'highPercent'>) {
  return { low: Math.round(lowPercent), high: Math.round(highPercent) }
}

function chanceText(chance: number): string {
  if (chance < 0.01) return copy['readiness.hardly']
  if (chance > 0.99) return copy['readiness.nearly']
  return fill(copy['readiness.percent'], { n: Math.round(chance * 100) })
}

/** The scale with the names of its parts. */
function Scale({ estimate }: { estimate: Estimate }) {
  const { passingPercent } = estimate
  return (
    <div aria-hidden="true" className="mt-5">
      <ReadinessScale estimate={estimate} size="large" />
      <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-xs text-soft">
        <li className="flex items-center gap-1.5">
          <span className="size-3 rounded-full bg-accent" />
          {copy['readiness.mark.expected']}
        </li>
        <li className="flex items-center gap-1.5">
          <span className="h-2 w-5 rounded-full bg-accent opacity-35" />
          {copy['readiness.mark.interval']}
        </li>
        <li className="flex items-center gap-1.5">
          <span className="h-1 w-5 rounded-full bg-accent opacity-60" />
          {copy['readiness.mark.real']}
        </li>
        <li className="flex items-center gap-1.5">
          <span className="h-4 w-0.5 bg-ink" />
          {passingPercent}% {copy['readiness.mark.passing']}
        </li>
      </ul>
    </div>
  )
}

function NotEnough({ answered, needed, thinDomains }: Extract<Readiness, { kind: 'not-enough' }>) {
  return (
    <>
      <p className="mt-2 font-semibold">{copy['readiness.none']}</p>
      <p className="mt-1 max-w-read text-soft">
        {answered < needed ? `${fill(copy['readiness.none.answers'], { answered, needed })} ` : ''}
        {answered > 0 && thinDomains.length > 0
          ? `${fill(copy['readiness.none.domains'], { domains: thinDomains.join('; ') })} `
          : ''}
        {copy['readiness.none.hint']}
      </p>
    </>
  )
}
