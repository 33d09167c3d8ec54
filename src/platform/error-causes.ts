import type { FailureKind } from '../lib/failure.ts'
import { copy } from './platform.copy.ts'

type Outcome = { readonly kind: FailureKind; readonly code: string; readonly sentence: string }

/** Spec 8, as one closed table: what each cause that has a name becomes. */
export const causes = {
  '23505': { kind: 'validation', code: '23505', sentence: copy['db.23505'] },
  '23503': { kind: 'validation', code: '23503', sentence: copy['db.23503'] },
  PGRST301: { kind: 'authorization', code: 'PGRST301', sentence: copy['db.PGRST301'] },
  PGRST116: { kind: 'database', code: 'PGRST116', sentence: copy['db.PGRST116'] },
  'another database code': { kind: 'database', code: 'DATABASE_ERROR', sentence: copy['db.other'] },
  'Invalid login credentials': {
    kind: 'authentication',
    code: 'INVALID_CREDENTIALS',
    sentence: copy['login.invalid'],
  },
  'Email not confirmed': { kind: 'authentication', code: 'EMAIL_NOT_CONFIRMED', sentence: copy['login.unverified'] },
  'User already registered': { kind: 'authentication', code: 'USER_EXISTS', sentence: copy['register.exists'] },
  'another auth failure': { kind: 'authentication', code: 'AUTH_ERROR', sentence: copy['auth.failed'] },
  offline: { kind: 'network', code: 'OFFLINE', sentence: copy['net.offline'] },
  'no answer': { kind: 'network', code: 'NETWORK_ERROR', sentence: copy['net.error'] },
} as const satisfies Record<string, Outcome>

/** Five digits or capitals: how PostgreSQL names what went wrong. */
const SQLSTATE = /^[0-9A-Z]{5}$/

type DatabaseCause = '23505' | '23503' | 'PGRST301' | 'PGRST116' | 'another database code'

/** The cause behind a code of the database; null when this is no code of a database. */
export function databaseCause(code: string): DatabaseCause | null {
  if (code === '23505' || code === '23503' || code === 'PGRST301' || code === 'PGRST116') return code
  return SQLSTATE.test(code) ? 'another database code' : null
}

export function networkCause(isOnline: boolean): 'no answer' | 'offline' {
  return isOnline ? 'no answer' : 'offline'
}

/** Spec 8: a toast's title follows from the kind of what went wrong. */
const toastTitle = {
  authentication: copy['toast.title.authentication'],
  authorization: copy['toast.title.authorization'],
  validation: copy['toast.title.validation'],
  network: copy['toast.title.network'],
  database: copy['toast.title.database'],
  other: copy['toast.title.other'],
} as const satisfies Record<FailureKind, string>

/** A failure as a toast says it: its look, its title, its sentence. What was typed wrong is no alarm. */
export function failureToast(failure: { readonly kind: FailureKind; readonly message: string }) {
  const look = failure.kind === 'validation' ? 'warning' : 'error'
  return [look, toastTitle[failure.kind], toastSentence(failure.message)] as const
}

/** Spec 8: two messages that machines write are replaced by one for people. */
export function toastSentence(message: string): string {
  if (/fetch/i.test(message)) return copy['toast.fetch']
  return /permission/i.test(message) ? copy['toast.permission'] : message
}
