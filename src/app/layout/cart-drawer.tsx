import { useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import {
  clearCart,
  isCartFilled,
  removeFromCart,
  replaceCart,
  setQuantity,
  useCart,
} from '../../features/cart/cart-client.ts'
import { copy as cartCopy } from '../../features/cart/cart.copy.ts'
import { countItems, MAX_QUANTITY } from '../../features/cart/cart.ts'
import type { CartItem } from '../../features/cart/cart.schema.ts'
import { startCheckout } from '../../features/checkout/checkout-client.ts'
import { copy as checkoutCopy } from '../../features/checkout/checkout.copy.ts'
import { CheckoutChange } from '../../features/checkout/checkout.schema.ts'
import { CouponField, useCoupon, type CouponState } from '../../features/checkout/ui/coupon-field.tsx'
import { FREE_SHIPPING_ABOVE_CENTS, freeShippingHint, quote, type Quote } from '../../features/pricing/quote.ts'
import { fill } from '../../lib/failure.ts'
import { cents, formatDollars, parseDollars, type Cents } from '../../lib/money.ts'
import { paths } from '../../lib/paths.ts'
import { CallFailed } from '../../platform/api-client.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { MinusIcon, PlusIcon, TrashIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'
import { copy } from '../app.copy.ts'
import { useOnline } from '../offline/offline-client.ts'
import { useSite } from './use-site.ts'

export default function CartDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const items = useCart()
  const coupon = useCoupon(items)
  const list = useRef<HTMLDivElement>(null)
  // The button that removed the last of something is gone; the focus stays in the cart.
  const keepFocus = () => list.current?.focus()
  return (
    <Dialog title={cartCopy['cart.title']} isOpen={isOpen} onClose={onClose} place="right">
      <div ref={list} tabIndex={-1} className="flex min-h-0 flex-1 flex-col focus:outline-none">
        {items.length === 0 ? (
          <EmptyCart onClose={onClose} />
        ) : (
          <FilledCart key={String(isOpen)} items={items} coupon={coupon} onClose={onClose} onRemoved={keepFocus} />
        )}
      </div>
    </Dialog>
  )
}

function EmptyCart({ onClose }: { onClose: () => void }) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center px-8 py-16 text-center">
      <p className="text-lg font-semibold">{cartCopy['cart.empty.title']}</p>
      <p className="mt-1 text-soft">{cartCopy['cart.empty.hint']}</p>
      <ButtonLink to={`${paths.home}#courses`} look="secondary" className="mt-6" onClick={onClose}>
        {cartCopy['cart.empty.action']}
      </ButtonLink>
    </div>
  )
}

function FilledCart({
  items,
  coupon,
  onClose,
  onRemoved,
}: {
  items: readonly CartItem[]
  coupon: CouponState
  onClose: () => void
  onRemoved: () => void
}) {
  const isOnline = useOnline()
  const lines = items.map((item) => ({ courseId: item.id, unitPriceCents: priceOf(item), quantity: item.quantity }))
  const total = quote(lines, coupon.applied?.discount ?? null)
  const { isBusy, news, isOpened, handleCheckout } = useCheckout(items, total, coupon, onClose)
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto px-5">
        <div className="flex items-center justify-between pt-1">
          <p className="nums text-sm text-soft">{describeCount(countItems(items))}</p>
          <Button look="quiet" className="-mr-4" onClick={() => (clearCart(), onRemoved())}>
            {cartCopy['cart.clear']}
          </Button>
        </div>
        {news === null ? null : (
          <Notice tone="flag" title={checkoutCopy['checkout.changed.title']} className="mb-4">
            {news.map((line) => (
              <p key={line}>{line}</p>
            ))}
            <p>{checkoutCopy['checkout.changed.again']}</p>
          </Notice>
        )}
        {isOpened ? (
          <Notice tone="info" className="mb-4">
            {checkoutCopy['checkout.opened']}
          </Notice>
        ) : null}
        <ul className="divide-y divide-line border-t border-line">
          {items.map((item) => (
            <CartLine key={item.id} item={item} isBusy={isBusy} onClose={onClose} onRemoved={onRemoved} />
          ))}
        </ul>
        <CouponField coupon={coupon} items={items} />
      </div>
      <div className="border-t border-line bg-paper px-5 pt-4 pb-5">
        <FreeShipping total={total} />
        <Sums total={total} />
        {isOnline ? null : (
          <Notice tone="flag" className="mb-3">
            {copy['offline.line.payment']}
          </Notice>
        )}
        <CheckoutButton isBusy={isBusy} onCheckout={handleCheckout} onClose={onClose} />
      </div>
    </>
  )
}

function CartLine({
  item,
  isBusy,
  onClose,
  onRemoved,
}: {
  item: CartItem
  isBusy: boolean
  onClose: () => void
  onRemoved: () => void
}) {
  const lower = () => {
    setQuantity(item.id, item.quantity - 1)
    if (item.quantity === 1) onRemoved()
  }
  return (
    <li className="py-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <Link to={paths.course(item.id)} onClick={onClose} className="font-semibold break-words hover:underline">
            {item.title}
          </Link>
          <p className="nums text-sm text-soft">
            {fill(cartCopy['cart.each'], { price: formatDollars(priceOf(item)) })}
          </p>
        </div>
        <IconButton
          label={fill(cartCopy['cart.remove'], { title: item.title })}
          className="-mt-2 -mr-3 shrink-0 text-soft"
          disabled={isBusy}
          onClick={() => (removeFromCart(item.id), onRemoved())}
        >
          <TrashIcon />
        </IconButton>
      </div>
      <div className="mt-2 flex items-center justify-between gap-3">
        <div className="inline-flex items-center rounded-md border border-line-strong">
          <IconButton
            label={fill(cartCopy['cart.lower'], { title: item.title })}
            className="rounded-r-none"
            disabled={isBusy}
            onClick={lower}
          >
            <MinusIcon />
          </IconButton>
          <span className="nums min-w-10 text-center font-semibold" aria-live="polite">
            <span className="sr-only">{cartCopy['cart.quantity']} </span>
            {item.quantity}
          </span>
          <IconButton
            label={fill(cartCopy['cart.raise'], { title: item.title })}
            className="rounded-l-none"
            disabled={isBusy || item.quantity >= MAX_QUANTITY}
            onClick={() => setQuantity(item.id, item.quantity + 1)}
          >
            <PlusIcon />
          </IconButton>
        </div>
        {item.quantity > 1 ? <p className="nums">{formatDollars(cents(priceOf(item) * item.quantity))}</p> : null}
      </div>
      {item.quantity > 1 ? (
        <p className="mt-2 text-sm text-soft">
          {item.quantity === 2
            ? cartCopy['cart.seats.one']
            : fill(cartCopy['cart.seats.many'], { n: item.quantity - 1 })}
        </p>
      ) : null}
    </li>
  )
}

function FreeShipping({ total }: { total: Quote }) {
  const net = cents(total.subtotalCents - total.discountCents)
  const hint = freeShippingHint(net)
  if (hint === null) return null
  return (
    <div className="mb-4">
      <p className="text-sm text-soft">{hint}</p>
      <svg
        aria-hidden="true"
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        className="mt-2 block h-1 w-full rounded-full"
      >
        <rect width="100" height="1" className="fill-line" />
        <rect width={(net / FREE_SHIPPING_ABOVE_CENTS) * 100} height="1" className="fill-good" />
      </svg>
    </div>
  )
}

function Sums({ total }: { total: Quote }) {
  const rows: [string, string][] = [
    [cartCopy['cart.subtotal'], formatDollars(total.subtotalCents)],
    ...(total.discountCents === 0
      ? []
      : ([[checkoutCopy['order.discount'], `−${formatDollars(total.discountCents)}`]] satisfies [string, string][])),
    [cartCopy['cart.tax'], formatDollars(total.taxCents)],
    [
      cartCopy['cart.shipping'],
      total.shippingCents === 0 ? cartCopy['cart.shipping.free'] : formatDollars(total.shippingCents),
    ],
  ]
  return (
    <dl className="nums space-y-1 text-sm">
      {rows.map(([label, amount]) => (
        <div key={label} className="flex justify-between gap-4">
          <dt className="text-soft">{label}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
      <div className="flex items-baseline justify-between gap-4 border-t border-line pt-2 text-lg font-semibold">
        <dt>{cartCopy['cart.total']}</dt>
        <dd>{formatDollars(total.totalCents)}</dd>
      </div>
    </dl>
  )
}

function CheckoutButton({
  isBusy,
  onCheckout,
  onClose,
}: {
  isBusy: boolean
  onCheckout: () => void
  onClose: () => void
}) {
  const { user } = useSite()
  const { pathname, search } = useLocation()
  if (user === null)
    return (
      <div className="mt-4">
        <Button look="secondary" className="w-full" disabled aria-describedby="checkout-hint">
          {cartCopy['cart.checkout']}
        </Button>
        <p id="checkout-hint" className="mt-3 text-center text-sm text-soft">
          {cartCopy['cart.signin']}
        </p>
        <ButtonLink to={signInTo(pathname + search)} onClick={onClose} className="mt-2 w-full">
          {copy['layout.signin']}
        </ButtonLink>
      </div>
    )
  return (
    <Button className="mt-4 w-full" disabled={isBusy} aria-busy={isBusy} onClick={onCheckout}>
      {isBusy ? cartCopy['cart.busy'] : cartCopy['cart.checkout']}
    </Button>
  )
}

/** Idle or busy, and what the last press brought. */
function useCheckout(items: readonly CartItem[], total: Quote, coupon: CouponState, onClose: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [news, setNews] = useState<readonly string[] | null>(null)
  const [isOpened, setOpened] = useState(false)
  const navigate = useNavigate()

  const handleFailure = (error: unknown) => {
    if (!(error instanceof CallFailed)) {
      toast('error', checkoutCopy['checkout.failed.title'], checkoutCopy['checkout.failed.text'])
    } else if (error.status === 401) {
      toast('error', checkoutCopy['checkout.auth.title'], checkoutCopy['checkout.auth.text'])
      onClose()
      void navigate(signInTo(paths.home))
    } else if (error.problemOf('coupon') !== undefined) {
      coupon.refuse(error.message)
    } else if (error.code === 'checkout.empty') {
      toast('error', checkoutCopy['checkout.empty.title'], checkoutCopy['checkout.empty.text'])
    } else {
      const change = error.code === 'checkout.changed' ? CheckoutChange.safeParse(error.facts) : null
      if (change?.success === true) {
        setNews(describeChange(items, change.data))
        replaceCart(correct(items, change.data))
      } else
        toast('error', checkoutCopy['checkout.failed.title'], error.message || checkoutCopy['checkout.failed.text'])
    }
  }

  const handleCheckout = async () => {
    if (!isCartFilled())
      return toast('error', checkoutCopy['checkout.empty.title'], checkoutCopy['checkout.empty.text'])
    setBusy(true)
    setNews(null)
    setOpened(false)
    // Inside the click, or a popup blocker eats it. What is free has no page of the gateway to show.
    const tab = total.totalCents === 0 ? null : openTab()
    try {
      const { url } = await startCheckout(
        items.map(({ id, quantity, price, title }) => ({ id, quantity, price, title })),
        total.totalCents,
        total.discountCents === 0 ? undefined : coupon.applied?.code,
      )
      if (url === undefined || url === '') throw new CallFailed(200, noUrl)
      if (tab === null || tab.closed) location.assign(url)
      else {
        tab.location.replace(url)
        setOpened(true)
      }
    } catch (error) {
      tab?.close()
      handleFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, news, isOpened, handleCheckout: () => void handleCheckout() }
}

const noUrl = { code: 'checkout.no-url', kind: 'other', message: checkoutCopy['checkout.nourl'] } as const

function openTab(): Window | null {
  const tab = window.open('', '_blank')
  if (tab === null) return null
  // The payment page may not reach back into this one.
  tab.opener = null
  tab.document.title = cartCopy['cart.busy']
  tab.document.body.textContent = cartCopy['cart.busy']
  return tab
}

function describeChange(items: readonly CartItem[], change: CheckoutChange): string[] {
  return items.flatMap((item) => {
    if (change.gone.includes(item.id)) return fill(checkoutCopy['checkout.changed.gone'], { title: item.title })
    const line = change.lines.find(({ id }) => id === item.id)
    if (line === undefined || line.price === item.price) return []
    const price = formatDollars(parseDollars(line.price) ?? cents(0))
    return fill(checkoutCopy['checkout.changed.price'], { title: line.title, price })
  })
}

function correct(items: readonly CartItem[], change: CheckoutChange): CartItem[] {
  return items
    .filter((item) => !change.gone.includes(item.id))
    .map((item) => {
      const line = change.lines.find(({ id }) => id === item.id)
      return line === undefined ? item : { ...item, price: line.price, title: line.title, name: line.title }
    })
}

function describeCount(count: number): string {
  return count === 1 ? cartCopy['cart.count.one'] : fill(cartCopy['cart.count.many'], { n: count })
}

function priceOf(item: CartItem): Cents {
  return parseDollars(item.price) ?? cents(0)
}

function signInTo(returnPath: string): string {
  return `${paths.login}?redirect=${encodeURIComponent(returnPath)}`
}
