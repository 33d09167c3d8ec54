import { expect, test } from 'vitest'
import { safeReturnPath } from './paths.ts'

test('only a path on this site is accepted as the return path after signing in', () => {
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
