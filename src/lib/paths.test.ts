import { expect, test } from 'vitest'
import { safeReturnPath } from './paths.ts'

test('only a path on this site is accepted as the return path after signing in', () => {
  for (const value of ['/my-courses?x=1#y', '/search?q=https://a']) expect(safeReturnPath(value)).toBe(value)
  for (const value of [
    null,
    undefined,
    '',
    'my-courses',
    '//evil.example',
    '/.//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/a\nb',
    'javascript:alert(1)',
  ])
    expect(safeReturnPath(value)).toBe('/')
})
