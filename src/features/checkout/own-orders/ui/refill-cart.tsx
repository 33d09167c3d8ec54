import { messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { putInCart } from '../../../cart/cart-client.ts'
import { quoteLines, storeCoupon } from '../../checkout-client.ts'
import { copy } from '../../checkout.copy.ts'
import type { OrderView } from '../../checkout.schema.ts'

/** Puts the courses of an unpaid order into the cart, at today's prices, with their seats and coupon. */
export function RefillCart({ order }: { order: Pick<OrderView, 'lines' | 'couponCode'> }) {
  const refill = useMutation(() => quoteLines(order.lines), {
    onSuccess({ lines }) {
      if (lines.length === 0) return toast('error', copy['order.refill'], copy['order.refill.none'])
      putInCart(
        lines.map(({ id, title, price }) => {
          const ordered = order.lines.find(({ courseId }) => courseId === id)
          const { courseSlug: slug, quantity = 1 } = ordered ?? {}
          return { id, slug, title, name: title, price, quantity, image: '' }
        }),
      )
      if (order.couponCode !== null) storeCoupon(order.couponCode)
      toast('success', copy['order.refilled'], copy['order.refilled.text'])
    },
    onFailure: (error) => toast('error', copy['order.refill'], messageOf(error)),
  })
  return (
    <Button {...refill.button} onClick={() => refill.run()}>
      {copy['order.refill']}
    </Button>
  )
}
