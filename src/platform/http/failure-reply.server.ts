import { mayPass } from '../../db/connect-with-retry.server.ts'
import { Failure } from '../../lib/failure.ts'
import { databaseCause } from '../error-causes.ts'
import { fail } from '../request-failures.ts'
import { databaseAway } from './wait-limit.server.ts'

/** The failure that callers get for each cause of the database. The database's own message is logged only. */
const replies = {
  '23505': 'db.23505',
  '23503': 'db.23503',
  PGRST301: 'role.required',
  PGRST116: 'request.not-found',
  'another database code': 'db.other',
} as const

/** Turns any error into a failure. Unexpected errors share one sentence; the log has their details. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (mayPass(error)) return databaseAway(error)
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const cause = databaseCause(code)
  return fail(cause === null ? 'server.broken' : replies[cause], { detail: error })
}
