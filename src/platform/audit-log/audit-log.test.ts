import { expect, test } from 'vitest'
import { changesOf, nameOf, textOf } from './audit-log.ts'

test('only fields that differ are shown, by their paths', () => {
  expect(changesOf({ price: '19.99', title: 'Same' }, { price: '24.99', title: 'Same' })).toEqual([
    { field: 'price', before: '19.99', after: '24.99' },
  ])
  expect(changesOf({ a: { b: 1, c: true } }, { a: { b: 1, c: false, d: 'new' } })).toEqual([
    { field: 'a.c', before: 'yes', after: 'no' },
    { field: 'a.d', before: undefined, after: 'new' },
  ])
})

test('a list of values is one value, and items of a list of objects are numbered', () => {
  expect(changesOf({ ids: ['a', 'b'] }, { ids: ['a'] })).toEqual([{ field: 'ids', before: 'a, b', after: 'a' }])
  expect(changesOf({ lines: [{ n: 1 }] }, { lines: [{ n: 2 }] })).toEqual([
    { field: 'lines.0.n', before: '1', after: '2' },
  ])
})

test('a new field has no value before, and a removed field has none after', () => {
  expect(changesOf(null, { code: 'SPRING' })).toEqual([{ field: 'code', before: undefined, after: 'SPRING' }])
  expect(changesOf({ reason: 'spam' }, null)).toEqual([{ field: 'reason', before: 'spam', after: undefined }])
  expect(changesOf(null, null)).toEqual([])
  expect(changesOf({ endsAt: null }, { endsAt: null })).toEqual([])
  expect(changesOf(null, { endsAt: null })).toEqual([])
  expect(changesOf({ reason: null }, { reason: 'spam' })).toEqual([
    { field: 'reason', before: undefined, after: 'spam' },
  ])
})

test('fields are named in words, amounts and dates are formatted as elsewhere, and of an id its beginning is shown', () => {
  expect(['startsAt', 'created_at', 'amountCents', 'questions.0.needs_review'].map(nameOf)).toEqual([
    'starts at',
    'created at',
    'amount',
    'questions.0.needs review',
  ])
  expect(textOf({ field: 'amountCents', value: '4298' })).toBe('$42.98')
  expect(textOf({ field: 'price', value: '29.99' })).toBe('$29.99')
  expect(textOf({ field: 'days', value: '14' })).toBe('14')
  expect(
    textOf({ field: 'courseIds', value: 'a285726f-0f03-4fc1-bac8-b2907dc898c4, 44f21a60-a341-4b7c-8cc0-56931d6a76b3' }),
  ).toBe('a285726f, 44f21a60')
  expect(textOf({ field: 'endsAt', value: '2026-12-01T14:00:00.000Z' })).toBe('1 Dec 2026, 14:00 UTC')
  expect(textOf({ field: 'note', value: '' })).toBe('(empty)')
  expect(textOf({ field: 'stem', value: 'x'.repeat(601) })).toHaveLength(601)
})
