import { Link } from 'react-router'
import { removeFromCart, setQuantity } from '../../features/cart/cart-client.ts'
import { copy } from '../../features/cart/cart.copy.ts'
import { FormerPrice } from '../../features/catalogue/ui/course-price.tsx'
import { MAX_QUANTITY } from '../../features/cart/cart.ts'
import type { CartItem } from '../../features/cart/cart.schema.ts'
import { fill } from '../../lib/failure.ts'
import { cents, formatDollars, parseDollars, type Cents } from '../../lib/money.ts'
import { paths } from '../../lib/paths.ts'
import { IconButton } from '../../ui/button.tsx'
import { MinusIcon, PlusIcon, TrashIcon } from '../../ui/icons.tsx'

/** A course in the cart, with its quantity. */
export function CartLine({
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
  return (
    <li className="py-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <Link
            to={paths.course(item.slug ?? item.id)}
            onClick={onClose}
            className="font-semibold break-words hover:underline"
          >
            {item.title}
          </Link>
          <p className="nums text-sm text-soft">
            <FormerPrice cents={item.was === undefined ? null : parseDollars(item.was)} />
            {fill(copy['cart.each'], { price: formatDollars(priceOf(item)) })}
          </p>
        </div>
        <IconButton
          label={fill(copy['cart.remove'], { title: item.title })}
          className="-mt-2 -mr-3 shrink-0 text-soft"
          disabled={isBusy}
          onClick={() => (removeFromCart(item.id), onRemoved())}
        >
          <TrashIcon />
        </IconButton>
      </div>
      <div className="mt-2 flex items-center justify-between gap-3">
        <QuantityStepper item={item} isBusy={isBusy} onRemoved={onRemoved} />
        {item.quantity > 1 ? <p className="nums">{formatDollars(cents(priceOf(item) * item.quantity))}</p> : null}
      </div>
      {item.quantity > 1 ? (
        <p className="mt-2 text-sm text-soft">{fill(copy['cart.seats'], { n: item.quantity - 1 })}</p>
      ) : null}
    </li>
  )
}

function QuantityStepper({ item, isBusy, onRemoved }: { item: CartItem; isBusy: boolean; onRemoved: () => void }) {
  const handleLower = () => {
    setQuantity(item.id, item.quantity - 1)
    if (item.quantity === 1) onRemoved()
  }
  return (
    <div className="inline-flex items-center rounded-md border border-line-strong">
      <IconButton
        label={fill(copy['cart.lower'], { title: item.title })}
        className="rounded-r-none"
        disabled={isBusy}
        onClick={handleLower}
      >
        <MinusIcon />
      </IconButton>
      <span className="nums min-w-10 text-center font-semibold" aria-live="polite">
        <span className="sr-only">{copy['cart.quantity']} </span>
        {item.quantity}
      </span>
      <IconButton
        label={fill(copy['cart.raise'], { title: item.title })}
        className="rounded-l-none"
        disabled={isBusy || item.quantity >= MAX_QUANTITY}
        onClick={() => setQuantity(item.id, item.quantity + 1)}
      >
        <PlusIcon />
      </IconButton>
    </div>
  )
}

export function priceOf(item: CartItem): Cents {
  return parseDollars(item.price) ?? cents(0)
}
