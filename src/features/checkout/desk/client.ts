import { call } from '../../../platform/client.ts'
import type { Checked } from './schema.ts'

type Done = { readonly done: true }

/** `key` is made once for each time the dialog is opened. @throws CallFailed, with a problem under `amount` */
export const refundOrder = (
  orderId: string,
  wish: { readonly amount: string | null; readonly endAccess: boolean; readonly key: string },
) => call<Done>('POST', `/api/orders/${orderId}/refund`, wish)

export const endAccess = (orderId: string) => call<Done>('POST', `/api/orders/${orderId}/end-access`)

export const resendReceipt = (orderId: string) => call<Done>('POST', `/api/orders/${orderId}/resend-receipt`)

export const checkOrder = (orderId: string) => call<Checked>('POST', `/api/orders/${orderId}/check`)

export const endTrouble = (orderId: string) => call<Done>('POST', `/api/orders/${orderId}/trouble-over`)
