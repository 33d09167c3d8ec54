import { expect, test } from 'vitest'
import { authEventOf, MAX_ERROR_RECORDS, withAuthError, type AuthErrorRecord } from './auth-events.ts'

test('the auth event follows from the user before and the user after', () => {
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

test('the last 100 auth errors are held, and the oldest is dropped', () => {
  const record = (code: string): AuthErrorRecord => ({
    type: 'authentication',
    message: 'Invalid email or password',
    code,
    details: {},
    timestamp: '2026-11-21T12:00:00.000Z',
    stack: '',
  })
  const recordsAfter = (count: number) => {
    let records: readonly AuthErrorRecord[] = []
    for (let number = 1; number <= count; number += 1) records = withAuthError(records, record(String(number)))
    return [records.length, records[0]?.code]
  }
  expect([MAX_ERROR_RECORDS - 1, MAX_ERROR_RECORDS, MAX_ERROR_RECORDS + 1].map(recordsAfter)).toEqual([
    [99, '1'],
    [100, '1'],
    [100, '2'],
  ])
})
