import { useState } from 'react'
import { useLoaderData, useRevalidator, type MetaFunction } from 'react-router'
import { switchCoupon } from '../../features/pricing/coupons-client.ts'
import { copy } from '../../features/pricing/pricing.copy.ts'
import { copy as plansCopy } from '../../features/pricing/scheduled-prices/scheduled-prices.copy.ts'
import { PriceList } from '../../features/pricing/scheduled-prices/ui/price-list.tsx'
import { describeDiscount } from '../../features/pricing/quote.ts'
import { CouponEditor } from '../../features/pricing/coupon-editor.tsx'
import { fill } from '../../lib/failure.ts'
import { after, formatDay } from '../../lib/time.ts'
import { toastOf } from '../../platform/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState, Heading } from '../../ui/page-parts.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useMutation } from '../../ui/use-mutation.ts'
import { privatePage } from '../layout/page-meta.ts'
import type { pricingLoader } from '../page-loaders.server.ts'

export { pricingLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, plansCopy['price.title'])

type ListedCoupon = Awaited<ReturnType<typeof pricingLoader>>['coupons'][number]
type NamedCourse = { readonly id: string; readonly title: string }

/** Prices of courses, scheduled ones included, and coupons with their terms and redemptions. */
export default function PricingPage() {
  const { priced, filter, categories, coupons, courses, now } = useLoaderData<typeof pricingLoader>()
  return (
    <>
      <Heading>{plansCopy['price.title']}</Heading>
      <p className="mt-1 max-w-read text-soft">{plansCopy['price.about']}</p>
      <PriceList
        key={JSON.stringify([filter.search, filter.category])}
        priced={priced}
        filter={filter}
        categories={categories}
      />
      <Coupons coupons={coupons} courses={courses} now={now} />
    </>
  )
}

function Coupons({
  coupons,
  courses,
  now,
}: {
  coupons: readonly ListedCoupon[]
  courses: readonly NamedCourse[]
  now: string
}) {
  const { revalidate } = useRevalidator()
  const [isOpen, setOpen] = useState(false)
  const [round, setRound] = useState(0)
  const handleAdded = (code: string) => {
    setOpen(false)
    setRound(round + 1)
    toast('success', copy['coupons.added'], fill(copy['coupons.added.text'], { code }))
    void revalidate()
  }
  return (
    <section aria-labelledby="coupons-heading" className="mt-16">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="coupons-heading" className="text-xl font-semibold">
          {copy['coupons.title']}
        </h2>
        <Button look="secondary" onClick={() => setOpen(true)}>
          {copy['coupons.add']}
        </Button>
      </div>
      <p className="mt-1 max-w-read text-soft">{copy['coupons.text']}</p>
      <div className="mt-6">
        {coupons.length === 0 ? (
          <EmptyState title={copy['coupons.none.title']} hint={copy['coupons.none']} />
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {coupons.map((coupon) => (
              <CouponRow key={coupon.id} coupon={coupon} courses={courses} now={now} />
            ))}
          </ul>
        )}
      </div>
      <Dialog title={copy['coupons.add']} isOpen={isOpen} onClose={() => setOpen(false)}>
        <CouponEditor key={round} onAdded={handleAdded} onCancel={() => setOpen(false)} />
      </Dialog>
    </section>
  )
}

function CouponRow({ coupon, courses, now }: { coupon: ListedCoupon; courses: readonly NamedCourse[]; now: string }) {
  const [nextState, setNextState] = useState(coupon.isActive)
  const change = useMutation((isActive: boolean) => switchCoupon(coupon.id, isActive), {
    onFailure: (error) => toast(...toastOf(error)),
    revalidates: true,
  })
  // The terms of a coupon never change, so an expired one cannot become active again.
  const isOver = coupon.endsAt !== null && coupon.endsAt <= now
  const handleChange = (isActive: boolean) => {
    setNextState(isActive)
    change.run(isActive)
  }
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2 py-4">
      <div className="min-w-0 flex-1 basis-80">
        <h3 className="font-semibold break-all">{coupon.code}</h3>
        <p className="nums text-sm">
          {describeDiscount(coupon.discount)}, {describePeriod(coupon, now)}, {describeRedemptions(coupon)}
        </p>
        <p className="text-sm break-words text-soft">{describeCourses(coupon, courses)}</p>
      </div>
      {isOver ? (
        <p className="py-1 text-sm text-soft">{copy['coupons.over']}</p>
      ) : (
        <Switch
          label={copy['coupons.active']}
          name={fill(copy['coupons.active.name'], { code: coupon.code })}
          isOn={change.isBusy ? nextState : coupon.isActive}
          isBusy={change.isBusy}
          onChange={handleChange}
        />
      )}
    </li>
  )
}

function describePeriod({ startsAt, endsAt }: ListedCoupon, now: string): string {
  // endsAt is exclusive; the text names the last day on which the coupon works.
  const last = endsAt === null ? null : formatDay(after(new Date(endsAt), -1))
  if (endsAt !== null && endsAt <= now) return fill(copy['coupons.period.over'], { last: last ?? '' })
  const first = startsAt === null ? null : formatDay(startsAt)
  if (first !== null && last !== null) return fill(copy['coupons.period'], { first, last })
  if (first !== null) return fill(copy['coupons.period.from'], { first })
  return last === null ? copy['coupons.period.always'] : fill(copy['coupons.period.until'], { last })
}

function describeRedemptions({ uses, useLimit }: ListedCoupon): string {
  const live = useLimit === null ? `${uses.live}` : fill(copy['coupons.uses.of'], { n: uses.live, limit: useLimit })
  const text = fill(copy['coupons.uses'], { n: live })
  return uses.test === 0 ? text : `${text}, ${fill(copy['coupons.uses.test'], { n: uses.test })}`
}

function describeCourses({ discount }: ListedCoupon, courses: readonly NamedCourse[]): string {
  if (discount.courseIds === null) return copy['coupons.courses.all']
  return discount.courseIds
    .map((id) => courses.find((course) => course.id === id)?.title ?? copy['coupons.courses.gone'])
    .join(', ')
}
