import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { StoredCart, type CartItem } from '../../features/cart/cart.schema.ts'
import { corrected } from '../../features/cart/cart.ts'
import { CartLine } from './cart-line.tsx'

const item: CartItem = { id: 'c', title: 'A course', name: 'A course', price: 9.99, was: 19.99, quantity: 1, image: '' }

const textOf = (line: CartItem) =>
  renderToString(
    <MemoryRouter>
      <CartLine item={line} isBusy={false} onClose={() => {}} onRemoved={() => {}} />
    </MemoryRouter>,
  )

test('in the cart a sale price stands beside the former price, struck through, with words for screen readers', () => {
  const html = textOf(item)
  expect(html).toMatch(/<del[^>]*>\$19\.99<\/del>/)
  expect(html.replaceAll(/<[^>]*>/g, '')).toContain('Lowest price of the last 30 days: $19.99Now: $9.99 each')
  const { was: _, ...full } = item
  expect(textOf(full)).not.toContain('<del')
})

test('a price that changed since takes the former price with it', () => {
  expect(corrected(item, { title: 'New', price: 9.99 })).toEqual({ ...item, title: 'New', name: 'New' })
  expect(corrected(item, { title: 'New', price: 14.99 })).not.toHaveProperty('was')
})

test('carts stored without a former price, or with a damaged one, stay', () => {
  const { was: _, ...full } = item
  for (const stored of [full, { ...full, was: 'much' }, { ...full, was: -3 }])
    expect(StoredCart.parse([stored])).toEqual([{ ...full, was: undefined }])
})
