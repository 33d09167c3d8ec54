import { Link, useLoaderData } from 'react-router'
import type { OrderSummary } from '../features/checkout/schema.ts'
import { OrderStateMark } from '../features/checkout/ui/order-state.tsx'
import { formatDollars, type Cents } from '../lib/money.ts'
import { paths } from '../lib/paths.ts'
import { formatInstant } from '../lib/time.ts'
import { EmptyState, Heading } from '../ui/page.tsx'
import { copy } from './copy.ts'
import type { dashboardLoader } from './pages.server.ts'

export { dashboardLoader as loader } from './pages.server.ts'

export default function DashboardPage() {
  const { people, catalogue, attempts, orders, learners, latestOrders, at } = useLoaderData<typeof dashboardLoader>()
  const passRate = attempts.finished === 0 ? null : Math.round((attempts.passed / attempts.finished) * 100)
  return (
    <>
      <Heading>{copy['layout.admin']}</Heading>
      <p className="nums mt-1 text-sm text-soft">As of {formatInstant(at)}</p>
      <dl className="mt-8 grid grid-cols-1 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 desktop:grid-cols-4">
        <Figure
          name="Revenue, paid orders"
          value={formatDollars(orders.revenueCents as Cents)}
          note={`${orders.paid} paid, ${orders.pending} pending`}
        />
        <Figure
          name="Learners with access"
          value={String(learners)}
          note={`${people.people} people, ${people.verified} verified`}
        />
        <Figure
          name="Exams finished"
          value={String(attempts.finished)}
          note={passRate === null ? `${attempts.open} open` : `${passRate} % passed, ${attempts.open} open`}
        />
        <Figure
          name="Questions on sale"
          value={String(catalogue.questions)}
          note={`${catalogue.courses} courses, ${catalogue.exams} exams`}
          link={[paths.adminCourses, 'Courses and prices']}
        />
      </dl>
      <section aria-labelledby="orders-heading" className="mt-12">
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
            <ul className="divide-y divide-line border-y border-line">
              {latestOrders.map((order) => (
                <LatestOrder key={order.id} order={order} />
              ))}
            </ul>
          )}
        </div>
      </section>
    </>
  )
}

function LatestOrder({ order }: { order: OrderSummary }) {
  const [first = '', ...others] = order.titles
  return (
    <li className="nums flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <Link to={paths.order(order.id)} className="font-semibold normal-nums hover:underline">
          {first}
          {others.length === 0 ? null : ` and ${others.length} more`}
        </Link>
        <p className="text-sm break-all text-soft">{order.buyerEmail}</p>
      </div>
      <span className="text-sm text-soft">{formatInstant(order.createdAt)}</span>
      <span className="flex basis-full items-baseline justify-between gap-4 sm:w-56 sm:basis-auto">
        <OrderStateMark state={order.state} />
        <span className="font-semibold">{formatDollars(order.totalCents as Cents)}</span>
      </span>
    </li>
  )
}

function Figure({
  name,
  value,
  note,
  link,
}: {
  name: string
  value: string
  note: string
  link?: readonly [string, string]
}) {
  return (
    <div className="bg-surface p-5">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="nums mt-1 text-2xl font-semibold">{value}</dd>
      <dd className="nums mt-1 text-sm text-soft">{note}</dd>
      {link === undefined ? null : (
        <dd className="mt-2 text-sm">
          <Link to={link[0]} className="font-semibold text-accent underline underline-offset-2">
            {link[1]}
          </Link>
        </dd>
      )}
    </div>
  )
}
