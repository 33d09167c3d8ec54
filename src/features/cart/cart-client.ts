import { useSyncExternalStore } from 'react'
import { toast } from '../../ui/toasts.tsx'
import { copy } from './cart.copy.ts'
import { withItem, withQuantity, type CartChange } from './cart.ts'
import type { CartItem } from './cart.schema.ts'

/** Spec 3: the cart's key in local storage. */
const KEY = 'cart'
const empty: readonly CartItem[] = []

let items: readonly CartItem[] = empty
let firstRead: Promise<void> | null = null
/** Whether the storage has what this page shows: it may be full or blocked. */
let isStored = false
const listeners = new Set<() => void>()

const said: Record<Exclude<CartChange, 'unchanged'>, readonly [string, string]> = {
  new: [copy['cart.new.title'], copy['cart.new.text']],
  updated: [copy['cart.updated.title'], copy['cart.updated.text']],
  removed: [copy['cart.removed.title'], copy['cart.removed.text']],
  cleared: [copy['cart.cleared.title'], copy['cart.cleared.text']],
}

/** The cart as it is now, the same in every part of the page and in every tab. */
export function useCart(): readonly CartItem[] {
  return useSyncExternalStore(
    subscribe,
    () => items,
    () => empty,
  )
}

/** Adds one. The card's own toast stands in for the cart's when the course is new: one toast an action. */
export function addToCart(item: Omit<CartItem, 'quantity'>, toastWhenNew?: readonly [string, string]): void {
  change((now) => {
    const next = withItem(now, item)
    apply(next.items, next.change, next.change === 'new' ? toastWhenNew : undefined)
  })
}

/** Raises or lowers a quantity; a lowered one says nothing, because the number changes in sight. */
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

/** After a payment: empties the cart and the storage without a word. */
export function clearCartAfterPayment(): void {
  change(() => {
    apply(empty, 'unchanged')
    try {
      localStorage.removeItem(KEY)
    } catch (error) {
      warn(error)
    }
  })
}

/**
 * Whether there is anything left to buy. A page that slept did not hear that the cart was paid in another tab, or that the
 * browser's data was cleared; what is shown is put right.
 */
export function isCartFilled(): boolean {
  try {
    if (isStored && localStorage.getItem(KEY) === null) show(empty)
  } catch (error) {
    warn(error)
  }
  return items.length > 0
}

/** Takes over what the server corrected (prices, courses that are gone), without a toast: the page that asked says it. */
export function replaceCart(next: readonly CartItem[]): void {
  change(() => apply(next, 'unchanged'))
}

/** Nothing is changed before the stored cart is read, or a quick click would write over it. */
function change(make: (now: readonly CartItem[]) => void) {
  void whenRead().then(() => make(items))
}

function apply(next: readonly CartItem[], change: CartChange, words?: readonly [string, string]) {
  items = next
  try {
    localStorage.setItem(KEY, JSON.stringify(items))
    isStored = true
  } catch (error) {
    isStored = false
    // Outside: storage is full or blocked. The cart lives on in this page.
    warn(error)
  }
  for (const listener of listeners) listener()
  if (change !== 'unchanged') toast('success', ...(words ?? said[change]))
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  void whenRead()
  return () => {
    listeners.delete(listener)
  }
}

function whenRead(): Promise<void> {
  if (firstRead === null) {
    firstRead = readStored()
    // Outside: another tab changed the cart.
    addEventListener('storage', (event) => {
      if (event.key === KEY || event.key === null) void readStored()
    })
  }
  return firstRead
}

/** Reads what is stored; an unreadable value is ignored and logged. The schema is loaded only when there is something to read. */
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
