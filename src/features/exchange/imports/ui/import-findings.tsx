import { fill } from '../../../../lib/failure.ts'
import { copy } from '../imports.copy.ts'
import type { ImportView } from '../imports.schema.ts'
import { pluralOf } from '../../../../lib/text.ts'

const SHOWN = 100

/** Findings about the files, and parts of their questions that the bank cannot hold. */
export function ImportFindings({
  findings,
  lost,
}: {
  findings: ImportView['findings']
  lost: readonly { readonly sentence: string; readonly count: number }[]
}) {
  if (findings.length === 0 && lost.length === 0) return null
  return (
    <div className="mt-8 space-y-6">
      {lost.length === 0 ? null : (
        <section aria-labelledby="lost-heading">
          <h2 id="lost-heading" className="text-lg font-semibold">
            {copy['import.lost']}
          </h2>
          <p className="mt-1 max-w-read text-sm text-soft">{copy['import.lost.about']}</p>
          <ul className="mt-2 max-w-read space-y-1">
            {lost.map(({ sentence, count }) => (
              <li key={sentence} className="border-l-4 border-flag pl-3 wrap-anywhere">
                {sentence}{' '}
                <span className="nums text-sm text-soft">
                  {fill(copy[pluralOf(count, 'import.lost.once', 'import.lost.times')], { n: count })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {findings.length === 0 ? null : (
        <section aria-labelledby="findings-heading">
          <h2 id="findings-heading" className="text-lg font-semibold">
            {copy['import.findings']}
          </h2>
          <ul className="mt-2 max-w-read space-y-1">
            {findings.slice(0, SHOWN).map(({ file, line, sentence, severity, code }) => (
              <li
                key={`${file}:${line}:${code}:${sentence}`}
                className={`border-l-4 pl-3 wrap-anywhere ${severity === 'error' ? 'border-bad' : 'border-flag'}`}
              >
                {sentence} <span className="nums text-sm text-soft">{`${file}:${line}`}</span>
              </li>
            ))}
          </ul>
          {findings.length > SHOWN ? (
            <p className="nums mt-1 text-sm text-soft">
              {fill(copy['import.findings.more'], { n: findings.length - SHOWN })}
            </p>
          ) : null}
        </section>
      )}
    </div>
  )
}
