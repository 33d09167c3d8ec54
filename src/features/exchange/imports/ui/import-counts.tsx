import { Link } from 'react-router'
import { copy } from '../imports.copy.ts'
import { IMPORT_VERDICTS, type ImportedQuestionFilter, type ImportView } from '../imports.schema.ts'

const tones = {
  good: 'text-good',
  'needs-review': 'text-flag',
  changed: 'text-accent',
  there: 'text-soft',
  refused: 'text-bad',
} as const

/** The number of questions per verdict, each a link to those questions. */
export function ImportCounts({ view, shown }: { view: ImportView; shown: ImportedQuestionFilter['verdict'] }) {
  return (
    <section aria-labelledby="counts-heading" className="mt-8">
      <h2 id="counts-heading" className="text-lg font-semibold">
        {copy['import.counts']}
      </h2>
      <ul className="mt-3 grid gap-px overflow-hidden rounded-lg border border-line bg-line tablet:grid-cols-5">
        {IMPORT_VERDICTS.map((verdict) => {
          const { open, stored, dismissed } = view.counts[verdict]
          return (
            <li key={verdict} className="bg-surface">
              <Link
                to={`?verdict=${verdict}#questions`}
                preventScrollReset
                aria-current={shown === verdict ? 'true' : undefined}
                className="flex h-full items-baseline gap-3 px-4 py-3 hover:bg-sunken aria-current:bg-accent-soft tablet:block"
              >
                <span className="nums block w-16 shrink-0 text-xl font-semibold tablet:w-auto">
                  {open + stored + dismissed}
                </span>
                <span>
                  <span className={`block font-semibold ${tones[verdict]}`}>{copy[`verdict.${verdict}`]}</span>
                  <span className="block text-sm text-soft">{copy[`verdict.${verdict}.about`]}</span>
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
