import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { copy } from '../features/pricing/plans/copy.ts'
import { describePlan } from '../features/pricing/plans/rules.ts'
import { fill } from '../lib/failure.ts'
import { formatDollars, type Cents } from '../lib/money.ts'
import { paths } from '../lib/paths.ts'
import { formatInstant } from '../lib/time.ts'
import { Heading } from '../ui/page.tsx'
import { privatePage } from './meta.ts'
import type { priceRecordLoader } from './pages.server.ts'

export { priceRecordLoader as loader } from './pages.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['price.title'])

/** What a course cost, costs, and will cost. */
export default function PriceRecordPage() {
  const { course } = useLoaderData<typeof priceRecordLoader>()
  return (
    <>
      <Link to={paths.adminPricing} className="text-sm font-semibold text-accent underline underline-offset-2">
        {copy['price.record.back']}
      </Link>
      <Heading className="mt-2 text-2xl font-semibold wrap-anywhere tablet:text-3xl">
        {fill(copy['price.history.of'], { title: course.title })}
      </Heading>
      <p className="nums mt-1 text-soft">
        {fill(copy['price.record.now'], { price: formatDollars(course.priceCents as Cents) })}
      </p>
      <section aria-labelledby="plans-heading" className="mt-8">
        <h2 id="plans-heading" className="text-xl font-semibold">
          {copy['price.record.plans']}
        </h2>
        {course.plans.length === 0 ? (
          <p className="mt-2 text-soft">{copy['price.record.plans.none']}</p>
        ) : (
          <ul className="nums mt-3 divide-y divide-line border-y border-line">
            {course.plans.map((plan) => (
              <li key={plan.id} className="flex flex-wrap items-baseline justify-between gap-x-6 py-3">
                <span>{describePlan(plan, course.regularCents)}</span>
                <span className="text-sm text-soft">{copy[`price.state.${plan.state}`]}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="history-heading" className="mt-10">
        <h2 id="history-heading" className="text-xl font-semibold">
          {copy['price.record.history']}
        </h2>
        <ul className="nums mt-3 divide-y divide-line border-y border-line">
          {course.history.map((one) => (
            <li key={one.at} className="flex flex-wrap items-baseline justify-between gap-x-6 py-3">
              <span className="text-sm text-soft">{formatInstant(one.at)}</span>
              <span className="font-semibold">
                {formatDollars(one.cents as Cents)}
                {one.isSale ? (
                  <span className="ml-2 text-sm font-normal text-soft">{copy['price.record.sale']}</span>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
