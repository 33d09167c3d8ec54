import { expect, test } from 'vitest'
import { isPageInstant, pageOf } from './paging.ts'

test('a page has a cursor for the next page only when there are more rows', () => {
  expect(pageOf(['a', 'b', 'c'], 2)).toEqual({ page: ['a', 'b'], last: 'b' })
  expect(pageOf(['a', 'b'], 2)).toEqual({ page: ['a', 'b'], last: null })
  expect(pageOf([], 2)).toEqual({ page: [], last: null })
})

test('only an existing instant in the format of the lists is accepted as a cursor', () => {
  const written = ['2026-11-22T14:00:00.123456Z', '2026-11-22T14:00:00.123Z', '2028-02-29T00:00:00.000000Z']
  const others = [
    '2026-02-31T00:00:00.000000Z',
    '2026-01-01T25:00:00.000000Z',
    '0000-01-01T00:00:00.000000Z',
    '2026-11-22',
    '5',
    '',
    'infinity',
  ]
  expect([...written, ...others].filter(isPageInstant)).toEqual(written)
})
