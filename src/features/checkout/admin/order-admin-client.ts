import { clientOf } from '../../../platform/api-client.ts'
import type { orderAdminApi } from './order-admin-endpoints.server.ts'

const call = clientOf<typeof orderAdminApi>()

/** `key` is made once for each time the dialog is opened. @throws CallFailed, with a problem under `amount` */
export const refundOrder = (
  orderId: string,
  wish: { readonly amount: string | null; readonly endAccess: boolean; readonly key: string },
) => call('POST', '/api/orders/:orderId/refund', { params: { orderId }, body: wish })

export const endAccess = (orderId: string) => call('POST', '/api/orders/:orderId/end-access', { params: { orderId } })

export const resendReceipt = (orderId: string) =>
  call('POST', '/api/orders/:orderId/resend-receipt', { params: { orderId } })

export const checkOrder = (orderId: string) => call('POST', '/api/orders/:orderId/check', { params: { orderId } })

export const endPaymentIssue = (orderId: string) =>
  call('POST', '/api/orders/:orderId/payment-issue-settled', { params: { orderId } })
