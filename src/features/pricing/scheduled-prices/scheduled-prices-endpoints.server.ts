import { z } from 'zod'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { actionBy } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { ApplyPrices, ChangePrices, ScheduledPricePath, PricePreview } from './scheduled-prices.schema.ts'
import { applyPrices, cancelScheduledPrice, previewPrices } from './scheduled-prices-commands.server.ts'

/** The endpoints by which admins change prices. */
export function plansApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/prices/preview',
      who: 'admin',
      about: 'Previews a change of prices, course by course. Nothing is changed.',
      body: ChangePrices,
      reply: PricePreview,
      handle: ({ body }, context) => previewPrices(context.db, body, context.clock.now()),
    }),
    endpoint({
      method: 'POST',
      path: '/api/prices',
      who: 'admin',
      needsConfirmation: true,
      about:
        'Applies a previewed change of prices: at once, from an instant on, or as a sale. All prices change, or none.',
      body: ApplyPrices,
      reply: z.object({ changed: z.number().int() }),
      async handle({ body }, context) {
        const actor = actionBy(context)
        return { changed: await applyPrices(context.db, { ...body, ...actor }) }
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/scheduled-prices/:scheduledPriceId',
      formerPaths: ['/api/price-plans/:scheduledPriceId'],
      who: 'admin',
      needsConfirmation: true,
      about: 'Cancels a scheduled price, or ends a running sale.',
      params: ScheduledPricePath,
      reply: Done,
      async handle({ params }, context) {
        await cancelScheduledPrice(context.db, {
          ...params,
          ...actionBy(context),
        })
        return done
      },
    }),
  ]
}
