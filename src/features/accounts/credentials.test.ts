import { expect, test } from 'vitest'
import { EMAIL_MAX, isEmail, unmetPasswordRules } from './credentials.ts'

test('an address has the form x@y.z, no spaces, and at most 320 characters', () => {
  for (const good of ['a@b.c', 'ü@ö.de', "o'brien+tag@mail.example.com"]) expect(isEmail(good)).toBe(true)
  for (const bad of ['', 'a', 'a@b', '@b.c', 'a@.c ', 'a b@c.d', 'a@@b.c']) expect(isEmail(bad)).toBe(false)
  const ofLength = (length: number) => `${'x'.repeat(length - 6)}@ab.cd`
  expect(isEmail(ofLength(EMAIL_MAX))).toBe(true)
  expect(isEmail(ofLength(EMAIL_MAX + 1))).toBe(false)
})

test('the unmet rules of a password are listed in the order of the copy sheet', () => {
  expect(unmetPasswordRules('').map(({ item }) => item)).toEqual([
    'At least 8 characters',
    'One uppercase letter',
    'One lowercase letter',
    'One number',
    'One special character',
  ])
  expect(unmetPasswordRules('Abcdef1')).toHaveLength(2)
  expect(unmetPasswordRules('Abcdef1!')).toEqual([])
  expect(unmetPasswordRules('Abcdef1-').map(({ item }) => item)).toEqual(['One special character'])
})
