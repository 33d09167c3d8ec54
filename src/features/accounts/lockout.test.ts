import { expect, test } from 'vitest'
import { after, MINUTE_MS } from '../../lib/time.ts'
import { copy } from './accounts.copy.ts'
import { afterFailure, decideSignIn, LOCKOUT_MINUTES } from './lockout.ts'

const now = new Date('2026-11-21T12:00:00Z')

test('the fifth failure locks for 15 minutes, and afterwards the count starts again', () => {
  expect(copy['login.lockout.now']).toMatch(new RegExp(` ${LOCKOUT_MINUTES} minutes\\.$`))
  expect(afterFailure(3, now)).toEqual({ failures: 4, lockedUntil: null })
  const lock = afterFailure(4, now)
  expect(lock).toEqual({ failures: 5, lockedUntil: after(now, 15 * MINUTE_MS) })
  expect(decideSignIn(lock, now)).toMatchObject({ kind: 'locked', minutes: 15 })
  expect(decideSignIn(lock, after(now, 14 * MINUTE_MS + 1))).toMatchObject({ kind: 'locked', minutes: 1 })
  expect(decideSignIn(lock, after(now, 15 * MINUTE_MS))).toEqual({ kind: 'open', failures: 0 })
})
