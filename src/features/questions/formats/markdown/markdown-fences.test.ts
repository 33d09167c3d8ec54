import { expect, test } from 'vitest'
import { withoutCode } from './markdown-fences.ts'

test('code spans and fenced code are removed, and the text around them stays', () => {
  expect(withoutCode('a `b` c ``d ` e`` f')).toBe('a   c   f')
  expect(withoutCode('a\n~~~\nb\n~~~\nc')).toBe('a\nc')
  expect(withoutCode('a ` b')).toBe('a ` b')
})
