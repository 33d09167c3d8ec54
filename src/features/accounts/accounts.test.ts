import { expect, test } from 'vitest'
import { after, MINUTE_MS } from '../../lib/time.ts'
import {
  afterFailure,
  authEventOf,
  EMAIL_MAX,
  MAX_ERROR_RECORDS,
  isEmail,
  isWithinRate,
  decideSignIn,
  unmetPasswordRules,
  withAuthError,
  type AuthErrorRecord,
} from './accounts.ts'

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
  expect(decideSignIn(lock, now)).toMatchObject({ kind: 'locked', minutes: 15 })
  expect(decideSignIn(lock, after(now, 14 * MINUTE_MS + 1))).toMatchObject({ kind: 'locked', minutes: 1 })
  expect(decideSignIn(lock, after(now, 15 * MINUTE_MS))).toEqual({ kind: 'open', failures: 0 })
})

test('the browser allows five tries in five minutes', () => {
  const tries = [0, 1, 2, 3, 4]
  expect(isWithinRate(tries.slice(1), 10)).toBe(true)
  expect(isWithinRate(tries, 10)).toBe(false)
  expect(isWithinRate(tries, 300_000)).toBe(true)
})

test('what happened to a session follows from who was known before and who is now', () => {
  const ana = { id: 'a', email: 'ana@example.com', name: 'Ana', role: 'student' } as const
  const ben = { ...ana, id: 'b', email: 'ben@example.com' }
  expect(authEventOf(undefined, null)).toBe('INITIAL_SESSION')
  expect(authEventOf(undefined, ana)).toBe('INITIAL_SESSION')
  expect(authEventOf(null, null)).toBeNull()
  expect(authEventOf(null, ana)).toBe('SIGNED_IN')
  expect(authEventOf(ben, ana)).toBe('SIGNED_IN')
  expect(authEventOf(ana, null)).toBe('SIGNED_OUT')
  expect(authEventOf(ana, { ...ana, name: 'Ana B.' })).toBe('USER_UPDATED')
  expect(authEventOf(ana, { ...ana, role: 'admin' })).toBe('USER_UPDATED')
  expect(authEventOf(ana, { ...ana })).toBe('TOKEN_REFRESHED')
})

test('the last 100 failures of signing in are kept, and the oldest goes', () => {
  const record = (code: string): AuthErrorRecord => ({
    type: 'authentication',
    message: 'Invalid email or password',
    code,
    details: {},
    timestamp: now.toISOString(),
    stack: '',
  })
  const kept = (count: number) => {
    let records: readonly AuthErrorRecord[] = []
    for (let number = 1; number <= count; number += 1) records = withAuthError(records, record(String(number)))
    return [records.length, records[0]?.code]
  }
  expect([MAX_ERROR_RECORDS - 1, MAX_ERROR_RECORDS, MAX_ERROR_RECORDS + 1].map(kept)).toEqual([
    [99, '1'],
    [100, '1'],
    [100, '2'],
  ])
})
