import type { CartItem } from './cart.schema.ts'

/** One order holds at most this many of a course. */
export const MAX_QUANTITY = 100

export type CartChange = 'new' | 'updated' | 'removed' | 'cleared' | 'unchanged'

/** Adds a course, or raises its quantity by one (promise 4.1). */
export function withItem(
  items: readonly CartItem[],
  item: Omit<CartItem, 'quantity'>,
): { items: readonly CartItem[]; change: CartChange } {
  const known = items.find(({ id }) => id === item.id)
  if (known === undefined) return { items: [...items, { ...item, quantity: 1 }], change: 'new' }
  return withQuantity(items, item.id, known.quantity + 1)
}

/** A quantity of zero or less removes the item (promise 4.1). */
export function withQuantity(
  items: readonly CartItem[],
  id: string,
  quantity: number,
): { items: readonly CartItem[]; change: CartChange } {
  if (!items.some((item) => item.id === id)) return { items, change: 'unchanged' }
  if (quantity <= 0) return { items: items.filter((item) => item.id !== id), change: 'removed' }
  const limited = Math.min(MAX_QUANTITY, Math.floor(quantity))
  return { items: items.map((item) => (item.id === id ? { ...item, quantity: limited } : item)), change: 'updated' }
}

/** The items that a payment does not cover: one unit more of a course than was paid stays. */
export function withoutPaid(
  items: readonly CartItem[],
  paid: readonly { readonly courseId: string; readonly quantity: number }[],
): readonly CartItem[] {
  return items.flatMap((item) => {
    const bought = paid.find(({ courseId }) => courseId === item.id)?.quantity ?? 0
    return item.quantity > bought ? [{ ...item, quantity: item.quantity - bought }] : []
  })
}

export function countItems(items: readonly CartItem[]): number {
  return items.reduce((total, item) => total + item.quantity, 0)
}

/** An item with the title and price of today. The former price goes with the price that it stood beside. */
export function corrected({ was, ...item }: CartItem, { title, price }: Pick<CartItem, 'title' | 'price'>): CartItem {
  const former = price === item.price && was !== undefined ? { was } : {}
  return { ...item, ...former, price, title, name: title }
}
