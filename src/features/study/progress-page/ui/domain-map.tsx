import { fill } from '../../../../lib/failure.ts'
import { copy } from '../progress-page.copy.ts'
import { weakestDomain, type DomainView, type ProgressView } from '../progress-view.ts'
import { ChartCard, Drawings, Mark } from './chart-parts.tsx'

const HEIGHT = 216
const [TOP, BOTTOM] = [8, 188]
const GAP = 5

/** Each domain as wide as it counts in the exam and as high as it is known, with the list of its numbers. */
export function DomainMap({ domains, passingPercent }: Pick<ProgressView, 'domains' | 'passingPercent'>) {
  const isKnown = domains.some(({ mastery }) => mastery !== null)
  const weakest = weakestDomain(domains, passingPercent)
  const second = !isKnown
    ? copy['domains.none']
    : weakest === null
      ? copy['domains.strong']
      : fill(copy['domains.weakest'], { name: weakest.name })
  return (
    <ChartCard
      id="domains-heading"
      span="half"
      title={copy['domains.title']}
      lead={
        <>
          {fill(copy['domains.lead'], { passing: passingPercent })} {second}
        </>
      }
    >
      <Drawings
        of="half"
        height={HEIGHT}
        renderAt={(width) => <Columns width={width} domains={domains} passingPercent={passingPercent} />}
      />
      <DomainList domains={domains} />
    </ChartCard>
  )
}

function Columns({
  width,
  domains,
  passingPercent,
}: {
  width: number
  domains: readonly DomainView[]
  passingPercent: number
}) {
  const all = domains.reduce((sum, { weight }) => sum + weight, 0)
  const free = width - GAP * (domains.length - 1)
  const y = (percent: number) => BOTTOM - (percent / 100) * (BOTTOM - TOP)
  const lefts = domains.map(
    (_, place) => GAP * place + domains.slice(0, place).reduce((sum, { weight }) => sum + (weight / all) * free, 0),
  )
  return (
    <>
      {domains.map(({ name, weight, mastery }, place) => {
        const column = { left: lefts[place] ?? 0, size: (weight / all) * free }
        return (
          <Column
            key={name}
            column={column}
            mastery={mastery}
            number={place + 1}
            y={y}
            passingPercent={passingPercent}
          />
        )
      })}
      <Mark y={y(passingPercent)} x1={0} x2={width} />
    </>
  )
}

type ColumnProps = {
  readonly column: { readonly left: number; readonly size: number }
  readonly mastery: DomainView['mastery']
  readonly number: number
  readonly y: (percent: number) => number
  readonly passingPercent: number
}

function Column({ column: { left, size }, mastery, number, y, passingPercent }: ColumnProps) {
  return (
    <g>
      <rect x={left} y={TOP} width={size} height={BOTTOM - TOP} rx="6" className="fill-sunken" />
      {mastery === null ? null : (
        <>
          <rect
            x={left}
            y={y(mastery.expected)}
            width={size}
            height={BOTTOM - y(mastery.expected)}
            rx="6"
            className={`fill-accent ${mastery.expected >= passingPercent ? 'opacity-40' : 'opacity-20'}`}
          />
          <rect x={left} y={y(mastery.expected)} width={size} height="4" rx="2" className="fill-accent" />
          <line
            x1={left + size / 2}
            x2={left + size / 2}
            y1={y(mastery.low)}
            y2={y(mastery.high)}
            strokeWidth="2"
            strokeLinecap="round"
            className="stroke-ink"
          />
        </>
      )}
      <text x={left + size / 2} y={HEIGHT - 8} fontSize="13" fontWeight="600" textAnchor="middle" className="fill-ink">
        {number}
      </text>
    </g>
  )
}

function DomainList({ domains }: { domains: readonly DomainView[] }) {
  return (
    <div className="mt-4 overflow-x-auto" role="region" aria-labelledby="domains-heading" tabIndex={0}>
      <table className="w-full text-left text-sm">
        <thead className="text-soft">
          <tr>
            <th scope="col" colSpan={2} className="py-1 pr-3 font-medium">
              {copy['domains.name']}
            </th>
            {[copy['domains.weight'], copy['domains.mastery'], copy['domains.seen']].map((name, column) => (
              <th
                key={name}
                scope="col"
                className={`py-1 pl-3 text-right font-medium ${column === 2 ? 'max-sm:hidden' : ''}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {domains.map(({ name, weight, mastery, seen, total }, place) => (
            <tr key={name} className="align-top">
              <td className="py-1.5 pr-2 font-semibold">{place + 1}</td>
              <th scope="row" className="py-1.5 pr-3 font-normal wrap-break-word">
                {name}
              </th>
              <td className="py-1.5 pl-3 text-right">{fill(copy['percent'], { n: Math.round(weight) })}</td>
              <td className="py-1.5 pl-3 text-right font-semibold">
                {mastery === null ? (
                  <span className="font-normal text-soft">{copy['domains.mastery.none']}</span>
                ) : (
                  fill(copy['percent'], { n: Math.round(mastery.expected) })
                )}
              </td>
              <td className="py-1.5 pl-3 text-right whitespace-nowrap text-soft max-sm:hidden">
                {fill(copy['domains.seen.value'], { seen, total })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
