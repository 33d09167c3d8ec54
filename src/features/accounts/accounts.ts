import type { FailureKind } from '../../lib/failure.ts'
import { isBlank, lengthOf } from '../../lib/text.ts'
import { MINUTE_MS, minutesToWait } from '../../lib/time.ts'
import { copy } from './accounts.copy.ts'
import type { UserView } from './accounts.schema.ts'

/** Spec 9: failed sign-ins before the account is locked. */
export const LOCKOUT_FAILURES = 5
/** Spec 9: length of the lock. */
export const LOCKOUT_MINUTES = 15
/** Spec 5: the browser's own limit, per email and action. */
export const RATE_ATTEMPTS = 5
export const RATE_WINDOW_MS = 300_000
/** Spec 4: auth is ready after this at the latest. */
export const AUTH_INIT_TIMEOUT_MS = 3000
/** Spec 2: the longest wait for the admin status before 'Access Denied'. */
export const ADMIN_WAIT_MS = 1000
/** Spec 2: /login redirects after this when already signed in. */
export const LOGIN_REDIRECT_DELAY_MS = 100
/** Spec 4: auth error records kept in memory. */
export const MAX_ERROR_RECORDS = 100
/** Spec 5. */
export const EMAIL_MAX = 320
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 256
export const NAME_MAX = 200

const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Spec 5: basic x@y.z form, no spaces, at most 320 characters. */
export function isEmail(text: string): boolean {
  return lengthOf(text) <= EMAIL_MAX && email.test(text)
}

/** Spec 5: a name is required. Null when it may be used. */
export function nameProblem(name: string): string | null {
  if (isBlank(name)) return copy['register.name.required']
  return lengthOf(name.trim()) > NAME_MAX ? copy['validate.name.max'] : null
}

/** Null when a password is not too long to be looked at. */
export function passwordProblem(password: string): string | null {
  return lengthOf(password) > PASSWORD_MAX ? copy['validate.password.max'] : null
}

/** Addresses are compared without case. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase()
}

type PasswordRule = {
  readonly isMet: (password: string) => boolean
  /** The item of the live list, and the sentence of the validation. */
  readonly item: string
  readonly sentence: string
}

const passwordRules: readonly PasswordRule[] = [
  {
    isMet: (p) => lengthOf(p) >= PASSWORD_MIN,
    item: copy['register.unmet.length'],
    sentence: copy['validate.password.length'],
  },
  { isMet: (p) => /\p{Lu}/u.test(p), item: copy['register.unmet.upper'], sentence: copy['validate.password.upper'] },
  { isMet: (p) => /\p{Ll}/u.test(p), item: copy['register.unmet.lower'], sentence: copy['validate.password.lower'] },
  { isMet: (p) => /\d/.test(p), item: copy['register.unmet.digit'], sentence: copy['validate.password.digit'] },
  {
    isMet: (p) => /[!@#$%^&*(),.?":{}|<>]/.test(p),
    item: copy['register.unmet.special'],
    sentence: copy['validate.password.special'],
  },
]

/** What a password still lacks, in the order of the sheet; empty when it may be used. */
export function unmetPasswordRules(password: string): readonly PasswordRule[] {
  return passwordRules.filter((rule) => !rule.isMet(password))
}

/** Whether this may be somebody's new password. */
export function isNewPassword(password: string): boolean {
  return unmetPasswordRules(password).length === 0 && passwordProblem(password) === null
}

export type Lock = { readonly failures: number; readonly lockedUntil: Date | null }

export type SignInDecision =
  | { readonly kind: 'open'; readonly failures: number }
  | { readonly kind: 'locked'; readonly minutes: number; readonly until: Date }

/** Whether a password may be tried now. A lock that has run out clears, and the count starts again. */
export function decideSignIn(lock: Lock | null, now: Date): SignInDecision {
  if (lock === null) return { kind: 'open', failures: 0 }
  if (lock.lockedUntil === null) return { kind: 'open', failures: lock.failures }
  const leftMs = lock.lockedUntil.getTime() - now.getTime()
  if (leftMs <= 0) return { kind: 'open', failures: 0 }
  return { kind: 'locked', minutes: minutesToWait(leftMs), until: lock.lockedUntil }
}

/** The lock after one more failure. */
export function afterFailure(failuresBefore: number, now: Date): Lock {
  const failures = failuresBefore + 1
  return {
    failures,
    lockedUntil: failures >= LOCKOUT_FAILURES ? new Date(now.getTime() + LOCKOUT_MINUTES * MINUTE_MS) : null,
  }
}

/** Spec 5: whether the browser may try again, given when it tried before. */
export function isWithinRate(timestamps: readonly number[], nowMs: number): boolean {
  return recentAttempts(timestamps, nowMs).length < RATE_ATTEMPTS
}

/** The timestamps that still count. */
export function recentAttempts(timestamps: readonly number[], nowMs: number): readonly number[] {
  return timestamps.filter((at) => nowMs - at < RATE_WINDOW_MS)
}

/** Spec 4: what a page hears of who is signed in. */
export type AuthEvent =
  'INITIAL_SESSION' | 'SIGNED_IN' | 'SIGNED_OUT' | 'USER_UPDATED' | 'TOKEN_REFRESHED' | 'PASSWORD_RECOVERY'

/** What happened, by who was known before the server spoke and who is now; undefined: nobody had asked yet. */
export function authEventOf(before: UserView | null | undefined, after: UserView | null): AuthEvent | null {
  if (before === undefined) return 'INITIAL_SESSION'
  if (after === null) return before === null ? null : 'SIGNED_OUT'
  if (before === null || before.id !== after.id) return 'SIGNED_IN'
  const isSame = before.email === after.email && before.name === after.name && before.role === after.role
  return isSame ? 'TOKEN_REFRESHED' : 'USER_UPDATED'
}

/** Spec 3, Auth error record. */
export type AuthErrorRecord = {
  readonly type: FailureKind
  readonly message: string
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  readonly timestamp: string
  readonly stack: string
}

/** The records after one more; the oldest goes when there are too many. */
export function withAuthError(records: readonly AuthErrorRecord[], next: AuthErrorRecord): readonly AuthErrorRecord[] {
  return [...records, next].slice(-MAX_ERROR_RECORDS)
}
