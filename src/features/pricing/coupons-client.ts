import { clientOf } from '../../platform/api-client.ts'
import type { pricingApi } from './coupons-endpoints.server.ts'
import type { CouponForm } from './pricing.schema.ts'

const call = clientOf<typeof pricingApi>()

export const addCoupon = (coupon: CouponForm) => call('POST', '/api/coupons', { body: coupon })

export const switchCoupon = (couponId: string, isActive: boolean) =>
  call('PATCH', '/api/coupons/:couponId', { params: { couponId }, body: { isActive } })
