import { clientOf } from '../../platform/api-client.ts'
import { readCouponCode } from '../pricing/quote.ts'
import type { checkoutApi } from './checkout-endpoints.server.ts'

const call = clientOf<typeof checkoutApi>()

type CartItemPayload = {
  readonly id: string
  readonly quantity: number
  readonly price: number
  readonly title: string
}

/**
 * Places an order and returns the address where it is paid. `totalCents` is the total that the buyer saw.
 * @throws CallFailed checkout.changed with a CheckoutChange as facts; coupon.* with its problem under `coupon`
 */
export const startCheckout = (items: readonly CartItemPayload[], totalCents: number, coupon?: string) =>
  call('POST', '/api/functions/create-cart-payment', {
    body: { cartItems: [...items], total: totalCents / 100, ...(coupon === undefined ? {} : { coupon }) },
  })

/** Quotes the cart with this coupon. @throws CallFailed coupon.* with its problem under `coupon` */
export const quoteCart = (items: readonly Pick<CartItemPayload, 'id' | 'quantity'>[], coupon: string) =>
  call('POST', '/api/functions/quote-cart', {
    body: { cartItems: items.map(({ id, quantity }) => ({ id, quantity })), coupon },
  })

/** The courses of an order that are still sold, at today's prices. */
export const quoteLines = (lines: readonly { readonly courseId: string; readonly quantity: number }[]) =>
  call('POST', '/api/functions/quote-cart', {
    body: { cartItems: lines.map(({ courseId, quantity }) => ({ id: courseId, quantity })) },
  })

/** The address where an unpaid order of the user is paid. @throws CallFailed checkout.changed, coupon.* */
export const payOrder = (orderId: string) => call('POST', '/api/orders/:orderId/pay', { params: { orderId } })

/** Closes an unpaid order of the user. @throws CallFailed order.processing */
export const dropOrder = (orderId: string) => call('POST', '/api/orders/:orderId/drop', { params: { orderId } })

export const verifyPayment = (query: { sessionId: string } | { orderId: string }) =>
  call('POST', '/api/functions/verify-payment', { body: query })

export const repairMyOrders = () => call('POST', '/api/functions/repair-my-orders')

export const redeemSeat = (code: string) => call('POST', '/api/seats/redeem', { body: { code } })

const COUPON_KEY = 'coupon'

/** The coupon that was last applied in this browser; it survives a reload and signing in. */
export function storedCoupon(): string | null {
  try {
    const code = localStorage.getItem(COUPON_KEY)
    // Another version may have stored something else.
    return code !== null && readCouponCode(code) !== null ? code : null
  } catch (error) {
    console.warn('The stored coupon was ignored:', error)
    return null
  }
}

export function storeCoupon(code: string | null): void {
  try {
    if (code === null) localStorage.removeItem(COUPON_KEY)
    else localStorage.setItem(COUPON_KEY, code)
  } catch (error) {
    console.warn('The coupon could not be stored:', error)
  }
}

const SEEN_KEY = 'payments_seen'
const SEEN_LIMIT = 20

/** Records an order as seen in this browser and returns whether it was new. Without storage every order is new. */
export function isNewPayment(orderId: string): boolean {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(SEEN_KEY) ?? '[]')
    const seen = Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
    if (seen.includes(orderId)) return false
    localStorage.setItem(SEEN_KEY, JSON.stringify([...seen, orderId].slice(-SEEN_LIMIT)))
  } catch (error) {
    console.warn('The payment could not be recorded as seen:', error)
  }
  return true
}
