import { actionBy, auditView } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { type RequestContext } from '../../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { pageLoader, replicaPageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import { fail as failCheckout, OrderPath } from '../checkout.schema.ts'
import type { CheckoutDeps } from '../orders-commands.server.ts'
import { findOrderRecord, listAdminOrders, listPaymentIssues } from './order-admin-queries.server.ts'
import { CheckResult, OrderFilter, RefundOrder } from './order-admin.schema.ts'
import { checkOrder, endAccess, endPaymentIssue, refundOrder, resendReceipt } from './order-admin-commands.server.ts'

type ShopOf = (context: RequestContext) => CheckoutDeps

/** The endpoints by which admins handle orders. */
export function orderAdminApi(shopOf: ShopOf) {
  return [...refundEndpoints(shopOf), ...paymentEndpoints(shopOf)]
}

/** Refunds, and the end of access. */
function refundEndpoints(shopOf: ShopOf) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/orders/:orderId/refund',
      asksOthers: true,
      who: 'admin',
      needsConfirmation: true,
      about: 'Refunds a payment in full or in part, and ends access on request.',
      params: OrderPath,
      body: RefundOrder,
      reply: Done,
      async handle({ params, body }, context) {
        await refundOrder(context.db, shopOf(context), { ...actionOf(context, params.orderId), refund: body })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/orders/:orderId/end-access',
      who: 'admin',
      needsConfirmation: true,
      about: 'Ends the access of an order, with or without a refund.',
      params: OrderPath,
      reply: Done,
      async handle({ params }, context) {
        await endAccess(context.db, actionOf(context, params.orderId))
        return done
      },
    }),
  ]
}

/** The receipt, the state at the gateway, and payment issues. */
function paymentEndpoints(shopOf: ShopOf) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/orders/:orderId/resend-receipt',
      who: 'admin',
      about: 'Sends the receipt of an order again.',
      params: OrderPath,
      reply: Done,
      async handle({ params }, context) {
        await resendReceipt(context.db, shopOf(context), actionOf(context, params.orderId))
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/orders/:orderId/check',
      asksOthers: true,
      who: 'admin',
      about: 'Asks the gateway about an order and moves it to the reported state.',
      params: OrderPath,
      reply: CheckResult,
      handle: ({ params }, context) => checkOrder(context.db, shopOf(context), actionOf(context, params.orderId)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/orders/:orderId/payment-issue-settled',
      formerPaths: ['/api/orders/:orderId/trouble-over'],
      who: 'admin',
      about: 'Marks the payment issue of an order as settled.',
      params: OrderPath,
      reply: Done,
      async handle({ params }, context) {
        await endPaymentIssue(context.db, actionOf(context, params.orderId))
        return done
      },
    }),
  ]
}

function actionOf(context: RequestContext, orderId: string) {
  return { orderId, ...actionBy(context) }
}

/** A page of all orders. Viewing it adds an audit entry. */
export const ordersLoader = replicaPageLoader(async ({ context, url }) => {
  const admin = requireAdminForPage(context, url)
  const query = Object.fromEntries(['search', 'state', 'after'].map((name) => [name, url.searchParams.get(name)]))
  const filter = OrderFilter.parse(query)
  const { search, state } = filter
  const isFirstPage = filter.after === null
  const isUnfiltered = isFirstPage && search === '' && state === null
  const page = await listAdminOrders(context.reads, filter)
  const withPaymentIssue = isUnfiltered ? await listPaymentIssues(context.reads) : []
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
