import { Link, useLoaderData } from 'react-router'
import { copy as analyticsCopy } from '../../features/analytics/analytics.copy.ts'
import { Figures } from '../../features/analytics/ui/figures.tsx'
import { OrderTable } from '../../features/checkout/ui/order-table.tsx'
import { adminPaths } from '../../lib/admin-paths.ts'
import { formatInstant } from '../../lib/time.ts'
import { EmptyState, Heading, Section } from '../../ui/page-parts.tsx'
import { copy } from '../app.copy.ts'
import type { dashboardLoader } from '../page-loaders.server.ts'
import { workLists } from './work-lists.ts'
import { counted } from '../../lib/text.ts'

export { dashboardLoader as loader } from '../page-loaders.server.ts'

const link = 'inline-flex min-h-8 items-center font-semibold text-accent underline underline-offset-2'

/** The last 30 days, the work that waits, and the latest orders. */
export default function DashboardPage() {
  const { figures, figuresBefore, net, waiting, users, catalogue, learners, latestOrders, at } =
    useLoaderData<typeof dashboardLoader>()
  return (
    <>
      <Heading>{copy['layout.admin']}</Heading>
      <p className="nums mt-1 mb-6 flex flex-wrap items-baseline gap-x-4 text-sm text-soft">
        <span>
          As of {formatInstant(at)}. {analyticsCopy['dashboard.period']}
        </span>
        <Link to={adminPaths.analytics} className={link}>
          {analyticsCopy['dashboard.analytics']}
        </Link>
      </p>
      <Figures now={figures} before={figuresBefore} spark={net} />
      <p className="nums mt-3 text-sm text-soft">
        {counted(learners, 'learner')} with access, {counted(users.users, 'user')} ({users.verified} verified),{' '}
        {counted(catalogue.questions, 'question')} on sale in {counted(catalogue.courses, 'course')} and{' '}
        {counted(catalogue.exams, 'exam')}.
      </p>
      <Waiting waiting={waiting} />
      <Section
        id="orders-heading"
        title="Latest orders"
        aside={
          latestOrders.length === 0 ? null : (
            <Link to={adminPaths.orders} className={`text-sm ${link}`}>
              {copy['dashboard.orders.all']}
            </Link>
          )
        }
      >
        {latestOrders.length === 0 ? (
          <EmptyState title="No orders yet" hint="An order appears here as soon as a customer presses Checkout." />
        ) : (
          <OrderTable label="Latest orders" orders={latestOrders} />
        )}
      </Section>
    </>
  )
}

/** Lists of waiting work, the most urgent first, without empty ones. */
function Waiting({ waiting }: { waiting: ReturnType<typeof useLoaderData<typeof dashboardLoader>>['waiting'] }) {
  const waitingLists = workLists.filter(([list]) => waiting[list] > 0)
  return (
    <Section id="attention-heading" title={analyticsCopy['dashboard.attention']}>
      {waitingLists.length === 0 ? (
        <p className="text-soft">{analyticsCopy['dashboard.attention.none']}</p>
      ) : (
        <ul className="grid gap-x-10 border-t border-line sm:grid-cols-2 desktop:grid-cols-3">
          {waitingLists.map(([list, to]) => (
            <li key={list} className="flex min-h-12 items-center justify-between gap-4 border-b border-line">
              <Link to={to} className={link}>
                {copy[`work.${list}`]}
              </Link>
              <span className="nums font-semibold">{waiting[list]}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
