import type { ReactNode } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { copy } from '../../attempts.copy.ts'
import { wholePercent } from '../../attempts.ts'
import type { AttemptResult } from '../../attempts.schema.ts'

type DomainResultsProps = { readonly result: AttemptResult; readonly belowDomain?: (domain: string) => ReactNode }

/** The result by domain, with the weight of each domain in the real exam. `belowDomain` stands below its name. */
export function DomainResults({ result, belowDomain }: DomainResultsProps) {
  const hasWeights = result.domains.some(({ weight }) => weight !== null)
  return (
    <section aria-labelledby="domains-heading" className="mt-10">
      <h2 id="domains-heading" className="text-xl font-semibold">
        {copy['result.by-domain']}
      </h2>
      <table className="mt-3 w-full text-left">
        <thead className="text-sm text-soft">
          <tr className="border-b border-line">
            <th scope="col" className="py-2 pr-4 font-medium">
              Domain
            </th>
            {hasWeights ? (
              <th scope="col" className="py-2 pr-2 text-right font-medium tablet:pr-4">
                Weight
              </th>
            ) : null}
            <th scope="col" className="py-2 pr-2 text-right font-medium tablet:pr-4">
              Right
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Score
            </th>
          </tr>
        </thead>
        <tbody className="nums">
          {result.domains.map(({ domain, right, total, percent, weight }) => (
            <tr key={domain} className="border-b border-line">
              <th scope="row" className="py-3 pr-2 font-normal tablet:pr-4">
                {domain}
                <svg aria-hidden="true" viewBox="0 0 100 6" preserveAspectRatio="none" className="mt-1.5 h-1.5 w-full">
                  <rect width="100" height="6" className="fill-sunken" />
                  <rect width={percent} height="6" className="fill-accent" />
                </svg>
                {belowDomain?.(domain)}
              </th>
              {hasWeights ? (
                <td className="py-3 pr-2 text-right align-top whitespace-nowrap text-soft tablet:pr-4">
                  {weight === null ? '' : `${weight}%`}
                </td>
              ) : null}
              <td className="py-3 pr-2 text-right align-top whitespace-nowrap tablet:pr-4">
                {right} of {total}
              </td>
              <td className="py-3 text-right align-top whitespace-nowrap">{wholePercent(percent)}%</td>
            </tr>
          ))}
        </tbody>
      </table>
      {result.weightedPercent === null ? null : (
        <p className="nums mt-3 text-sm text-soft">
          {fill(copy['result.weighted'], { percent: wholePercent(result.weightedPercent) })}
        </p>
      )}
    </section>
  )
}
