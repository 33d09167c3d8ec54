import { useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { EmptyState, Heading, Section } from '../../../ui/page-parts.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { publishResults } from './exam-results-client.ts'
import type { adminResultsLoader } from './exam-results-endpoints.server.ts'
import { copy } from './exam-results.copy.ts'
import { GROUP_RESULTS, PUBLIC_RESULTS } from './result-chart.ts'
import { PledgeList } from './ui/pledge-list.tsx'
import { ResultsChart } from './ui/results-chart.tsx'

export { adminResultsLoader as loader } from './exam-results-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['results.title'] }, { name: 'robots', content: 'noindex' }]

type Loaded = Awaited<ReturnType<typeof adminResultsLoader>>

/** Forecasts against what happened, how hard the real exams are by it, and the pledges. */
export default function ResultsPage() {
  const data = useLoaderData<typeof adminResultsLoader>()
  const { count, reportedCount, groups, shifts, pledges } = data
  return (
    <>
      <Heading>{copy['results.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['results.about']}</p>
      <p className="mt-2 max-w-read">{copy['results.who']}</p>
      <Publication data={data} />
      {count === 0 ? (
        <div className="mt-6">
          <EmptyState
            title={fill(copy['results.count'], { n: count, all: reportedCount })}
            hint={copy['results.none']}
          />
        </div>
      ) : (
        <>
          <p className="nums mt-6 font-semibold">{fill(copy['results.count'], { n: count, all: reportedCount })}</p>
          <ResultsChart groups={groups} />
        </>
      )}
      {shifts.length === 0 ? null : <Shifts shifts={shifts} />}
      <Section id="pledges" title={copy['pledges.title']}>
        <p className="max-w-read text-soft">{copy[pledges.length === 0 ? 'pledges.none' : 'pledges.about']}</p>
        <PledgeList pledges={pledges} />
      </Section>
    </>
  )
}

function Publication({ data: { isPublic, missing } }: { data: Loaded }) {
  const publish = useMutation((wanted: boolean) => publishResults(wanted), {
    revalidates: true,
    onSuccess: (_reply, wanted) =>
      toast('success', copy['results.title'], copy[wanted ? 'results.published' : 'results.unpublished']),
    onFailure: (error) => toast('error', copy['results.publish'], messageOf(error)),
  })
  return (
    <div className="nums mt-6 max-w-read rounded-lg border border-line bg-surface p-4">
      <Switch
        label={copy['results.publish']}
        isOn={isPublic}
        isBusy={publish.isBusy}
        onChange={(wanted) => publish.run(wanted)}
      />
      <p className="mt-2 text-sm text-soft">{fill(copy['results.publish.about'], { needed: PUBLIC_RESULTS })}</p>
      {missing === 0 ? null : (
        <p className="mt-1 text-sm text-soft">
          {fill(copy['results.missing.some'], { n: missing, needed: PUBLIC_RESULTS, group: GROUP_RESULTS })}
        </p>
      )}
    </div>
  )
}

function Shifts({ shifts }: Pick<Loaded, 'shifts'>) {
  return (
    <Section id="shifts" title={copy['results.shifts']}>
      <p className="max-w-read text-soft">{copy['results.shifts.about']}</p>
      <ul className="nums mt-3 divide-y divide-line border-y border-line">
        {shifts.map(({ id, title, resultCount, mean, deviation }) => (
          <li key={id} className="py-3">
            <p className="font-semibold">{title}</p>
            <p className="text-sm text-soft">
              {fill(copy[mean < 0 ? 'results.shifts.easier' : 'results.shifts.line'], {
                n: resultCount,
                mean: Math.abs(mean).toFixed(2),
                deviation: deviation.toFixed(2),
              })}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
