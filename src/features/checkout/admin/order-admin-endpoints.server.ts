import { auditView } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { requireAdmin, type RequestContext } from '../../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import { fail as failCheckout, OrderPath } from '../checkout.schema.ts'
import type { CheckoutDeps } from '../orders-commands.server.ts'
import { findOrderRecord, listAdminOrders, listPaymentIssues } from './order-admin-queries.server.ts'
import { Checked, OrderFilter, RefundOrder } from './order-admin.schema.ts'
import { checkOrder, endAccess, endPaymentIssue, refundOrder, resendReceipt } from './order-admin-commands.server.ts'

/** What admins do with orders. */
export function orderAdminApi(shopOf: (context: RequestContext) => CheckoutDeps) {
  const askedBy = (context: RequestContext, orderId: string) => ({
    orderId,
    actorId: requireAdmin(context).id,
    now: context.clock.now(),
  })
  return [
    endpoint({
      method: 'POST',
      path: '/api/orders/:orderId/refund',
      who: 'admin',
      about: 'Gives back what is left of a payment, or an amount of it; with it, access may end.',
      params: OrderPath,
      body: RefundOrder,
      reply: Done,
      async handle({ params, body }, context) {
        await refundOrder(context.db, shopOf(context), { ...askedBy(context, params.orderId), wish: body })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/orders/:orderId/end-access',
      who: 'admin',
      about: 'Closes what an order opened, whatever became of its money.',
      params: OrderPath,
      reply: Done,
      async handle({ params }, context) {
        await endAccess(context.db, askedBy(context, params.orderId))
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/orders/:orderId/resend-receipt',
      who: 'admin',
      about: 'Mails the receipt again.',
      params: OrderPath,
      reply: Done,
      async handle({ params }, context) {
        await resendReceipt(context.db, shopOf(context), askedBy(context, params.orderId))
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/orders/:orderId/check',
      who: 'admin',
      about: 'Asks the gateway about an order and brings it to where the gateway says it is.',
      params: OrderPath,
      reply: Checked,
      handle: ({ params }, context) => checkOrder(context.db, shopOf(context), askedBy(context, params.orderId)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/orders/:orderId/payment-issue-settled',
      formerPaths: ['/api/orders/:orderId/trouble-over'],
      who: 'admin',
      about: 'Takes an order off the list of those that need attention.',
      params: OrderPath,
      reply: Done,
      async handle({ params }, context) {
        await endPaymentIssue(context.db, askedBy(context, params.orderId))
        return done
      },
    }),
  ]
}

/** Everybody's orders by the page; looking at them is written down. */
export const ordersLoader = pageLoader(async ({ context, url }) => {
  const admin = requireAdminForPage(context, url)
  const asked = Object.fromEntries(['search', 'state', 'after'].map((name) => [name, url.searchParams.get(name)]))
  const wanted = OrderFilter.parse(asked)
  const { search, state } = wanted
  const isFirstPage = wanted.after === null
  const isWhole = isFirstPage && search === '' && state === null
  const page = await listAdminOrders(context.db, wanted)
  const withPaymentIssue = isWhole ? await listPaymentIssues(context.db) : []
  const after = { search, state, orders: page.orders.length }
  await auditView(context, { actorId: admin.id, action: 'orders.list', table: 'orders', after })
  return { ...page, withPaymentIssue, search, state, isFirstPage }
})

export const orderRecordLoader = pageLoader(async ({ context, params, url }) => {
  const admin = requireAdminForPage(context, url)
  const path = OrderPath.safeParse(params)
  const order = path.success ? await findOrderRecord(context.db, path.data.orderId) : null
  if (order === null) throw failCheckout('order.not-found')
  await auditView(context, { actorId: admin.id, action: 'order.read', table: 'orders', id: order.id })
  return { order }
})
