import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { formatDollars, type Cents } from '../../../lib/money.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FilterForm, FilterHint, filterField, filterHint } from '../../../ui/filter-form.tsx'
import { EmptyState, Heading } from '../../../ui/page-parts.tsx'
import { Paging } from '../../../ui/pagination.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { withQuery } from '../../../ui/query-string.ts'
import { copy as checkoutCopy } from '../checkout.copy.ts'
import { OrderTable } from '../ui/order-table.tsx'
import type { ordersLoader } from './order-admin-endpoints.server.ts'
import { copy, stateOrder, paymentIssueText } from './order-admin.copy.ts'
import type { AdminOrder } from './order-admin.schema.ts'

export { ordersLoader as loader } from './order-admin-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['desk.title'] }, { name: 'robots', content: 'noindex' }]

/** All orders: those that need an admin first, then a searchable list. */
export default function OrdersPage() {
  const { orders, next, withPaymentIssue, search, state, isFirstPage } = useLoaderData<typeof ordersLoader>()
  const isFiltered = search !== '' || state !== null
  return (
    <>
      <Heading>{copy['desk.title']}</Heading>
      {withPaymentIssue.length === 0 ? null : <PaymentIssues orders={withPaymentIssue} />}
      <OrderSearch key={`${search} ${state ?? ''}`} search={search} state={state} />
      <section aria-labelledby="orders-heading" className="mt-8">
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
          <h2 id="orders-heading" className="text-xl font-semibold">
            {isFiltered ? copy['desk.list.found'] : copy['desk.list']}
          </h2>
          {isFiltered ? (
            <ButtonLink look="quiet" to={adminPaths.orders} className="-mr-4">
              {copy['desk.reset']}
            </ButtonLink>
          ) : null}
        </div>
        <div className="mt-2">
          {orders.length === 0 ? (
            <EmptyState
              drawing={isFiltered ? 'search' : 'list'}
              title={isFiltered ? copy['desk.nothing.title'] : copy['desk.none.title']}
              hint={isFiltered ? copy['desk.nothing'] : copy['desk.none']}
            />
          ) : (
            <OrderTable label={isFiltered ? copy['desk.list.found'] : copy['desk.list']} orders={orders} />
          )}
        </div>
        <Paging
          back={isFirstPage ? null : { to: pageAt({ search, state, after: null }), label: copy['desk.newest'] }}
          on={next === null ? null : { to: pageAt({ search, state, after: next }), label: copy['desk.older'] }}
        />
      </section>
    </>
  )
}

function OrderSearch({ search, state }: { search: string; state: string | null }) {
  return (
    <FilterForm action={copy['desk.find']}>
      <Field
        label={copy['desk.search']}
        aria-describedby={filterHint}
        name="search"
        type="search"
        autoComplete="off"
        spellCheck={false}
        defaultValue={search}
        className={filterField.wide}
      />
      <FilterHint>{copy['desk.search.hint']}</FilterHint>
      <SelectField label={copy['desk.state']} name="state" defaultValue={state ?? ''} className={filterField.narrow}>
        <option value="">{copy['desk.state.all']}</option>
        {stateOrder.map((name) => (
          <option key={name} value={name}>
            {checkoutCopy[`order.state.${name}`]}
          </option>
        ))}
      </SelectField>
    </FilterForm>
  )
}

function PaymentIssues({ orders }: { orders: readonly (AdminOrder & { readonly since: string })[] }) {
  return (
    <section aria-labelledby="troubled-heading" className="mt-6 border-l-4 border-flag bg-flag-soft px-4 py-4">
      <h2 id="troubled-heading" className="text-lg font-semibold">
        {copy['desk.attention']}
      </h2>
      <ul className="mt-2 space-y-3">
        {orders.map((order) => (
          <li key={order.id} className="nums text-sm">
            <Link to={adminPaths.order(order.id)} className="font-semibold break-all underline underline-offset-2">
              {order.buyerEmail}
            </Link>
            {', '}
            {formatDollars(order.totalCents as Cents)}, {fill(copy['desk.since'], { at: formatInstant(order.since) })}
            <span className="block">
              {order.paymentIssue === null ? copy['desk.attention.disputed'] : paymentIssueText[order.paymentIssue]}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function pageAt(filter: { search: string; state: string | null; after: string | null }): string {
  return withQuery(adminPaths.orders, filter)
}
