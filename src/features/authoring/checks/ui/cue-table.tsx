import type { ReactNode } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { cueNames } from '../../../questions/checks/bank-checks.copy.ts'
import { copy } from '../question-checks.copy.ts'
import type { CueView } from '../question-checks.schema.ts'

/** How often strategies that need no knowledge find the answer key. Open if one of them is worth a look. */
export function CueTable({ cues }: { cues: readonly CueView[] }) {
  const offCount = cues.filter(({ isOff }) => isOff).length
  return (
    <details open={offCount > 0} className="mt-4">
      <summary className="inline-flex min-h-8 cursor-pointer items-center text-sm font-semibold text-accent underline underline-offset-2">
        {offCount === 0 ? copy['checks.cues.none'] : fill(copy['checks.cues.some'], { n: offCount })}
      </summary>
      <p className="mt-2 max-w-read text-sm text-soft">{copy['checks.cues.about']}</p>
      <table aria-label={copy['checks.cues.table']} className="nums mt-3 w-full max-w-read text-left text-sm">
        <thead className="max-tablet:sr-only">
          <tr className="border-b border-line-strong align-bottom">
            <th scope="col" className="py-2 pr-4 font-semibold">
              {copy['checks.cues.strategy']}
            </th>
            {(['questions', 'found', 'chance'] as const).map((column) => (
              <th key={column} scope="col" className="py-2 pr-4 text-right font-semibold last:pr-0">
                {copy[`checks.cues.${column}`]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-b border-line">
          {cues.map((cue) => (
            <Strategy key={cue.strategy} cue={cue} />
          ))}
        </tbody>
      </table>
    </details>
  )
}

function Strategy({ cue: { strategy, applies, found, chance, isOff } }: { cue: CueView }) {
  return (
    <tr className="align-baseline max-tablet:flex max-tablet:flex-wrap max-tablet:gap-x-5 max-tablet:py-2">
      <th
        scope="row"
        className={`py-2 pr-4 max-tablet:w-full max-tablet:p-0 ${isOff ? 'font-semibold' : 'font-normal'}`}
      >
        <span className="block first-letter:uppercase">{cueNames[strategy]}</span>
        {isOff ? (
          <span className="mt-1 block border-l-4 border-flag pl-2 font-medium">{copy['checks.severity.warning']}</span>
        ) : null}
      </th>
      <Figure of="questions">{applies.toLocaleString('en-US')}</Figure>
      <Figure of="found">
        {isOff ? <strong className="font-semibold">{percentOf(found)}</strong> : percentOf(found)}
      </Figure>
      <Figure of="chance">{percentOf(chance)}</Figure>
    </tr>
  )
}

/** A figure; on a phone, where each row is a block, it has its label. */
function Figure({ of, children }: { of: 'questions' | 'found' | 'chance'; children: ReactNode }) {
  return (
    <td className="py-2 pr-4 text-right last:pr-0 max-tablet:p-0">
      <span aria-hidden="true" className="text-soft tablet:hidden">
        {copy[`checks.cues.${of}`]}{' '}
      </span>
      {children}
    </td>
  )
}

function percentOf(share: number): string {
  return `${(100 * share).toFixed(1)}%`
}
