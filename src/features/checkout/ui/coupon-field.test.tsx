// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CouponField, useCoupon } from './coupon-field.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const items = [{ id: 'a', title: 'A', name: 'A', description: '', price: 10, image: '', quantity: 1 }]

/** Opens a cart in a browser that stored a coupon, and resolves when the shop has replied. */
async function openCart(reply: () => Promise<Response>) {
  localStorage.setItem('coupon', 'SPRING')
  vi.stubGlobal('fetch', reply)
  function Cart() {
    return <CouponField coupon={useCoupon(items)} items={items} />
  }
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  await act(async () => root.render(<Cart />))
  await expect.poll(() => act(async () => place.querySelector('[aria-invalid=true]'))).not.toBeNull()
  onTestFinished(async () => {
    await act(async () => root.unmount())
    vi.unstubAllGlobals()
    localStorage.clear()
  })
  return place.querySelector('input')!.value
}

test('a stored coupon stays stored while the shop cannot be reached', async () => {
  expect(await openCart(() => Promise.reject(new TypeError('Failed to fetch')))).toBe('SPRING')
  expect(localStorage.getItem('coupon')).toBe('SPRING')
})

test('a coupon that the shop refuses is forgotten', async () => {
  const fields = [{ field: 'coupon', message: 'This coupon has ended.' }]
  const error = { code: 'coupon.ended', kind: 'other', message: 'This coupon has ended.', fields }
  await openCart(() => Promise.resolve(Response.json({ error }, { status: 400 })))
  expect(localStorage.getItem('coupon')).toBeNull()
})
