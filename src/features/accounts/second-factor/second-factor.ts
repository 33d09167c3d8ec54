import { MINUTE_MS } from '../../../lib/time.ts'

/** Seconds in which an authenticator app shows the same code. */
export const CODE_SECONDS = 30
export const CODE_DIGITS = 6
/** A code of this many steps before or after the server's is accepted, because clocks differ. */
export const CODE_WINDOW_STEPS = 1
export const RECOVERY_CODES = 10
export const PASSKEYS_MAX = 20
export const PASSKEY_NAME_MAX = 60
/** The time between the password and the second step of a sign-in. */
export const SECOND_STEP_MINUTES = 10
/** The time in which a browser has to answer a challenge. */
export const CHALLENGE_MINUTES = 5

/** What a user has set up, and the role that decides whether it is required. */
export type Factors = {
  readonly role: 'student' | 'admin'
  readonly hasAuthenticator: boolean
  readonly hasPasskey: boolean
}

/** Whether this user needs a second step after a password or Google. */
export function needsSecondStep(
  { role, hasAuthenticator, hasPasskey }: Factors,
  isAdminFactorRequired: boolean,
): boolean {
  return hasAuthenticator || (hasPasskey && role === 'admin' && isAdminFactorRequired)
}

/** The ways in which a user may confirm who they are. A user who has set up a second factor needs it. */
export type ConfirmationMethods = {
  readonly password: boolean
  readonly google: boolean
  readonly code: boolean
  readonly passkey: boolean
}

export function confirmationMethods(
  { hasAuthenticator, hasPasskey }: Pick<Factors, 'hasAuthenticator' | 'hasPasskey'>,
  hasPassword: boolean,
): ConfirmationMethods {
  const hasFactor = hasAuthenticator || hasPasskey
  return {
    password: hasPassword && !hasFactor,
    google: !hasPassword && !hasFactor,
    code: hasAuthenticator,
    passkey: hasPasskey,
  }
}

/** The step of the server's clock, which decides the code. */
export function codeStep(now: Date): number {
  return Math.floor(now.getTime() / (CODE_SECONDS * 1000))
}

/**
 * Whether a code of this step may still be used: no code works twice. 'clock' when the last accepted code is from the future,
 * because the server's clock was set back.
 */
export function judgeStep(step: number, lastStep: number | null, now: Date): 'right' | 'used' | 'clock' {
  if (lastStep === null || step > lastStep) return 'right'
  return lastStep > codeStep(now) + CODE_WINDOW_STEPS ? 'clock' : 'used'
}

/** Whether a token that ends at `expiresAt` is still valid. A clock that was set back does not prolong it. */
export function isWithin(expiresAt: Date, lifetimeMinutes: number, now: Date): boolean {
  const leftMs = expiresAt.getTime() - now.getTime()
  return leftMs > 0 && leftMs <= (lifetimeMinutes + 1) * MINUTE_MS
}

/** The digits of a code; apps show them in groups. */
export function normaliseCode(typed: string): string {
  return typed.replaceAll(/\s/g, '')
}

/** A recovery code without its hyphens, in lower case. */
export function normaliseRecoveryCode(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '').toLowerCase()
}

/** A secret in groups of four, to type it into an app. */
export function groupSecret(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
