import { Failure } from '../../lib/failure.ts'
import { databaseCause } from '../error-causes.ts'
import { fail } from '../request-failures.ts'

/** What a cause that the database names becomes on the wire; nothing of the database's own message leaves the log. */
const replies = {
  '23505': 'db.23505',
  '23503': 'db.23503',
  PGRST301: 'role.required',
  PGRST116: 'request.not-found',
  'another database code': 'db.other',
} as const

/** Section 8: what a database code becomes. Everything that nobody foresaw is one sentence, and the log holds the rest. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const cause = databaseCause(code)
  return fail(cause === null ? 'server.broken' : replies[cause], { detail: error })
}
