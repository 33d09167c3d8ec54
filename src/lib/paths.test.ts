import { expect, test } from 'vitest'
import { safeReturnPath } from './paths.ts'

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
