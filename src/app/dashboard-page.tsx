import { Link, useLoaderData } from 'react-router'
import { copy as analyticsCopy } from '../features/analytics/copy.ts'
import { Figures } from '../features/analytics/ui/figures.tsx'
import { OrderTable } from '../features/checkout/ui/order-table.tsx'
import { paths } from '../lib/paths.ts'
import { formatInstant } from '../lib/time.ts'
import { EmptyState, Heading } from '../ui/page.tsx'
import { copy } from './copy.ts'
import type { dashboardLoader } from './pages.server.ts'

export { dashboardLoader as loader } from './pages.server.ts'

const link = 'inline-flex min-h-8 items-center font-semibold text-accent underline underline-offset-2'

/** The first look of a day: how it goes, what waits, what was bought. */
export default function DashboardPage() {
  const { figures, figuresBefore, net, waiting, people, catalogue, learners, latestOrders, at } =
    useLoaderData<typeof dashboardLoader>()
  return (
    <>
      <Heading>{copy['layout.admin']}</Heading>
      <p className="nums mt-1 mb-6 flex flex-wrap items-baseline gap-x-4 text-sm text-soft">
        <span>
          As of {formatInstant(at)}. {analyticsCopy['dashboard.period']}
        </span>
        <Link to={paths.adminAnalytics} className={link}>
          {analyticsCopy['dashboard.analytics']}
        </Link>
      </p>
      <Figures now={figures} before={figuresBefore} spark={net} />
      <p className="nums mt-3 text-sm text-soft">
        {learners} learners with access, {people.people} people ({people.verified} verified), {catalogue.questions}{' '}
        questions on sale in {catalogue.courses} courses and {catalogue.exams} exams.
      </p>
      <div className="mt-12 grid gap-x-12 gap-y-10 desktop:grid-cols-[1fr_2fr]">
        <Waiting waiting={waiting} />
        <section aria-labelledby="orders-heading" className="min-w-0">
          <h2 id="orders-heading" className="text-xl font-semibold">
            Latest orders
          </h2>
          <div className="mt-4">
            {latestOrders.length === 0 ? (
              <EmptyState
                title="No orders yet"
                hint="Every order appears here from the moment somebody presses Checkout."
              />
            ) : (
              <OrderTable label="Latest orders" orders={latestOrders} />
            )}
          </div>
        </section>
      </div>
    </>
  )
}

/** The lists that somebody should work through, the urgent one first; what is empty is left out. */
function Waiting({ waiting }: { waiting: ReturnType<typeof useLoaderData<typeof dashboardLoader>>['waiting'] }) {
  const lists = [
    [paths.adminOrders, copy['work.orders'], waiting.orders],
    [`${paths.adminWork}#jobs`, copy['work.jobs'], waiting.jobs],
    [paths.adminReports, copy['work.reports'], waiting.reports],
    [`${paths.adminChecks}?severity=error`, analyticsCopy['dashboard.findings'], waiting.findings],
    [`${paths.adminWork}#review`, copy['work.review'], waiting.review],
    [paths.adminFeedback, copy['work.feedback'], waiting.feedback],
  ] as const
  const full = lists.filter(([, , count]) => count > 0)
  return (
    <section aria-labelledby="attention-heading">
      <h2 id="attention-heading" className="text-xl font-semibold">
        {analyticsCopy['dashboard.attention']}
      </h2>
      {full.length === 0 ? (
        <p className="mt-4 text-soft">{analyticsCopy['dashboard.attention.none']}</p>
      ) : (
        <ul className="mt-4 divide-y divide-line border-y border-line">
          {full.map(([to, name, count]) => (
            <li key={to} className="flex items-baseline justify-between gap-4 py-3">
              <Link to={to} className={link}>
                {name}
              </Link>
              <span className="nums font-semibold">{count}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
