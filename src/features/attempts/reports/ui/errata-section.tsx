import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import type { Erratum } from '../errata.ts'
import { copy } from '../errata.copy.ts'

/** Corrections that are shown before the others are unfolded. */
const SHOWN = 5

/** What was corrected in the exams of a course and when. It never says what the answer key is or was. */
export function ErrataSection({ errata }: { errata: readonly Erratum[] }) {
  if (errata.length === 0) return null
  const earlier = errata.slice(SHOWN)
  return (
    <section aria-labelledby="errata-heading" className="mt-10">
      <h2 id="errata-heading" className="text-xl font-semibold">
        {copy['errata.title']}
      </h2>
      <p className="mt-2 max-w-read text-soft">{copy['errata.about']}</p>
      <ErrataList errata={errata.slice(0, SHOWN)} />
      {earlier.length === 0 ? null : (
        <details>
          <summary className="inline-flex min-h-11 cursor-pointer items-center text-soft underline underline-offset-2">
            {fill(copy['errata.earlier'], { n: earlier.length })}
          </summary>
          <ErrataList errata={earlier} />
        </details>
      )}
    </section>
  )
}

function ErrataList({ errata }: { errata: readonly Erratum[] }) {
  return (
    <ul className="mt-4 divide-y divide-line border-y border-line">
      {errata.map((erratum) => (
        <li key={erratum.id} className="grid gap-x-6 py-3 tablet:grid-cols-[120px_1fr]">
          <time dateTime={erratum.at.slice(0, 10)} className="nums text-sm leading-6.5 text-soft">
            {formatDay(erratum.at)}
          </time>
          <div className="max-w-read min-w-0 wrap-anywhere">
            <p>
              <span className="font-semibold">{questionOf(erratum)}</span>{' '}
              {fill(copy['errata.in'], { exam: erratum.exam })}: {copy[`errata.what.${erratum.what}`]}
            </p>
            {erratum.stem === null || erratum.stem === '' ? null : (
              <p className="mt-1 border-l-4 border-line pl-3 text-sm text-soft">{erratum.stem}</p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

function questionOf({ domain }: Erratum): string {
  if (domain === null) return copy['errata.question.gone']
  return domain === '' ? copy['errata.question.plain'] : fill(copy['errata.question'], { domain })
}
