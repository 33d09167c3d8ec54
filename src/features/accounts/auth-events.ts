import type { FailureKind } from '../../lib/failure.ts'
import type { UserView } from './accounts.schema.ts'

/** Auth is ready after this time at the latest. */
export const AUTH_INIT_TIMEOUT_MS = 3000
/** The wait for the admin role in the specification. Unused: the server checks the role before it renders a page. */
export const ADMIN_WAIT_MS = 1000
/** The wait before /login redirects a signed-in user. */
export const LOGIN_REDIRECT_DELAY_MS = 100
/** Auth error records that a page holds in memory. */
export const MAX_ERROR_RECORDS = 100

/** What pages are notified of when the session changes. */
export type AuthEvent =
  'INITIAL_SESSION' | 'SIGNED_IN' | 'SIGNED_OUT' | 'USER_UPDATED' | 'TOKEN_REFRESHED' | 'PASSWORD_RECOVERY'

/** The event of a change of user. `before` is undefined while the session was still unknown; null is a guest. */
export function authEventOf(before: UserView | null | undefined, after: UserView | null): AuthEvent | null {
  if (before === undefined) return 'INITIAL_SESSION'
  if (after === null) return before === null ? null : 'SIGNED_OUT'
  if (before === null || before.id !== after.id) return 'SIGNED_IN'
  const isSame = before.email === after.email && before.name === after.name && before.role === after.role
  return isSame ? 'TOKEN_REFRESHED' : 'USER_UPDATED'
}

export type AuthErrorRecord = {
  readonly type: FailureKind
  readonly message: string
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  readonly timestamp: string
  readonly stack: string
}

/** Appends a record and drops the oldest above the limit. */
export function withAuthError(records: readonly AuthErrorRecord[], next: AuthErrorRecord): readonly AuthErrorRecord[] {
  return [...records, next].slice(-MAX_ERROR_RECORDS)
}
