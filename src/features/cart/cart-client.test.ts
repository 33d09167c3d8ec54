// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { addToCart, putInCart, whenCartIsRead } from './cart-client.ts'

const course = (id: string) => ({ id, title: id, name: id, description: '', price: 15.99, image: '' })
const storedIds = () => (JSON.parse(localStorage.getItem('cart') ?? '[]') as { id: string }[]).map(({ id }) => id)

test('a page that comes back with Back shows what was put into the cart meanwhile, and does not overwrite it', async () => {
  await whenCartIsRead()
  putInCart([{ ...course('first'), quantity: 1 }])
  await expect.poll(storedIds).toEqual(['first'])
  // The browser keeps the page as it was, and tells it nothing of the storage.
  localStorage.setItem('cart', JSON.stringify(['first', 'second'].map((id) => ({ ...course(id), quantity: 1 }))))
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  addToCart(course('third'))
  await expect.poll(storedIds).toEqual(['first', 'second', 'third'])
})
