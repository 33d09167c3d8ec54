import { expect, test } from 'vitest'
import { after, MINUTE_MS } from '../../lib/time.ts'
import { afterFailure, EMAIL_MAX, isEmail, isWithinRate, signInGate, unmetPasswordRules } from './rules.ts'

const now = new Date('2026-11-21T12:00:00Z')

test('an address has the form x@y.z, no spaces, and at most 320 characters', () => {
  for (const good of ['a@b.c', 'ü@ö.de', "o'brien+tag@mail.example.com"]) expect(isEmail(good)).toBe(true)
  for (const bad of ['', 'a', 'a@b', '@b.c', 'a@.c ', 'a b@c.d', 'a@@b.c']) expect(isEmail(bad)).toBe(false)
  const ofLength = (length: number) => `${'x'.repeat(length - 6)}@ab.cd`
  expect(isEmail(ofLength(EMAIL_MAX))).toBe(true)
  expect(isEmail(ofLength(EMAIL_MAX + 1))).toBe(false)
})

test('a password says what it lacks, in the order of the sheet', () => {
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

test('the fifth failure locks for 15 minutes, and then the count starts again', () => {
  expect(afterFailure(3, now)).toEqual({ failures: 4, lockedUntil: null })
  const lock = afterFailure(4, now)
  expect(lock).toEqual({ failures: 5, lockedUntil: after(now, 15 * MINUTE_MS) })
  expect(signInGate(lock, now)).toMatchObject({ kind: 'locked', minutes: 15 })
  expect(signInGate(lock, after(now, 14 * MINUTE_MS + 1))).toMatchObject({ kind: 'locked', minutes: 1 })
  expect(signInGate(lock, after(now, 15 * MINUTE_MS))).toEqual({ kind: 'open', failures: 0 })
})

test('the browser allows five tries in five minutes', () => {
  const tries = [0, 1, 2, 3, 4]
  expect(isWithinRate(tries.slice(1), 10)).toBe(true)
  expect(isWithinRate(tries, 10)).toBe(false)
  expect(isWithinRate(tries, 300_000)).toBe(true)
})
