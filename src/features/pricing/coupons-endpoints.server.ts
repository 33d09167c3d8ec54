import { z } from 'zod'
import { requireAdmin } from '../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import { CouponPath, CreateCoupon, SwitchCoupon } from './pricing.schema.ts'
import { plansApi } from './scheduled-prices/scheduled-prices-endpoints.server.ts'
import { addCoupon, switchCoupon } from './coupons-commands.server.ts'

export function pricingApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/coupons',
      who: 'admin',
      about: 'Creates a coupon.',
      body: CreateCoupon,
      reply: z.object({ id: z.string() }),
      async handle({ body }, context) {
        const coupon = { ...body, actorId: requireAdmin(context).id, now: context.clock.now() }
        return { id: await addCoupon(context.db, coupon) }
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/coupons/:couponId',
      who: 'admin',
      about: 'Switches a coupon on or off.',
      params: CouponPath,
      body: SwitchCoupon,
      reply: Done,
      async handle({ params, body }, context) {
        await switchCoupon(context.db, {
          couponId: params.couponId,
          isActive: body.isActive,
          actorId: requireAdmin(context).id,
          now: context.clock.now(),
        })
        return done
      },
    }),
    ...plansApi(),
  ]
}
