import { z } from 'zod'
import { isUuid } from '../../lib/ids.ts'
import { isPageInstant } from '../../lib/paging.ts'

/** Where a page of the list goes on: after this line, newest first. To the microsecond, as the database keeps it. */
const Cursor = z.string().transform((text, issues) => {
  const [at = '', id = ''] = text.split('~')
  if (isPageInstant(at) && /^\d{1,15}$/.test(id)) return { at, id: Number(id) }
  issues.addIssue({ code: 'custom', message: 'must be the end of a page' })
  return z.NEVER
})

const Name = z
  .string()
  .trim()
  .max(100)
  .transform((text) => (text === '' ? null : text))
  .nullable()
  .catch(null)
const Day = z.iso.date().nullable().catch(null)

/** What the log is asked for by its address; a value that does not fit is as good as none. */
export const AuditFilter = z.object({
  /** An id; 'shell': what was done without an account. */
  actor: z
    .string()
    .refine((text) => text === 'shell' || isUuid(text))
    .nullable()
    .catch(null),
  action: Name,
  /** The table of what it was done to. */
  table: Name,
  /** The id of what it was done to, or its beginning. */
  subject: Name,
  from: Day,
  to: Day,
  kind: z.enum(['changes', 'all']).catch('changes'),
  after: Cursor.nullable().catch(null),
})
export type AuditFilter = z.output<typeof AuditFilter>

/** A line of the audit log as admins read it. */
export const AuditEntry = z.object({
  id: z.number().int(),
  at: z.string(),
  /** The mail address; null: nobody with an account, or it was deleted. */
  actor: z.string().nullable(),
  action: z.string(),
  table: z.string(),
  subjectId: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.infer<typeof AuditEntry>
