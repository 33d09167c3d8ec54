import { expect, test } from 'vitest'
import {
  cleanName,
  EMAIL_MAX,
  isEmail,
  nameProblem,
  repeatsOwner,
  repeatsProduct,
  unmetPasswordRules,
} from './credentials.ts'

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

test('a name holds no control characters, line breaks or turned text', () => {
  for (const name of ['Ana\nBuy now', 'Ana\r\nBcc: x@y.z', 'Ana\u0007', 'Ana\u2028Roe', 'Ana \u202Eeor', 'A\u0000B'])
    expect(nameProblem(name)).toBe('Full name must not contain line breaks or control characters')
  for (const name of ['Dr. Müller', 'J. R. Smith', 'Zoë O’Neill', '李小龍', 'שלום', 'A. 100% Roe'])
    expect(nameProblem(name)).toBe(null)
})

test('a name from elsewhere is cleaned of what the rule refuses', () => {
  expect(cleanName('Ana\nRoe', 'a@b.c')).toBe('Ana Roe')
  expect(cleanName('Ana https://evil.example/x Roe', 'a@b.c')).toBe('Ana Roe')
  expect(cleanName('  J. R.  Smith ', 'a@b.c')).toBe('J. R. Smith')
  expect(cleanName('www.evil.example', 'ana.roe@b.c')).toBe('ana.roe')
  expect(cleanName('', 'www.x@b.c')).toBe('Learner')
  expect(nameProblem(cleanName('x'.repeat(5000), 'a@b.c'))).toBe(null)
})

test.each([
  ['Ada.Lovelace7@Example.com', true],
  ['ADA.lovelace7', true],
  ['Ada Lovelace!', true],
  ['AdaLovelace!', true],
  ['Ada.Lovelace8', false],
  ['Ada-Lovelace!', false],
])('whether %s repeats the address or the name of its owner', (password, expected) =>
  expect(repeatsOwner(password, { email: 'ada.lovelace7@example.com', name: 'Ada Lovelace!' })).toBe(expected),
)

test.each([
  ['Altocert2026!', true],
  ['ALTOCERT-1!a', false],
  ['Admin-Student-1!', true],
  ['Adm1n!2026', true],
  ['4dm1n1str@tor!A', false],
  ['$tudent-2026A', false],
  ['$tudent-2026', true],
  ['Admin12345!', true],
  ['Example Shop 7!', true],
  ['Example-Altocert-7!', true],
  ['Correct-Horse-7!', false],
  ['Altocert-Horse-7!', false],
  ['Ünïcode-Admin-7!', false],
  ['12345678!', false],
])('whether %s is made of the names of brand, product and roles', (password, expected) =>
  expect(repeatsProduct(password, 'Example Shop')).toBe(expected),
)
