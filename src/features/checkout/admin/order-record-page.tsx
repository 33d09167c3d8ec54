import type { ReactNode } from 'react'
import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { formatDollars, type Cents } from '../../../lib/money.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { paths } from '../../../lib/paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { Notice } from '../../../ui/notice.tsx'
import { BackLink, Heading } from '../../../ui/page-parts.tsx'
import { copy as checkoutCopy } from '../checkout.copy.ts'
import { givesSeats } from '../orders.ts'
import { OrderStateMark } from '../ui/order-state.tsx'
import { OrderSums } from '../ui/order-sums.tsx'
import type { orderRecordLoader } from './order-admin-endpoints.server.ts'
import { copy, paymentIssueText, providerText } from './order-admin.copy.ts'
import type { Grant, OrderRecord } from './order-admin.schema.ts'
import { OrderActions } from './ui/order-actions.tsx'
import { OrderHistory } from './ui/order-history.tsx'

export { orderRecordLoader as loader } from './order-admin-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['desk.title'] }, { name: 'robots', content: 'noindex' }]

/** The record of an order, and the actions on it. */
export default function OrderRecordPage() {
  const { order } = useLoaderData<typeof orderRecordLoader>()
  return (
    <>
      <BackLink to={adminPaths.orders}>{copy['desk.back']}</BackLink>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <Heading of="record">{fill(copy['desk.record'], { buyer: order.buyer.email })}</Heading>
        <OrderStateMark state={order.state} />
      </div>
      <p className="mt-1 text-sm break-all text-soft">{fill(checkoutCopy['order.number'], { id: order.id })}</p>
      {order.paymentIssue === null ? null : (
        <Notice tone="flag" className="mt-4">
          {paymentIssueText[order.paymentIssue]}{' '}
          {order.paymentIssueAt === null ? null : fill(copy['desk.since'], { at: formatInstant(order.paymentIssueAt) })}
        </Notice>
      )}
      {order.state === 'disputed' ? (
        <Notice tone="flag" className="mt-4">
          {copy['desk.attention.disputed']}
        </Notice>
      ) : null}
      {order.accessEndedAt === null ? null : (
        <Notice tone="info" className="mt-4">
          {fill(copy['desk.access.ended'], { at: formatInstant(order.accessEndedAt) })}
        </Notice>
      )}
      <OrderActions order={order} />
      <div className="mt-8 grid gap-x-12 gap-y-10 desktop:grid-cols-[1fr_360px]">
        <div className="min-w-0">
          <Lines order={order} />
          <section aria-labelledby="history-heading" className="mt-10">
            <h2 id="history-heading" className="text-lg font-semibold">
              {copy['desk.history']}
            </h2>
            <OrderHistory events={order.history} />
          </section>
        </div>
        <Facts order={order} />
      </div>
    </>
  )
}

function Lines({ order }: { order: OrderRecord }) {
  const areSeatsValid = givesSeats({ state: order.state, isAccessEnded: order.accessEndedAt !== null })
  return (
    <section aria-labelledby="lines-heading">
      <h2 id="lines-heading" className="text-lg font-semibold">
        {copy['desk.lines']}
      </h2>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {order.lines.map((line) => (
          <li key={line.courseId} className="nums py-3">
            <div className="flex items-baseline justify-between gap-4">
              <span className="font-semibold wrap-anywhere">{line.title}</span>
              <span className="text-sm whitespace-nowrap text-soft">
                {fill(checkoutCopy['order.line.each'], {
                  n: line.quantity,
                  price: formatDollars(line.unitPriceCents as Cents),
                })}
              </span>
            </div>
            <p className="text-sm wrap-anywhere text-soft">{describeGrant(line.grant)}</p>
            {line.seats.map((seat) => (
              <p key={seat.code} className="mt-3 text-sm break-words text-soft">
                <code className="block font-semibold text-ink">{seat.code}</code>
                {seat.grant !== null
                  ? describeGrant(seat.grant)
                  : copy[areSeatsValid ? 'desk.seat.open' : 'desk.seat.ended']}
              </p>
            ))}
          </li>
        ))}
      </ul>
      <OrderSums order={order} />
    </section>
  )
}

function describeGrant(grant: Grant | null): string {
  if (grant === null) return copy['desk.grant.none']
  const { holder, startsAt, endsAt, revokedAt } = grant
  return revokedAt === null
    ? fill(copy['desk.grant'], { holder, from: formatInstant(startsAt), to: formatInstant(endsAt) })
    : fill(copy['desk.grant.revoked'], { holder, at: formatInstant(revokedAt) })
}

function Facts({ order }: { order: OrderRecord }) {
  return (
    <div className="text-sm">
      <dl className="space-y-4">
        <Fact label={copy['desk.buyer']}>
          {order.buyerId === null ? (
            order.buyer.name
          ) : (
            <Link to={adminPaths.user(order.buyerId)} className="text-accent underline underline-offset-2">
              {order.buyer.name}
            </Link>
          )}
          <br />
          {order.buyer.email}
        </Fact>
        <Fact label={copy['desk.ordered']}>{formatInstant(order.createdAt)}</Fact>
        <Fact label={copy['desk.paid']}>
          {order.paidAt === null ? copy['desk.unpaid'] : formatInstant(order.paidAt)}
        </Fact>
        <Fact label={copy['desk.mode']}>{order.isLive ? copy['desk.mode.live'] : copy['desk.mode.test']}</Fact>
        <Fact label={copy['desk.provider']}>{providerText[order.provider] ?? order.provider}</Fact>
        <Fact label={copy['desk.session']}>
          <code>{order.sessionId ?? copy['desk.no-gateway']}</code>
        </Fact>
        {order.paymentIntent === null ? null : (
          <Fact label={copy['desk.payment']}>
            <code>{order.paymentIntent}</code>
          </Fact>
        )}
      </dl>
      <Link
        to={paths.order(order.id)}
        className="mt-4 inline-block font-semibold text-accent underline underline-offset-2"
      >
        {order.paidAt === null ? checkoutCopy['order.view'] : copy['desk.receipt']}
      </Link>
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-soft">{label}</dt>
      <dd className="nums break-all">{children}</dd>
    </div>
  )
}
