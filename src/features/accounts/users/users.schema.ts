import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { ExtraTime } from '../../../lib/extra-time.ts'
import { isUuid } from '../../../lib/ids.ts'
import { isPageInstant } from '../../../lib/paging.ts'
import { copy } from './users.copy.ts'

/** The user after whom the next page begins, newest first. With microseconds, as in the database. */
const Cursor = z.string().transform((text, issues) => {
  const [at = '', id = ''] = text.split('~')
  if (isUuid(id) && isPageInstant(at)) return { at, id }
  issues.addIssue({ code: 'custom', message: 'must be the end of a page' })
  return z.NEVER
})

export const USER_FILTERS = ['admins', 'locked', 'unverified', 'with-access'] as const
const UserFilter = z.enum(USER_FILTERS)

/** The filters in the address of the list; invalid values are ignored. */
export const UserListFilter = z.object({
  search: z.string().trim().max(200).catch(''),
  only: UserFilter.nullable().catch(null),
  after: Cursor.nullable().catch(null),
})
export type UserListFilter = z.output<typeof UserListFilter>

export const Role = z.enum(['student', 'admin'])
export type Role = z.infer<typeof Role>

/** A user in the list for admins. */
export const UserRow = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  isVerified: z.boolean(),
  isLocked: z.boolean(),
  extraTime: ExtraTime,
  joinedAt: z.string(),
})
export type UserRow = z.infer<typeof UserRow>

/** A user in full, for admins. */
export const UserRecord = UserRow.extend({
  lockedAt: z.string().nullable(),
  lockedReason: z.string().nullable(),
  signInMethods: z.array(z.object({ provider: z.string(), since: z.string() })),
  sessions: z.array(z.object({ id: z.string(), since: z.string(), endsAt: z.string(), userAgent: z.string() })),
})
export type UserRecord = z.infer<typeof UserRecord>

export const UserPath = z.object({ userId: z.uuid() })
export const SetExtraTime = z.object({ extraTime: ExtraTime })
export type SetExtraTime = z.infer<typeof SetExtraTime>
export const SetRole = z.object({ role: Role })
export const LockUser = z.object({
  /** Shown to the user at sign-in. */
  reason: z
    .string(copy['person.lock.reason.missing'])
    .trim()
    .min(1, copy['person.lock.reason.missing'])
    .max(500, copy['person.lock.reason.long']),
})
export const EndedSessions = z.object({ ended: z.number().int() })

export const fail = failureTable({
  'person.not-found': { status: 404, kind: 'database', sentence: copy['people.not-found'] },
  'person.own-role': { status: 409, kind: 'validation', sentence: copy['person.own-role'] },
  'person.own-lock': { status: 409, kind: 'validation', sentence: copy['person.own-lock'] },
  'person.own-deletion': { status: 409, kind: 'validation', sentence: copy['person.own-deletion'] },
  'person.last-admin': { status: 409, kind: 'validation', sentence: copy['person.last-admin'] },
})
