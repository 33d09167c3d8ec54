import { useState, type ReactNode } from 'react'
import {
  Link,
  useActionData,
  useLoaderData,
  useNavigate,
  useRouteLoaderData,
  useSearchParams,
  type MetaFunction,
} from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { formatDollars, type Cents } from '../../../lib/money.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay, formatInstant } from '../../../lib/time.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Heading, Page } from '../../../ui/page-parts.tsx'
import type { orderLoader } from '../checkout-endpoints.server.ts'
import { copy } from '../checkout.copy.ts'
import type { OrderView } from '../checkout.schema.ts'
import { givesSeats } from '../orders.ts'
import { OrderStateMark } from '../ui/order-state.tsx'
import { OrderSums } from '../ui/order-sums.tsx'
import type { orderAction } from './own-order-forms-endpoints.server.ts'
import { RefillCart } from './ui/refill-cart.tsx'
import { useWaitingOrders, WaitingOrderActions } from './ui/waiting-order.tsx'

export { orderAction as action } from './own-order-forms-endpoints.server.ts'
export { orderLoader as loader } from '../checkout-endpoints.server.ts'

export const meta: MetaFunction<typeof orderLoader> = ({ data }) => [
  { title: data?.order.paidAt == null ? copy['order.heading'] : copy['order.title'] },
  { name: 'robots', content: 'noindex' },
]

export default function OrderPage() {
  const { order, now } = useLoaderData<typeof orderLoader>()
  useWaitingOrders([order], now)
  // Only a paid order has a receipt, also when its money went back later.
  return order.paidAt === null ? <UnpaidOrder order={order} now={now} /> : <Receipt order={order} />
}

/** An order without a payment: what happened, and what its buyer can do. */
function UnpaidOrder({ order, now }: { order: OrderView; now: string }) {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const refused = useActionData<typeof orderAction>()
  const { state, payableUntil } = order
  const isPayable = payableUntil !== null && payableUntil > now
  const kind = order.isProcessing ? 'processing' : isPayable ? 'pending' : state === 'failed' ? 'failed' : 'expired'
  return (
    <Page width="read">
      <Heading>{copy[`order.title.${kind}`]}</Heading>
      <p className="mt-1 text-sm break-all text-soft">{fill(copy['order.number'], { id: order.id })}</p>
      {isPayable && search.has('canceled') ? (
        <Notice tone="info" title={copy['order.canceled.title']} className="mt-4">
          {copy['order.canceled.text']}
        </Notice>
      ) : null}
      {refused === undefined ? null : (
        <Notice tone="bad" className="mt-4">
          {refused.failure.message}
        </Notice>
      )}
      <p className="mt-4">
        {isPayable
          ? fill(copy['order.waiting.until'], { at: formatInstant(payableUntil) })
          : copy[order.isProcessing ? 'order.waiting.processing' : 'order.unpaid.text']}
      </p>
      <Lines order={order} caption={copy['order.ordered']} />
      <OrderSums order={order} />
      <div className="mt-6 flex flex-wrap gap-2">
        {isPayable ? (
          <WaitingOrderActions
            isLarge
            order={{ id: order.id, titles: order.lines.map(({ title }) => title) }}
            onDropped={() => void navigate(paths.myCourses)}
          />
        ) : order.isProcessing ? null : (
          <RefillCart order={order} />
        )}
        <ButtonLink look="secondary" to={paths.myCourses}>
          {copy['order.back']}
        </ButtonLink>
      </div>
    </Page>
  )
}

/** The receipt of an order, with the codes of its seats. It prints on one sheet. */
function Receipt({ order }: { order: OrderView }) {
  const root = useRouteLoaderData('root') as { site: { brandName: string; appUrl: string } } | undefined
  return (
    <Page width="read">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <Heading>{copy['order.title']}</Heading>
          <p className="mt-1 text-sm break-all text-soft">{fill(copy['order.number'], { id: order.id })}</p>
        </div>
        <Button look="secondary" onClick={() => window.print()} data-print="off">
          {copy['order.print']}
        </Button>
      </div>
      <dl className="mt-6 grid grid-cols-2 gap-x-6 gap-y-4 border-y border-line py-4 text-sm sm:gap-x-8">
        <Fact label={copy['order.seller']}>
          {root?.site.brandName}
          <br />
          <span className="break-words text-soft">{root?.site.appUrl}</span>
        </Fact>
        <Fact label={copy['order.buyer']}>
          {order.buyer.name}
          <br />
          <span className="break-words text-soft">{order.buyer.email}</span>
        </Fact>
        <Fact label={copy['order.date']}>{formatInstant(order.paidAt ?? order.createdAt)}</Fact>
        <Fact label={copy['order.state']}>
          <OrderStateMark state={order.state} />
        </Fact>
      </dl>
      {order.accessEndedAt === null ? null : (
        <Notice tone="flag" className="mt-6">
          {fill(copy['order.access.ended'], { day: formatDay(order.accessEndedAt) })}
        </Notice>
      )}
      <Lines order={order} caption={copy['order.lines']} />
      <OrderSums order={order} />
      <Seats order={order} />
    </Page>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-soft">{label}</dt>
      <dd className="mt-1 font-medium wrap-anywhere">{children}</dd>
    </div>
  )
}

const dollars = (amount: number) => formatDollars(amount as Cents)

function Lines({ order, caption }: { order: OrderView; caption: string }) {
  return (
    <table className="nums mt-6 w-full text-left">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{copy['order.course']}</th>
          <th scope="col">{copy['order.amount']}</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-b border-line">
        {order.lines.map((line) => (
          <tr key={line.courseId}>
            <th scope="row" className="py-3 pr-4 font-normal">
              <Link to={paths.course(line.courseSlug)} className="font-semibold wrap-anywhere hover:underline">
                {line.title}
              </Link>
              <span className="block text-sm text-soft">
                {fill(copy['order.line.each'], { n: line.quantity, price: dollars(line.unitPriceCents) })}
              </span>
            </th>
            <td className="py-3 text-right align-top">{dollars(line.unitPriceCents * line.quantity)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Seats({ order }: { order: OrderView }) {
  const lines = order.lines.filter((line) => line.seats.length > 0)
  const areValid = givesSeats({ state: order.state, isAccessEnded: order.accessEndedAt !== null })
  if (lines.length === 0) return null
  return (
    <section aria-labelledby="seats-heading" className="mt-10">
      <h2 id="seats-heading" className="text-xl font-semibold">
        {copy['order.seats']}
      </h2>
      <p className="mt-1 text-soft">{copy[areValid ? 'order.seats.text' : 'order.seats.ended']}</p>
      {lines.map((line) => (
        <div key={line.courseId} className="mt-5">
          <h3 className="text-sm font-semibold">{line.title}</h3>
          <ul className="mt-2 divide-y divide-line border-y border-line">
            {line.seats.map((seat) => (
              <li key={seat.code} className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 py-1.5">
                <code className="text-sm font-semibold wrap-anywhere tablet:text-lg tablet:tracking-wide">
                  {seat.code}
                </code>
                {seat.redeemedAt === null && areValid ? (
                  <CopyLink code={seat.code} />
                ) : (
                  <span className="text-sm text-soft">
                    {seat.redeemedAt === null
                      ? copy['order.seat.ended']
                      : fill(copy['order.seat.used'], { day: formatDay(seat.redeemedAt) })}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

function CopyLink({ code }: { code: string }) {
  const [isCopied, setCopied] = useState(false)
  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(`${location.origin}${paths.redeem(code)}`)
      setCopied(true)
    } catch (error) {
      // The browser may refuse the clipboard; the code can still be read and typed.
      console.warn('The link could not be copied:', error)
    }
  }
  return (
    <span className="flex items-center gap-2">
      <span className="text-sm text-soft">{copy['order.seat.open']}</span>
      <Button look="quiet" className="-mr-4" data-print="off" onClick={() => void handleCopy()}>
        <span aria-live="polite">{isCopied ? copy['order.seat.copied'] : copy['order.seat.copy']}</span>
        <span className="sr-only"> {code}</span>
      </Button>
    </span>
  )
}
