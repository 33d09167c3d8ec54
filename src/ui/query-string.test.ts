import { expect, test } from 'vitest'
import { withQuery } from './query-string.ts'

test('a path takes of a query what is there', () => {
  expect(withQuery('/list', { search: '', state: null, page: null })).toBe('/list')
  expect(withQuery('/list', { search: 'a b&c', state: null, page: 2 })).toBe('/list?search=a+b%26c&page=2')
})
