import { failureTable } from '../lib/failure.ts'
import { copy } from './platform.copy.ts'

/** Failures that belong to no feature. */
export const fail = failureTable({
  'request.invalid': { status: 400, kind: 'validation', sentence: copy['request.invalid'] },
  'request.not-json': { status: 400, kind: 'validation', sentence: copy['request.not-json'] },
  'request.aborted': { status: 400, kind: 'network', sentence: copy['request.aborted'] },
  'request.not-found': { status: 404, kind: 'database', sentence: copy['db.PGRST116'] },
  'request.too-large': { status: 413, kind: 'validation', sentence: copy['request.too-large'] },
  'request.too-many': { status: 429, kind: 'other', sentence: copy['request.too-many'] },
  'mail.too-many': { status: 429, kind: 'other', sentence: copy['mail.too-many'] },
  'request.foreign-origin': { status: 403, kind: 'authorization', sentence: copy['request.foreign-origin'] },
  'request.foreign-host': { status: 421, kind: 'authorization', sentence: copy['request.foreign-host'] },
  'realtime.full': { status: 503, kind: 'network', sentence: copy['realtime.full'] },
  'session.required': { status: 401, kind: 'authentication', sentence: copy['session.required'] },
  'confirmation.required': { status: 403, kind: 'authentication', sentence: copy['confirmation.required'] },
  'second-factor.required': { status: 403, kind: 'authorization', sentence: copy['second-factor.required'] },
  'role.required': { status: 403, kind: 'authorization', sentence: copy['db.PGRST301'] },
  'db.23505': { status: 409, kind: 'validation', sentence: copy['db.23505'] },
  'db.23503': { status: 409, kind: 'validation', sentence: copy['db.23503'] },
  'db.other': { status: 500, kind: 'database', sentence: copy['db.other'] },
  'server.away': { status: 503, kind: 'network', sentence: copy['server.away'] },
  'server.broken': { status: 500, kind: 'other', sentence: copy['server.broken'] },
})
