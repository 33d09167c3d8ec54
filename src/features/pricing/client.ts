import { call } from '../../platform/client.ts'
import type { CouponForm } from './schema.ts'

export const addCoupon = (coupon: CouponForm) => call<{ id: string }>('POST', '/api/coupons', coupon)

export const switchCoupon = (couponId: string, isActive: boolean) =>
  call<{ done: true }>('PATCH', `/api/coupons/${couponId}`, { isActive })
