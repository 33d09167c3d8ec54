import { z } from 'zod'
import { requireAdmin } from '../../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { ApplyPrices, ChangePrices, ScheduledPricePath, PricePreview } from './scheduled-prices.schema.ts'
import { applyPrices, cancelScheduledPrice, previewPrices } from './scheduled-prices-commands.server.ts'

/** What admins do with prices. */
export function plansApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/prices/preview',
      who: 'admin',
      about: 'What a change of prices would do, course by course. Nothing is changed.',
      body: ChangePrices,
      reply: PricePreview,
      handle: ({ body }, context) => previewPrices(context.db, body, context.clock.now()),
    }),
    endpoint({
      method: 'POST',
      path: '/api/prices',
      who: 'admin',
      about: 'Changes prices as they were previewed: at once, from an instant on, or as a sale. All of it, or nothing.',
      body: ApplyPrices,
      reply: z.object({ changed: z.number().int() }),
      async handle({ body }, context) {
        const by = { actorId: requireAdmin(context).id, now: context.clock.now() }
        return { changed: await applyPrices(context.db, { ...body, ...by }) }
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/scheduled-prices/:scheduledPriceId',
      formerPaths: ['/api/price-plans/:scheduledPriceId'],
      who: 'admin',
      about: 'Calls a planned price off, or ends a sale that runs.',
      params: ScheduledPricePath,
      reply: Done,
      async handle({ params }, context) {
        await cancelScheduledPrice(context.db, {
          ...params,
          actorId: requireAdmin(context).id,
          now: context.clock.now(),
        })
        return done
      },
    }),
  ]
}
