import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { ExtraTime } from '../../../lib/extra-time.ts'
import { isUuid } from '../../../lib/ids.ts'
import { copy } from './copy.ts'

/** Where a page of the list goes on: after this person, newest first. */
const Cursor = z.string().transform((text, issues) => {
  const [at = '', id = ''] = text.split('~')
  if (isUuid(id) && !Number.isNaN(Date.parse(at))) return { at: new Date(at), id }
  issues.addIssue({ code: 'custom', message: 'must be the end of a page' })
  return z.NEVER
})

/** What the list is asked for by its address; a value that does not fit is as good as none. */
export const PeopleWanted = z.object({
  search: z.string().trim().max(200).catch(''),
  after: Cursor.nullable().catch(null),
})
export type PeopleWanted = z.output<typeof PeopleWanted>

/** Somebody with an account, as admins see them in the list. */
export const PersonRow = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(['student', 'admin']),
  isVerified: z.boolean(),
  extraTime: ExtraTime,
  joinedAt: z.string(),
})
export type PersonRow = z.infer<typeof PersonRow>

export const PersonPath = z.object({ personId: z.uuid() })
export const SetExtraTime = z.object({ extraTime: ExtraTime })
export type SetExtraTime = z.infer<typeof SetExtraTime>

export const fail = failureTable({
  'person.not-found': { status: 404, kind: 'database', sentence: copy['people.not-found'] },
})
