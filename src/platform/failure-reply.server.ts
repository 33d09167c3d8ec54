import { Failure } from '../lib/failure.ts'
import { fail } from './failures.ts'

/** Section 8: what a database code becomes. Everything that nobody foresaw is one sentence, and the log holds the rest. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  if (code === '23505') return fail('db.23505', { detail: error })
  if (code === '23503') return fail('db.23503', { detail: error })
  return fail('server.broken', { detail: error })
}
