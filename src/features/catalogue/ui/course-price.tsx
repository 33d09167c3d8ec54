import { fill } from '../../../lib/failure.ts'
import { formatDollars, type Cents } from '../../../lib/money.ts'
import { formatInstant } from '../../../lib/time.ts'
import { copy } from '../catalogue.copy.ts'
import type { CourseCardView } from '../catalogue.schema.ts'

/** The price of a course. During a sale it also shows the end of the sale and, where allowed, the price before. */
export function CoursePrice({
  course,
  className,
}: {
  course: Pick<CourseCardView, 'priceCents' | 'wasCents' | 'saleEndsAt'>
  className: string
}) {
  const { priceCents, wasCents, saleEndsAt } = course
  return (
    <div className={className}>
      <p className="nums font-semibold">
        <FormerPrice cents={wasCents} className="text-base font-normal text-soft" />
        {formatDollars(priceCents as Cents)}
      </p>
      {saleEndsAt === null ? null : (
        <p className="nums text-xs font-normal text-soft">
          {fill(copy[wasCents === null ? 'price.sale' : 'price.sale.was'], { until: formatInstant(saleEndsAt) })}
        </p>
      )}
    </div>
  )
}

/** The price before a sale, struck through; screen readers get words for it. Nothing without one. */
export function FormerPrice({ cents, className = '' }: { cents: number | null; className?: string }) {
  if (cents === null) return null
  return (
    <>
      <span className="sr-only">{copy['price.was']} </span>
      <del className={`mr-2 ${className}`}>{formatDollars(cents as Cents)}</del>
      <span className="sr-only">{copy['price.now']} </span>
    </>
  )
}
