import { fill } from '../../../../lib/failure.ts'
import { copy } from '../statistics.copy.ts'
import type { ScoreStatistics } from '../statistics.schema.ts'

/** The figures of the exam as a whole. */
export function ScoreFigures({ count, scores }: { count: number; scores: ScoreStatistics }) {
  const { mean, deviation, alpha, error, passRate } = scores
  return (
    <section aria-labelledby="scores-heading" className="mt-8">
      <h2 id="scores-heading" className="sr-only">
        {copy['statistics.scores']}
      </h2>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line desktop:grid-cols-5">
        <Figure name={copy['statistics.count']} value={String(count)} />
        <Figure name={copy['statistics.mean']} value={percentText(mean)} />
        <Figure
          name={copy['statistics.deviation']}
          value={fill(copy['statistics.deviation.value'], { n: (deviation * 100).toFixed(1) })}
        />
        <Figure name={copy['statistics.pass-rate']} value={percentText(passRate)} />
        <Figure
          name={copy['statistics.alpha']}
          value={alpha === null ? copy['statistics.none'] : alpha.toFixed(2)}
          note={error === null ? undefined : fill(copy['statistics.error'], { n: (error * 100).toFixed(1) })}
          isWide
        />
      </dl>
      <p className="mt-2 text-sm text-soft">{copy['statistics.alpha.about']}.</p>
    </section>
  )
}

function Figure({
  name,
  value,
  note,
  isWide,
}: {
  name: string
  value: string
  note?: string | undefined
  isWide?: boolean
}) {
  return (
    <div className={`bg-surface p-4 ${isWide === true ? 'max-desktop:col-span-2' : ''}`}>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="nums mt-1 text-xl font-semibold">{value}</dd>
      {note === undefined ? null : <dd className="nums text-sm text-soft">{note}</dd>}
    </div>
  )
}

/** 0.6667 -> '66.7%' */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}
