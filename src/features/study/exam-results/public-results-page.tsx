import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { Heading, Page, quietLink } from '../../../ui/page-parts.tsx'
import type { publicResultsLoader } from './exam-results-endpoints.server.ts'
import { copy } from './exam-results.copy.ts'
import { GROUP_RESULTS, PUBLIC_RESULTS } from './result-chart.ts'
import { ResultsChart } from './ui/results-chart.tsx'

export { publicResultsLoader as loader } from './exam-results-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['results.public.title'] }]

/** How forecasts and results agree, for everybody, or what is missing to say so. */
export default function PublicResultsPage() {
  const { isPublic, count, reportedCount, missing, groups } = useLoaderData<typeof publicResultsLoader>()
  return (
    <Page width="exam">
      <Heading className="text-2xl font-semibold tablet:text-3xl">{copy['results.public.title']}</Heading>
      <p className="mt-3 max-w-read text-lg text-soft">{copy['results.about']}</p>
      <p className="mt-3 max-w-read">{copy[isPublic ? 'results.who' : 'results.hidden']}</p>
      {isPublic ? (
        <p className="nums mt-3 font-semibold">{fill(copy['results.count'], { n: count, all: reportedCount })}</p>
      ) : null}
      {missing > 0 ? (
        <p className="nums mt-3 max-w-read border-l-4 border-flag pl-4">
          {fill(copy['results.missing.some'], { n: missing, needed: PUBLIC_RESULTS, group: GROUP_RESULTS })}
        </p>
      ) : isPublic ? (
        <ResultsChart groups={groups} />
      ) : null}
      <p className="mt-6">
        <Link to={paths.pledge} className={quietLink}>
          {copy['pledge.line.link']}
        </Link>
      </p>
    </Page>
  )
}
