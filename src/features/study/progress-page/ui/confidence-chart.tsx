import { fill } from '../../../../lib/failure.ts'
import type { ConfidenceTally } from '../../progress/study-progress.ts'
import { copy } from '../progress-page.copy.ts'
import { ChartCard, DataTable } from './chart-parts.tsx'

/** How often the learner was right when sure and when unsure. */
export function ConfidenceChart({ confidence }: { confidence: ConfidenceTally }) {
  const { sure, unsure } = confidence
  if (sure.answered + unsure.answered === 0)
    return (
      <ChartCard id="confidence-heading" span="last" title={copy['confidence.title']} lead={copy['confidence.none']} />
    )
  const rows = [
    { name: copy['confidence.sure'], ...sure },
    { name: copy['confidence.unsure'], ...unsure },
  ]
  return (
    <ChartCard
      id="confidence-heading"
      span="last"
      title={copy['confidence.title']}
      lead={fill(copy['confidence.lead'], { wrong: sure.answered - sure.right, all: sure.answered })}
      table={
        <DataTable
          head={[copy['confidence.said'], copy['confidence.right'], copy['confidence.wrong']]}
          rows={rows.map(({ name, answered, right }) => [name, String(right), String(answered - right)])}
        />
      }
    >
      <ul className="space-y-6">
        {rows.map((row) => (
          <Bar key={row.name} {...row} />
        ))}
      </ul>
    </ChartCard>
  )
}

function Bar({ name, answered, right }: { name: string; answered: number; right: number }) {
  const percent = answered === 0 ? 0 : Math.round((100 * right) / answered)
  return (
    <li>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{name}</span>
        <span className="text-sm text-soft">{fill(copy['confidence.bar'], { percent, n: answered })}</span>
      </p>
      <svg aria-hidden="true" viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-2 h-4 w-full rounded-full">
        <rect width="100" height="4" className={answered === 0 ? 'fill-sunken' : 'fill-bad opacity-60'} />
        <rect width={percent} height="4" className="fill-accent" />
      </svg>
      <p aria-hidden="true" className="mt-1 flex justify-between text-xs text-soft">
        <span>{copy['confidence.right']}</span>
        <span>{copy['confidence.wrong']}</span>
      </p>
    </li>
  )
}
