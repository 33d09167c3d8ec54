import { useSyncExternalStore } from 'react'
import { toast } from '../../ui/toasts.tsx'
import { copy } from './cart.copy.ts'
import { withItem, withoutPaid, withQuantity, type CartChange } from './cart.ts'
import type { CartItem } from './cart.schema.ts'

/** The key in local storage. */
const KEY = 'cart'
const empty: readonly CartItem[] = []

let items: readonly CartItem[] = empty
let firstRead: Promise<void> | null = null
/** Whether the storage holds the cart that this page shows; false when it is full or blocked. */
let isStored = false
const listeners = new Set<() => void>()

const toasts: Record<Exclude<CartChange, 'unchanged'>, readonly [string, string]> = {
  new: [copy['cart.new.title'], copy['cart.new.text']],
  updated: [copy['cart.updated.title'], copy['cart.updated.text']],
  removed: [copy['cart.removed.title'], copy['cart.removed.text']],
  cleared: [copy['cart.cleared.title'], copy['cart.cleared.text']],
}

/** The cart, the same in every component and in every tab. */
export function useCart(): readonly CartItem[] {
  return useSyncExternalStore(
    subscribe,
    () => items,
    () => empty,
  )
}

/** Adds a course, or one more of it. `toastWhenNew` replaces the cart's own toast for a new course: one toast per action. */
export function addToCart(item: Omit<CartItem, 'quantity'>, toastWhenNew?: readonly [string, string]): void {
  change((now) => {
    const next = withItem(now, item)
    apply(next.items, next.change, next.change === 'new' ? toastWhenNew : undefined)
  })
}

/** Sets a quantity; 0 removes the item. Lowering shows no toast, because the number changes visibly. */
export function setQuantity(id: string, quantity: number): void {
  change((now) => {
    const before = now.find((item) => item.id === id)?.quantity ?? 0
    const next = withQuantity(now, id, quantity)
    apply(next.items, quantity > before || next.change === 'removed' ? next.change : 'unchanged')
  })
}

export function removeFromCart(id: string): void {
  setQuantity(id, 0)
}

export function clearCart(): void {
  change((now) => {
    if (now.length > 0) apply(empty, 'cleared')
  })
}

/** Takes what was paid out of the cart, without a toast; an empty cart leaves the storage too. */
export function takeOutAfterPayment(paid: readonly { readonly courseId: string; readonly quantity: number }[]): void {
  change((now) => {
    const left = withoutPaid(now, paid)
    apply(left, 'unchanged')
    if (left.length > 0) return
    try {
      localStorage.removeItem(KEY)
    } catch (error) {
      warn(error)
    }
  })
}

/**
 * Whether the cart has items. A frozen page misses the storage events of a payment in another tab or of cleared browser data, so this
 * checks the storage and corrects the cart.
 */
export function isCartFilled(): boolean {
  try {
    if (isStored && localStorage.getItem(KEY) === null) show(empty)
  } catch (error) {
    warn(error)
  }
  return items.length > 0
}

/** Replaces the cart by the server's corrections (prices, deleted courses), without a toast: the calling page reports them. */
export function replaceCart(next: readonly CartItem[]): void {
  change(() => apply(next, 'unchanged'))
}

/** Puts items into the cart with their quantities, in place of those of the same courses. The calling page says so. */
export function putInCart(added: readonly CartItem[]): void {
  change((now) => apply([...now.filter(({ id }) => !added.some((item) => item.id === id)), ...added], 'unchanged'))
}

/** Waits until the stored cart was read, or a quick click would overwrite it. */
function change(make: (now: readonly CartItem[]) => void) {
  void whenCartIsRead().then(() => make(items))
}

function apply(next: readonly CartItem[], change: CartChange, words?: readonly [string, string]) {
  items = next
  try {
    localStorage.setItem(KEY, JSON.stringify(items))
    isStored = true
  } catch (error) {
    isStored = false
    // The storage is full or blocked. The cart works within this page.
    warn(error)
  }
  for (const listener of listeners) listener()
  if (change !== 'unchanged') toast('success', ...(words ?? toasts[change]))
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  void whenCartIsRead()
  return () => {
    listeners.delete(listener)
  }
}

/** Resolves once the stored cart is known; changes wait for it. */
export function whenCartIsRead(): Promise<void> {
  if (firstRead === null) {
    firstRead = readStored()
    // Another tab changed the cart.
    addEventListener('storage', (event) => {
      if (event.key === KEY || event.key === null) void readStored()
    })
    // The page comes back with Back: the browser did not tell it what other pages put into the cart meanwhile.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted && (isStored || items.length === 0)) firstRead = readStored()
    })
  }
  return firstRead
}

/** Reads the stored cart; an invalid one is ignored and logged. The schema is loaded only when a cart is stored. */
async function readStored() {
  let text: string | null = null
  try {
    text = localStorage.getItem(KEY)
  } catch (error) {
    warn(error)
  }
  if (text === null) {
    if (items.length > 0) show(empty)
    return
  }
  try {
    const { StoredCart } = await import('./cart.schema.ts')
    show(StoredCart.parse(JSON.parse(text)))
    isStored = true
  } catch (error) {
    warn(error)
    show(empty)
  }
}

function show(next: readonly CartItem[]) {
  items = next
  for (const listener of listeners) listener()
}

function warn(error: unknown) {
  console.warn('The stored cart was ignored:', error)
}
