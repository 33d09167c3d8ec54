import { useLoaderData, type MetaFunction } from 'react-router'
import { copy } from '../../features/pricing/scheduled-prices/scheduled-prices.copy.ts'
import { describeScheduledPrice, describeWas } from '../../features/pricing/scheduled-prices/scheduled-prices.ts'
import { CancelScheduledPrice } from '../../features/pricing/scheduled-prices/ui/cancel-price-change.tsx'
import { fill } from '../../lib/failure.ts'
import { formatDollars, type Cents } from '../../lib/money.ts'
import { adminPaths } from '../../lib/admin-paths.ts'
import { formatInstant } from '../../lib/time.ts'
import { Cell, ListRow, ListTable } from '../../ui/list-table.tsx'
import { BackLink, Heading, Section } from '../../ui/page-parts.tsx'
import { privatePage } from '../layout/page-meta.ts'
import type { priceRecordLoader } from '../page-loaders.server.ts'

export { priceRecordLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['price.title'])

type PricedCourse = ReturnType<typeof useLoaderData<typeof priceRecordLoader>>['course']

/** The price of a course: now, scheduled, and its history. */
export default function PriceRecordPage() {
  const { course } = useLoaderData<typeof priceRecordLoader>()
  return (
    <>
      <BackLink to={adminPaths.pricing}>{copy['price.record.back']}</BackLink>
      <Heading of="record">{fill(copy['price.history.of'], { title: course.title })}</Heading>
      <p className="nums mt-1 text-soft">
        {fill(copy['price.record.now'], { price: formatDollars(course.priceCents as Cents) })}
      </p>
      <Section id="plans-heading" title={copy['price.record.plans']}>
        {course.scheduledPrices.length === 0 ? (
          <p className="text-soft">{copy['price.record.plans.none']}</p>
        ) : (
          <ul className="nums divide-y divide-line border-y border-line">
            {course.scheduledPrices.map((scheduledPrice) => (
              <li key={scheduledPrice.id} className="flex flex-wrap items-baseline justify-between gap-x-6 py-3">
                <ScheduledPriceText scheduledPrice={scheduledPrice} course={course} />
                <span className="flex items-baseline gap-x-4 text-sm text-soft">
                  {copy[`price.state.${scheduledPrice.state}`]}
                  {scheduledPrice.state === 'planned' || scheduledPrice.state === 'running' ? (
                    <CancelScheduledPrice
                      scheduledPrice={scheduledPrice}
                      title={course.title}
                      what={describeScheduledPrice(scheduledPrice, course.regularCents)}
                    />
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section id="history-heading" title={copy['price.record.history']}>
        <ListTable
          label={copy['price.record.history']}
          columns={[{ name: copy['price.record.since'] }, { name: copy['price.record.price'], isNumber: true }]}
        >
          {course.history.map((price) => (
            <ListRow
              key={price.at}
              isOneLine
              about={
                <>
                  {formatInstant(price.at)}
                  {price.isSale ? <span className="ml-3 text-sm text-soft">{copy['price.record.sale']}</span> : null}
                </>
              }
            >
              <Cell isNumber>{formatDollars(price.cents as Cents)}</Cell>
            </ListRow>
          ))}
        </ListTable>
      </Section>
    </>
  )
}

function ScheduledPriceText({
  scheduledPrice,
  course,
}: {
  scheduledPrice: PricedCourse['scheduledPrices'][number]
  course: PricedCourse
}) {
  return (
    <span>
      {describeScheduledPrice(scheduledPrice, course.regularCents)}
      {scheduledPrice.state === 'running' ? (
        <span className="block text-sm text-soft">{describeWas(course.wasCents)}</span>
      ) : null}
    </span>
  )
}
