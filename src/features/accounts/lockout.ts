import { MINUTE_MS, minutesToWait } from '../../lib/time.ts'

/** Failed sign-ins before an address is locked. */
export const LOCKOUT_FAILURES = 5
export const LOCKOUT_MINUTES = 15

export type Lock = { readonly failures: number; readonly lockedUntil: Date | null }

type SignInDecision =
  | { readonly kind: 'open'; readonly failures: number }
  | { readonly kind: 'locked'; readonly minutes: number; readonly until: Date }

/** Whether a password may be tried now. After a lock has expired the count starts at 0 again. */
export function decideSignIn(lock: Lock | null, now: Date): SignInDecision {
  if (lock === null) return { kind: 'open', failures: 0 }
  if (lock.lockedUntil === null) return { kind: 'open', failures: lock.failures }
  const leftMs = lock.lockedUntil.getTime() - now.getTime()
  if (leftMs <= 0) return { kind: 'open', failures: 0 }
  return { kind: 'locked', minutes: minutesToWait(leftMs), until: lock.lockedUntil }
}

/** The state after another failure. */
export function afterFailure(failuresBefore: number, now: Date): Lock {
  const failures = failuresBefore + 1
  return {
    failures,
    lockedUntil: failures >= LOCKOUT_FAILURES ? new Date(now.getTime() + LOCKOUT_MINUTES * MINUTE_MS) : null,
  }
}
