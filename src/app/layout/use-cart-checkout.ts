import { useState } from 'react'
import { useNavigate } from 'react-router'
import { isCartFilled, replaceCart } from '../../features/cart/cart-client.ts'
import { copy as cartCopy } from '../../features/cart/cart.copy.ts'
import { corrected } from '../../features/cart/cart.ts'
import type { CartItem } from '../../features/cart/cart.schema.ts'
import { startCheckout } from '../../features/checkout/checkout-client.ts'
import { copy } from '../../features/checkout/checkout.copy.ts'
import { CheckoutChange } from '../../features/checkout/checkout.schema.ts'
import type { CouponState } from '../../features/checkout/ui/coupon-field.tsx'
import type { Quote } from '../../features/pricing/quote.ts'
import { fill } from '../../lib/failure.ts'
import { cents, formatDollars, parseDollars } from '../../lib/money.ts'
import { paths } from '../../lib/paths.ts'
import { CallFailed } from '../../platform/api-client.ts'
import { toast } from '../../ui/toasts.tsx'
import { useMutation } from '../../ui/use-mutation.ts'

type CartToPay = {
  readonly items: readonly CartItem[]
  readonly total: Quote
  readonly coupon: CouponState
  readonly onClose: () => void
}

/** Starts the payment in a new tab. `changes` are the sentences about prices that differ on the server. */
export function useCartCheckout({ items, total, coupon, onClose }: CartToPay) {
  const [changes, setChanges] = useState<readonly string[] | null>(null)
  const [isOpened, setOpened] = useState(false)
  const navigate = useNavigate()

  const handleFailure = (error: unknown) => {
    if (!(error instanceof CallFailed)) {
      toast('error', copy['checkout.failed.title'], copy['checkout.failed.text'])
    } else if (error.status === 401) {
      toast('error', copy['checkout.auth.title'], copy['checkout.auth.text'])
      onClose()
      void navigate(signInTo(paths.home))
    } else if (error.problemOf('coupon') !== undefined) {
      coupon.refuse(error.message)
    } else if (error.code === 'checkout.empty') {
      toast('error', copy['checkout.empty.title'], copy['checkout.empty.text'])
    } else {
      const change = error.code === 'checkout.changed' ? CheckoutChange.safeParse(error.facts) : null
      if (change?.success === true) {
        setChanges(describeChange(items, change.data))
        replaceCart(applyChange(items, change.data))
      } else toast('error', copy['checkout.failed.title'], error.message || copy['checkout.failed.text'])
    }
  }
  const send = async () => {
    // Opened during the click, or a popup blocker stops it. A free order has no payment page.
    const tab = total.totalCents === 0 ? null : openTab()
    try {
      setOpened(showPaymentPage(tab, await requestPayment(items, total, coupon)))
    } catch (error) {
      tab?.close()
      throw error
    }
  }
  const checkout = useMutation(send, { onFailure: handleFailure })
  const handleCheckout = () => {
    if (!isCartFilled()) return toast('error', copy['checkout.empty.title'], copy['checkout.empty.text'])
    setChanges(null)
    setOpened(false)
    checkout.run()
  }
  return { checkout, changes, isOpened, handleCheckout }
}

export function signInTo(returnPath: string): string {
  return `${paths.login}?redirect=${encodeURIComponent(returnPath)}`
}

const noUrl = { code: 'checkout.no-url', kind: 'other', message: copy['checkout.nourl'] } as const

/** @throws CallFailed, also when the reply has no address */
async function requestPayment(items: readonly CartItem[], total: Quote, coupon: CouponState): Promise<string> {
  const { url } = await startCheckout(
    items.map(({ id, quantity, price, title }) => ({ id, quantity, price, title })),
    total.totalCents,
    total.discountCents === 0 ? undefined : coupon.applied?.code,
  )
  if (url === undefined || url === '') throw new CallFailed(200, noUrl)
  return url
}

/** Whether the payment page opened in `tab`; otherwise it replaces this page. */
function showPaymentPage(tab: Window | null, url: string): boolean {
  if (tab === null || tab.closed) {
    location.assign(url)
    return false
  }
  tab.location.replace(url)
  return true
}

function openTab(): Window | null {
  const tab = window.open('', '_blank')
  if (tab === null) return null
  // The payment page must not be able to navigate this page.
  tab.opener = null
  tab.document.title = cartCopy['cart.busy']
  tab.document.body.textContent = cartCopy['cart.busy']
  return tab
}

function describeChange(items: readonly CartItem[], change: CheckoutChange): string[] {
  return items.flatMap((item) => {
    if (change.gone.includes(item.id)) return fill(copy['checkout.changed.gone'], { title: item.title })
    const line = change.lines.find(({ id }) => id === item.id)
    if (line === undefined || line.price === item.price) return []
    const price = formatDollars(parseDollars(line.price) ?? cents(0))
    return fill(copy['checkout.changed.price'], { title: line.title, price })
  })
}

function applyChange(items: readonly CartItem[], change: CheckoutChange): CartItem[] {
  return items
    .filter((item) => !change.gone.includes(item.id))
    .map((item) => {
      const line = change.lines.find(({ id }) => id === item.id)
      return line === undefined ? item : corrected(item, line)
    })
}
