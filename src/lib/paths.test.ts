import { expect, test } from 'vitest'
import { safeReturnPath, withQuery } from './paths.ts'

test('after signing in only a path on this site is followed', () => {
  expect(safeReturnPath('/my-courses?x=1#y')).toBe('/my-courses?x=1#y')
  for (const value of [
    null,
    undefined,
    '',
    'my-courses',
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/a\nb',
    'javascript:alert(1)',
  ])
    expect(safeReturnPath(value)).toBe('/')
})

test('a path takes of a query what is there', () => {
  expect(withQuery('/list', { search: '', state: null, page: null })).toBe('/list')
  expect(withQuery('/list', { search: 'a b&c', state: null, page: 2 })).toBe('/list?search=a+b%26c&page=2')
})
