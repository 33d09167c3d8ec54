import { expect, test } from 'vitest'
import { cacheablePage } from './cacheable-pages.ts'

const pageAt = (address: string) => cacheablePage(new URL(address, 'http://shop.test'))
const kindOf = (address: string) => {
  const page = pageAt(address)
  return [address, page === null ? 'none' : page.isVariant ? 'variant' : 'page']
}

test('pages that all guests get alike are cached, and no address that anyone can invent takes the place of another', () => {
  for (const address of ['/', '/?page=2', '/_root.data', '/course/a', '/course/a?mode=preview', '/login', '/register'])
    expect(kindOf(address)).toEqual([address, 'page'])
  for (const address of ['/forgot-password', '/api/docs']) expect(kindOf(address)).toEqual([address, 'page'])
  for (const address of ['/login?redirect=%2Fmy-courses', '/register?redirect=/course/a'])
    expect(kindOf(address)).toEqual([address, 'variant'])
  for (const address of [
    '/?search=a',
    '/?page=0',
    '/course/a?x=1',
    '/course/a/exam/b',
    '/login?next=a',
    '/login?redirect=%2Fa&x=1',
    `/login?redirect=${'a'.repeat(300)}`,
    '/register?x',
    '/my-courses',
    '/reset-password?token=a',
    '/constructor',
    '/no-such-page',
  ])
    expect(kindOf(address)).toEqual([address, 'none'])
})

test('a browser with a cookie that the login page reads gets a login page of its own', () => {
  for (const address of ['/login', '/login?redirect=%2F'])
    expect(pageAt(address)?.unlessCookies).toEqual(['altocert_closed', 'altocert_second_step'])
})
