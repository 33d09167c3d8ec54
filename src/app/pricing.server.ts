import { listCourseNames } from '../features/catalogue/rows/choices/read.server.ts'
import { CATEGORIES } from '../features/catalogue/rules.ts'
import { CoursePath, fail as failCatalogue } from '../features/catalogue/schema.ts'
import { listCouponUses } from '../features/checkout/read.server.ts'
import { findPriceRecord, listPricedCourses } from '../features/pricing/plans/read.server.ts'
import { PricesWanted } from '../features/pricing/plans/schema.ts'
import { listCoupons } from '../features/pricing/read.server.ts'
import { pageLoader, requireAdminForPage } from '../platform/page-loader.server.ts'

/** Prices by the page; coupons with their uses, which orders count, and the courses that they are for. */
export const pricingLoader = pageLoader(async ({ context, url }) => {
  requireAdminForPage(context, url)
  const asked = Object.fromEntries(['search', 'category', 'after'].map((name) => [name, url.searchParams.get(name)]))
  const wanted = PricesWanted.parse(asked)
  const [priced, coupons, uses] = await Promise.all([
    listPricedCourses(context.db, wanted),
    listCoupons(context.db),
    listCouponUses(context.db),
  ])
  const courseIds = new Set(coupons.flatMap(({ discount }) => discount.courseIds ?? []))
  return {
    priced,
    wanted,
    categories: [...CATEGORIES],
    coupons: coupons.map((coupon) => ({
      ...coupon,
      uses: uses.find(({ couponId }) => couponId === coupon.id) ?? { live: 0, test: 0 },
    })),
    courses: await listCourseNames(context.db, [...courseIds]),
    now: context.clock.now().toISOString(),
  }
})

export const priceRecordLoader = pageLoader(async ({ context, params, url }) => {
  requireAdminForPage(context, url)
  const path = CoursePath.safeParse(params)
  const course = path.success ? await findPriceRecord(context.db, path.data.courseId) : null
  if (course === null) throw failCatalogue('course.not-found')
  return { course }
})
