import { expect, test } from 'vitest'
import { changesOf } from './rules.ts'

test('only what differs is shown, by the path of the field', () => {
  expect(changesOf({ price: '19.99', title: 'Same' }, { price: '24.99', title: 'Same' })).toEqual([
    { field: 'price', before: '19.99', after: '24.99' },
  ])
  expect(changesOf({ a: { b: 1, c: true } }, { a: { b: 1, c: false, d: 'new' } })).toEqual([
    { field: 'a.c', before: 'yes', after: 'no' },
    { field: 'a.d', before: undefined, after: 'new' },
  ])
})

test('lists of values are one value, and lists of things go by their places', () => {
  expect(changesOf({ ids: ['a', 'b'] }, { ids: ['a'] })).toEqual([{ field: 'ids', before: 'a, b', after: 'a' }])
  expect(changesOf({ lines: [{ n: 1 }] }, { lines: [{ n: 2 }] })).toEqual([
    { field: 'lines.0.n', before: '1', after: '2' },
  ])
})

test('something new has no before, and something that went has no after', () => {
  expect(changesOf(null, { code: 'SPRING' })).toEqual([{ field: 'code', before: undefined, after: 'SPRING' }])
  expect(changesOf({ reason: 'spam' }, null)).toEqual([{ field: 'reason', before: 'spam', after: undefined }])
  expect(changesOf(null, null)).toEqual([])
  expect(changesOf({ endsAt: null }, { endsAt: null })).toEqual([])
  expect(changesOf(null, { endsAt: null })).toEqual([])
  expect(changesOf({ reason: null }, { reason: 'spam' })).toEqual([
    { field: 'reason', before: undefined, after: 'spam' },
  ])
})
