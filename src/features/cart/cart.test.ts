import { expect, test } from 'vitest'
import { countItems, MAX_QUANTITY, withItem, withoutPaid, withQuantity } from './cart.ts'

const course = (id: string) => ({ id, title: id, name: id, price: 19.99, image: '' })

test('adding a course twice raises its quantity', () => {
  const first = withItem([], course('a'))
  expect(first).toMatchObject({ change: 'new', items: [{ id: 'a', quantity: 1 }] })
  const second = withItem(first.items, course('a'))
  expect(second).toMatchObject({ change: 'updated', items: [{ id: 'a', quantity: 2 }] })
  expect(countItems(withItem(second.items, course('b')).items)).toBe(3)
})

test('a payment takes out what it paid, and nothing that was added since', () => {
  const items = [
    { ...course('a'), quantity: 2 },
    { ...course('b'), quantity: 1 },
    { ...course('c'), quantity: 3 },
  ]
  const paid = [
    { courseId: 'a', quantity: 2 },
    { courseId: 'c', quantity: 1 },
  ]
  expect(withoutPaid(items, paid)).toEqual([items[1], { ...items[2], quantity: 2 }])
})

test('zero or less removes the item, and a quantity has an upper bound', () => {
  const { items } = withItem([], course('a'))
  expect(withQuantity(items, 'a', 0)).toEqual({ items: [], change: 'removed' })
  expect(withQuantity(items, 'a', -1)).toEqual({ items: [], change: 'removed' })
  expect(withQuantity(items, 'a', 1e9).items[0]?.quantity).toBe(MAX_QUANTITY)
  expect(withQuantity(items, 'x', 3).change).toBe('unchanged')
})
