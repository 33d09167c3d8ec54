import { clientOf } from '../../../platform/api-client.ts'
import type { orderAdminApi } from './order-admin-endpoints.server.ts'

const call = clientOf<typeof orderAdminApi>()

/** `key` is unique for each opening of the dialog. @throws CallFailed, with a problem under `amount` */
export const refundOrder = (
  orderId: string,
  refund: { readonly amount: string | null; readonly endAccess: boolean; readonly key: string },
) => call('POST', '/api/orders/:orderId/refund', { params: { orderId }, body: refund })

export const endAccess = (orderId: string) => call('POST', '/api/orders/:orderId/end-access', { params: { orderId } })

export const resendReceipt = (orderId: string) =>
  call('POST', '/api/orders/:orderId/resend-receipt', { params: { orderId } })

export const checkOrder = (orderId: string) => call('POST', '/api/orders/:orderId/check', { params: { orderId } })

export const endPaymentIssue = (orderId: string) =>
  call('POST', '/api/orders/:orderId/payment-issue-settled', { params: { orderId } })
