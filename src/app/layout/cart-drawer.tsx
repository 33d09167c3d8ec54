import { useRef } from 'react'
import { useLocation } from 'react-router'
import { clearCart, useCart } from '../../features/cart/cart-client.ts'
import { copy as cartCopy } from '../../features/cart/cart.copy.ts'
import { countItems } from '../../features/cart/cart.ts'
import type { CartItem } from '../../features/cart/cart.schema.ts'
import { copy as checkoutCopy } from '../../features/checkout/checkout.copy.ts'
import { CouponField, useCoupon, type CouponState } from '../../features/checkout/ui/coupon-field.tsx'
import { FREE_SHIPPING_ABOVE_CENTS, freeShippingHint, quote, type Quote } from '../../features/pricing/quote.ts'
import { cents, formatDollars } from '../../lib/money.ts'
import { paths } from '../../lib/paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Drawing } from '../../ui/drawings.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Mutation } from '../../ui/use-mutation.ts'
import { copy } from '../app.copy.ts'
import { useOnline } from '../offline/offline-client.ts'
import { PledgeLine } from '../../features/study/exam-results/ui/pledge-line.tsx'
import { CartLine, priceOf } from './cart-line.tsx'
import { signInTo, useCartCheckout } from './use-cart-checkout.ts'
import { useSite } from './use-site.ts'
import { counted } from '../../lib/text.ts'

export default function CartDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const items = useCart()
  const coupon = useCoupon(items)
  const list = useRef<HTMLDivElement>(null)
  // The pressed button disappears with its line, so the focus moves to the list.
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
      <Drawing name="cart" />
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
  const { checkout, changes, isOpened, handleCheckout } = useCartCheckout({ items, total, coupon, onClose })
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto px-5">
        <div className="flex items-center justify-between pt-1">
          <p className="nums text-sm text-soft">{describeCount(countItems(items))}</p>
          <Button look="quiet" className="-mr-4" onClick={() => (clearCart(), onRemoved())}>
            {cartCopy['cart.clear']}
          </Button>
        </div>
        {changes === null ? null : (
          <Notice tone="flag" title={checkoutCopy['checkout.changed.title']} className="mb-4">
            {changes.map((sentence) => (
              <p key={sentence}>{sentence}</p>
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
            <CartLine key={item.id} item={item} isBusy={checkout.isBusy} onClose={onClose} onRemoved={onRemoved} />
          ))}
        </ul>
        <CouponField coupon={coupon} items={items} />
      </div>
      <div className="border-t border-line bg-paper px-5 pt-4 pb-5">
        <FreeShipping total={total} />
        <Sums total={total} />
        <PledgeLine className="mt-3" onFollow={onClose} />
        {isOnline ? null : (
          <Notice tone="flag" className="mb-3">
            {copy['offline.line.payment']}
          </Notice>
        )}
        <CheckoutButton checkout={checkout} onCheckout={handleCheckout} onClose={onClose} />
      </div>
    </>
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
  checkout,
  onCheckout,
  onClose,
}: {
  checkout: Mutation<[]>
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
    <Button className="mt-4 w-full" {...checkout.button} onClick={onCheckout}>
      {checkout.isBusy ? cartCopy['cart.busy'] : cartCopy['cart.checkout']}
    </Button>
  )
}

function describeCount(count: number): string {
  return counted(count, 'item')
}
