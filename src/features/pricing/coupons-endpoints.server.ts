import { z } from 'zod'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import { actionBy } from '../../platform/audit-log/audit-log-commands.server.ts'
import { CouponPath, CreateCoupon, SwitchCoupon } from './pricing.schema.ts'
import { plansApi } from './scheduled-prices/scheduled-prices-endpoints.server.ts'
import { addCoupon, switchCoupon } from './coupons-commands.server.ts'

export function pricingApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/coupons',
      who: 'admin',
      needsConfirmation: true,
      about: 'Creates a coupon.',
      body: CreateCoupon,
      reply: z.object({ id: z.string() }),
      async handle({ body }, context) {
        const coupon = { ...body, ...actionBy(context) }
        return { id: await addCoupon(context.db, coupon) }
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/coupons/:couponId',
      who: 'admin',
      needsConfirmation: true,
      about: 'Switches a coupon on or off.',
      params: CouponPath,
      body: SwitchCoupon,
      reply: Done,
      async handle({ params, body }, context) {
        await switchCoupon(context.db, {
          couponId: params.couponId,
          isActive: body.isActive,
          ...actionBy(context),
        })
        return done
      },
    }),
    ...plansApi(),
  ]
}
