import { expect, test } from 'vitest'
import { pageOf } from './paging.ts'

test('a page says where the next one goes on only where more comes after it', () => {
  expect(pageOf(['a', 'b', 'c'], 2)).toEqual({ page: ['a', 'b'], last: 'b' })
  expect(pageOf(['a', 'b'], 2)).toEqual({ page: ['a', 'b'], last: null })
  expect(pageOf([], 2)).toEqual({ page: [], last: null })
})
