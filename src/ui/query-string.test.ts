import { expect, test } from 'vitest'
import { withQuery } from './query-string.ts'

test('parameters without a value are left out of the address', () => {
  expect(withQuery('/list', { search: '', state: null, page: null })).toBe('/list')
  expect(withQuery('/list', { search: 'a b&c', state: null, page: 2 })).toBe('/list?search=a+b%26c&page=2')
})
