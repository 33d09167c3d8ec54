import { expect, test } from 'vitest'
import { after, MINUTE_MS } from '../../../lib/time.ts'
import {
  confirmationMethods,
  isWithin,
  judgeStep,
  needsSecondStep,
  normaliseCode,
  normaliseRecoveryCode,
} from './second-factor.ts'

const now = new Date('2026-01-01T00:00:00Z')
const step = Math.floor(now.getTime() / 30_000)

test.each([
  ['student', false, false, true, false],
  ['student', true, false, false, true],
  ['student', false, true, true, false],
  ['admin', false, true, false, false],
  ['admin', false, true, true, true],
  ['admin', true, false, false, true],
] as const)(
  'a second step of a %s with app %s and passkey %s, required for admins %s: %s',
  (role, hasAuthenticator, hasPasskey, isRequired, expected) =>
    expect(needsSecondStep({ role, hasAuthenticator, hasPasskey }, isRequired)).toBe(expected),
)

test('no code works twice, and a clock that was set back is named', () => {
  expect(judgeStep(step, null, now)).toBe('right')
  expect(judgeStep(step, step - 1, now)).toBe('right')
  expect(judgeStep(step, step, now)).toBe('used')
  expect(judgeStep(step, step + 1, now)).toBe('used')
  expect(judgeStep(step, step + 2, now)).toBe('clock')
})

test('a token ends after its time, also when the clock was set back meanwhile', () => {
  expect(isWithin(after(now, 10 * MINUTE_MS), 10, now)).toBe(true)
  expect(isWithin(now, 10, now)).toBe(false)
  expect(isWithin(after(now, 20 * MINUTE_MS), 10, now)).toBe(false)
})

test('users with a second factor confirm with it, all others with the password or with Google', () => {
  const none = { hasAuthenticator: false, hasPasskey: false }
  expect(confirmationMethods(none, true)).toEqual({ password: true, google: false, code: false, passkey: false })
  expect(confirmationMethods(none, false)).toEqual({ password: false, google: true, code: false, passkey: false })
  const passkey = { ...none, hasPasskey: true }
  expect(confirmationMethods(passkey, true)).toEqual({ password: false, google: false, code: false, passkey: true })
  const both = { hasAuthenticator: true, hasPasskey: true }
  expect(confirmationMethods(both, false)).toEqual({ password: false, google: false, code: true, passkey: true })
})

test('codes are read as people type them', () => {
  expect(normaliseCode(' 123 456 ')).toBe('123456')
  expect(normaliseRecoveryCode('ABCD-efgh 2345')).toBe('abcdefgh2345')
})
