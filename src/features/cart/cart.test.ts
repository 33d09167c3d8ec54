import { expect, test } from 'vitest'
import { countItems, MAX_QUANTITY, withItem, withQuantity } from './cart.ts'

const course = (id: string) => ({ id, title: id, name: id, price: 19.99, image: '' })

test('adding a course twice raises its quantity', () => {
  const first = withItem([], course('a'))
  expect(first).toMatchObject({ change: 'new', items: [{ id: 'a', quantity: 1 }] })
  const second = withItem(first.items, course('a'))
  expect(second).toMatchObject({ change: 'updated', items: [{ id: 'a', quantity: 2 }] })
  expect(countItems(withItem(second.items, course('b')).items)).toBe(3)
})

test('zero or less removes the item, and a quantity has an upper bound', () => {
  const { items } = withItem([], course('a'))
  expect(withQuantity(items, 'a', 0)).toEqual({ items: [], change: 'removed' })
  expect(withQuantity(items, 'a', -1)).toEqual({ items: [], change: 'removed' })
  expect(withQuantity(items, 'a', 1e9).items[0]?.quantity).toBe(MAX_QUANTITY)
  expect(withQuantity(items, 'x', 3).change).toBe('unchanged')
})
