import { clientOf } from '../../../platform/client.ts'
import type { deskApi } from './api.server.ts'

const call = clientOf<typeof deskApi>()

/** `key` is made once for each time the dialog is opened. @throws CallFailed, with a problem under `amount` */
export const refundOrder = (
  orderId: string,
  wish: { readonly amount: string | null; readonly endAccess: boolean; readonly key: string },
) => call('POST', '/api/orders/:orderId/refund', { params: { orderId }, body: wish })

export const endAccess = (orderId: string) => call('POST', '/api/orders/:orderId/end-access', { params: { orderId } })

export const resendReceipt = (orderId: string) =>
  call('POST', '/api/orders/:orderId/resend-receipt', { params: { orderId } })

export const checkOrder = (orderId: string) => call('POST', '/api/orders/:orderId/check', { params: { orderId } })

export const endTrouble = (orderId: string) =>
  call('POST', '/api/orders/:orderId/trouble-over', { params: { orderId } })
