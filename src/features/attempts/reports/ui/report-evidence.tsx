import { fill } from '../../../../lib/failure.ts'
import { plainText } from '../../../../lib/markdown.ts'
import { formatDay, formatInstant } from '../../../../lib/time.ts'
import { CheckIcon } from '../../../../ui/icons.tsx'
import { STATISTICS_FLOOR } from '../../statistics/statistics.ts'
import { copy } from '../question-reports.copy.ts'
import { hostOf } from '../report-reasons.ts'
import type { ReportEvidence, WeighedPart } from '../question-reports.schema.ts'

/** How learners answered the question, beside the answer key and the answer that the reporter thinks right, and what others report. */
export function Evidence({ evidence }: { evidence: ReportEvidence }) {
  const { takerCount, parts, others, keyCorrectedAt } = evidence
  const isEnough = takerCount >= STATISTICS_FLOOR
  return (
    <div className="mt-4 max-w-read space-y-4">
      {keyCorrectedAt === null ? null : (
        <p className="border-l-4 border-good pl-3 text-sm font-semibold">
          {fill(copy['evidence.corrected-key'], { at: formatInstant(keyCorrectedAt) })}
        </p>
      )}
      {parts.length === 0 ? null : (
        <div className="nums rounded-lg border border-line p-4 text-sm">
          <h3 className="font-semibold">{copy['evidence.title']}</h3>
          <p className="text-soft">
            {fill(copy[isEnough ? 'evidence.of' : 'evidence.few'], { n: takerCount, floor: STATISTICS_FLOOR })}
          </p>
          <ul className="mt-2 space-y-2">
            {parts.map((part) => (
              <Part key={part.id} part={part} takerCount={isEnough ? takerCount : null} />
            ))}
          </ul>
        </div>
      )}
      {others.length === 0 ? null : <Others others={others} />}
    </div>
  )
}

function Part({ part, takerCount }: { part: WeighedPart; takerCount: number | null }) {
  const { text, isRight, isClaimed, count } = part
  return (
    <li>
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
          {isRight ? (
            <strong className="mr-2 inline-flex items-center gap-1 align-bottom font-semibold text-good">
              <CheckIcon />
              {copy['evidence.key']}
            </strong>
          ) : null}
          {isClaimed ? (
            <strong className="mr-2 rounded-sm bg-flag-soft px-1.5 py-0.5 font-semibold text-flag">
              {copy['evidence.claimed']}
            </strong>
          ) : null}
          {plainText(text)}
        </span>
        {takerCount === null ? null : (
          <span className="whitespace-nowrap">
            {fill(copy['evidence.share'], { percent: Math.round((count * 100) / takerCount), n: count })}
          </span>
        )}
      </p>
      {takerCount === null ? null : (
        <svg aria-hidden="true" viewBox="0 0 100 2" preserveAspectRatio="none" className="mt-1 h-1 w-full">
          <rect width="100" height="2" className="fill-sunken" />
          <rect
            width={(count * 100) / takerCount}
            height="2"
            className={isRight ? 'fill-good' : isClaimed ? 'fill-flag' : 'fill-line-strong'}
          />
        </svg>
      )}
    </li>
  )
}

function Others({ others }: Pick<ReportEvidence, 'others'>) {
  return (
    <details className="text-sm">
      <summary className="inline-flex min-h-8 cursor-pointer items-center text-soft underline underline-offset-2">
        {fill(copy['evidence.others'], { n: others.length })}
      </summary>
      <ul className="mt-2 space-y-3">
        {others.map((other) => (
          <li key={other.id} className="border-l-4 border-line pl-3 wrap-anywhere">
            <p>
              {fill(copy['evidence.other'], {
                reason: copy[`report.reason.${other.reason}`],
                by: other.by,
                at: formatDay(other.reportedAt),
                state:
                  other.outcome === null
                    ? copy['evidence.state.open']
                    : copy[`settle.outcome.${other.outcome}`].toLowerCase(),
              })}
            </p>
            {other.words === '' ? null : <p className="whitespace-pre-wrap text-soft">{other.words}</p>}
            {other.source === null ? null : <SourceLink source={other.source} />}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** A page that a learner named. It is theirs, so it learns nothing about where it was opened. */
export function SourceLink({ source }: { source: string }) {
  return (
    <a
      href={source}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className="inline-flex min-h-8 items-center text-sm font-medium wrap-anywhere text-accent underline underline-offset-2"
    >
      {fill(copy['desk.reports.source'], { host: hostOf(source) })}
    </a>
  )
}
