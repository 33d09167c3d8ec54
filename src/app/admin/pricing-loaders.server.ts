import { listCourseNames } from '../../features/catalogue/course-choices-queries.server.ts'
import { CATEGORIES } from '../../features/catalogue/catalogue.ts'
import { CoursePath, fail as failCatalogue } from '../../features/catalogue/catalogue.schema.ts'
import { listCouponRedemptions } from '../../features/checkout/orders-queries.server.ts'
import {
  findPriceRecord,
  listPricedCourses,
} from '../../features/pricing/scheduled-prices/scheduled-prices-queries.server.ts'
import { PriceFilter } from '../../features/pricing/scheduled-prices/scheduled-prices.schema.ts'
import { listCoupons } from '../../features/pricing/coupons-queries.server.ts'
import { pageLoader, replicaPageLoader, requireAdminForPage } from '../../platform/http/page-loader.server.ts'

/** A page of prices, and the coupons with their redemptions and courses. */
export const pricingLoader = replicaPageLoader(async ({ context, url }) => {
  requireAdminForPage(context, url)
  const query = Object.fromEntries(['search', 'category', 'after'].map((name) => [name, url.searchParams.get(name)]))
  const filter = PriceFilter.parse(query)
  const [priced, coupons, redemptions] = await Promise.all([
    listPricedCourses(context.reads, filter),
    listCoupons(context.reads),
    listCouponRedemptions(context.reads),
  ])
  const courseIds = new Set(coupons.flatMap(({ discount }) => discount.courseIds ?? []))
  return {
    priced,
    filter,
    categories: [...CATEGORIES],
    coupons: coupons.map((coupon) => ({
      ...coupon,
      uses: redemptions.find(({ couponId }) => couponId === coupon.id) ?? { live: 0, test: 0 },
    })),
    courses: await listCourseNames(context.reads, [...courseIds]),
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
