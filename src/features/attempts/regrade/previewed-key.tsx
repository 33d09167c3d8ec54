import { fill } from '../../../lib/failure.ts'
import { formatInstant } from '../../../lib/time.ts'
import { copy as attemptsCopy } from '../attempts.copy.ts'
import { wholePercent } from '../attempts.ts'
import { copy } from './regrade.copy.ts'
import type { KeyPreview, Score } from './regrade.schema.ts'

/** The effect that a corrected answer key would have: in numbers, by version, and by result. */
export function PreviewedKey({ preview }: { preview: KeyPreview }) {
  const figures = [
    [copy['mend.raised'], preview.raisedCount],
    [copy['mend.lowered'], preview.loweredCount],
    [copy['mend.now-passed'], preview.nowPassedCount],
    [copy['mend.no-longer-passed'], preview.noLongerPassedCount],
    [copy['mend.told'], preview.toldCount],
    [copy['mend.open'], preview.openCount],
  ] as const
  return (
    <section aria-labelledby="preview-heading" className="nums rounded-lg border border-line bg-surface p-5">
      <h2 id="preview-heading" className="text-lg font-semibold">
        {copy['mend.preview.title']}
      </h2>
      <dl className="mt-3 divide-y divide-line border-y border-line text-sm">
        {[
          [
            copy['mend.changed'],
            fill(copy['mend.of'], { n: preview.changedCount, total: preview.finishedCount }),
          ] as const,
          ...figures,
        ].map(([label, count]) => (
          <div key={label} className="flex items-baseline justify-between gap-6 py-1.5">
            <dt className="min-w-0 text-soft">{label}</dt>
            <dd className="max-w-1/2 text-right font-semibold">{count}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-5 text-sm font-semibold">{copy['mend.versions']}</h3>
      <ul className="mt-1 space-y-1 text-sm text-soft">
        {preview.versions.map(({ versionNumber, effect }) => (
          <li key={versionNumber}>{fill(copy[`mend.version.${effect}`], { n: versionNumber })}</li>
        ))}
      </ul>
      <h3 className="mt-5 text-sm font-semibold">{copy['mend.results']}</h3>
      {preview.results.length === 0 ? <p className="mt-1 text-sm text-soft">{copy['mend.none']}</p> : null}
      {preview.results.length < preview.changedCount ? (
        <p className="mt-1 text-sm text-soft">
          {fill(copy['mend.results.first'], { n: preview.results.length, total: preview.changedCount })}
        </p>
      ) : null}
      <ul className="mt-2 divide-y divide-line text-sm">
        {preview.results.map((result) => (
          <ChangedResult key={result.attemptId} result={result} domain={preview.domain} />
        ))}
      </ul>
    </section>
  )
}

function ChangedResult({ result, domain }: { result: KeyPreview['results'][number]; domain: string }) {
  const { learner, mode, versionNumber, finishedAt, before, after } = result
  return (
    <li className="py-2">
      <span className="font-semibold wrap-anywhere">{learner ?? copy['mend.guest']}</span>
      <span className="text-soft">
        , {attemptsCopy[`mode.${mode}`]}, version {versionNumber}, {formatInstant(finishedAt)}
      </span>
      <p>
        {scoreText(before)} → {scoreText(after)}
      </p>
      <p className="text-soft">
        {fill(copy['mend.results.domain'], { domain })}: {domainText(before)} → {domainText(after)}
      </p>
    </li>
  )
}

function scoreText({ scorePercent, isPassed }: Score): string {
  return `${wholePercent(scorePercent)}%, ${isPassed ? copy.passed : copy.failed}`
}

function domainText({ domainPercent }: Score): string {
  return domainPercent === null ? '' : `${wholePercent(domainPercent)}%`
}
