import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { ACCESS_DAYS } from '../../access/access.ts'
import { Heading, Page, quietLink } from '../../../ui/page-parts.tsx'
import type { pledgeLoader } from './exam-results-endpoints.server.ts'
import { copy } from './exam-results.copy.ts'
import { CONDITIONS } from './pledge.ts'
import { conditionText } from './ui/pledge-conditions.tsx'

export { pledgeLoader as loader } from './exam-results-endpoints.server.ts'

export const meta: MetaFunction = () => [
  { title: copy['pledge.title'] },
  { name: 'description', content: fill(copy['pledge.promise'], { days: ACCESS_DAYS }) },
]

/** The rule of the pledge, written down. */
export default function PledgePage() {
  const { hasResults } = useLoaderData<typeof pledgeLoader>()
  return (
    <Page width="read">
      <Heading className="text-2xl font-semibold tablet:text-3xl">{copy['pledge.title']}</Heading>
      <p className="mt-4 text-lg text-soft">{copy['pledge.lead']}</p>
      <p className="nums mt-6 border-l-4 border-accent pl-4 text-lg font-semibold">
        {fill(copy['pledge.promise'], { days: ACCESS_DAYS })}
      </p>
      <h2 className="mt-10 text-xl font-semibold">{copy['pledge.rule']}</h2>
      <ol className="nums mt-3 divide-y divide-line border-y border-line">
        {CONDITIONS.map((id, place) => (
          <li key={id} className="flex gap-4 py-3">
            <span aria-hidden="true" className="w-6 shrink-0 text-right font-semibold text-accent">
              {place + 1}
            </span>
            {conditionText(id)}
          </li>
        ))}
      </ol>
      <h2 className="mt-10 text-xl font-semibold">{copy['pledge.how']}</h2>
      <p className="mt-3">{copy['pledge.how.text']}</p>
      <p className="mt-3">{copy['pledge.how.report']}</p>
      <h2 className="mt-10 text-xl font-semibold">{copy['pledge.honest']}</h2>
      <p className="mt-3">{copy['pledge.honest.text']}</p>
      {hasResults ? (
        <p className="mt-6">
          <Link to={paths.results} className={quietLink}>
            {copy['pledge.chart']}
          </Link>
        </p>
      ) : null}
    </Page>
  )
}
