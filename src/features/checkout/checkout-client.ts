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
 * Where to pay this cart; `totalCents` is what the buyer saw.
 * @throws CallFailed checkout.changed with a CheckoutChange as facts; coupon.* with its problem under `coupon`
 */
export const startCheckout = (items: readonly CartItemPayload[], totalCents: number, coupon?: string) =>
  call('POST', '/api/functions/create-cart-payment', {
    body: { cartItems: [...items], total: totalCents / 100, ...(coupon === undefined ? {} : { coupon }) },
  })

/** What the cart costs with this coupon. @throws CallFailed coupon.* with its problem under `coupon` */
export const quoteCart = (items: readonly Pick<CartItemPayload, 'id' | 'quantity'>[], coupon: string) =>
  call('POST', '/api/functions/quote-cart', {
    body: { cartItems: items.map(({ id, quantity }) => ({ id, quantity })), coupon },
  })

export const verifyPayment = (asked: { sessionId: string } | { orderId: string }) =>
  call('POST', '/api/functions/verify-payment', { body: asked })

export const repairMyOrders = () => call('POST', '/api/functions/repair-my-orders')

export const redeemSeat = (code: string) => call('POST', '/api/seats/redeem', { body: { code } })

const COUPON_KEY = 'coupon'

/** The coupon that was last applied in this browser: it outlives signing in and a reload. */
export function storedCoupon(): string | null {
  try {
    const kept = localStorage.getItem(COUPON_KEY)
    // Anything else is another version's.
    return kept !== null && readCouponCode(kept) !== null ? kept : null
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
    console.warn('The coupon could not be kept:', error)
  }
}

const SEEN_KEY = 'payments_seen'
const SEEN_KEPT = 20

/** Whether this browser has not celebrated this order yet; from now on it has. Without storage every look is the first. */
export function isNewPayment(orderId: string): boolean {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(SEEN_KEY) ?? '[]')
    const seen = Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []
    if (seen.includes(orderId)) return false
    localStorage.setItem(SEEN_KEY, JSON.stringify([...seen, orderId].slice(-SEEN_KEPT)))
  } catch (error) {
    console.warn('The payment could not be remembered:', error)
  }
  return true
}
