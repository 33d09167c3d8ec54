import { networkCauses, type Outcome } from './network-causes.ts'
import { copy } from './platform.copy.ts'

/** Every known cause of a failure, with its kind, code and sentence; a closed table. */
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
  ...networkCauses,
} as const satisfies Record<string, Outcome>

/** The error codes of PostgreSQL: five digits or capitals. */
const SQLSTATE = /^[0-9A-Z]{5}$/

type DatabaseCause = '23505' | '23503' | 'PGRST301' | 'PGRST116' | 'another database code'

/** Maps an error code of the database to its cause; null for any other code. */
export function databaseCause(code: string): DatabaseCause | null {
  if (code === '23505' || code === '23503' || code === 'PGRST301' || code === 'PGRST116') return code
  return SQLSTATE.test(code) ? 'another database code' : null
}
